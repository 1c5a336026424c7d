"""NumPy's own files: `.npy` with a structured array, `.npz` with one, or with a column for each name.

An `.npz` written here has columns `t`, `x`, `y`, `p` or `t`, `channel`, and the sensor as a line
of JSON. Arrays are read as streams, so that a header that lies about their size costs nothing.
"""

import json
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from io import BufferedIOBase, BytesIO
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.files._format import Columns, Source

_AT_ONCE = 1 << 18
_LARGEST_ROW = 1 << 10
_LONGEST_HEADER = 10_000
_SENSOR = "sensor.json"
_LONGEST_SENSOR = 4096
_DAMAGE = (zipfile.BadZipFile, zlib.error)
_CAMERA, _OTHER = ("t", "x", "y", "p"), ("t", "channel")
_ALIASES = {"timestamp": "t", "ts": "t", "pol": "p", "polarity": "p", "on": "p"}


def read_npy(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens a `.npy` file that holds one structured array."""
    with path.open("rb") as file:
        count, dtype = _array_header(file, "array")
        left = path.stat().st_size - file.tell()
    _check_fields(dtype, "array")
    _checks.check(
        count * dtype.itemsize <= left, "array", f"{count} records", f"{left} bytes, which are fewer"
    )
    return Source(None, partial(_npy_pieces, path, sensor))


def read_npz(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an `.npz` file: columns by name, or one structured array under any name."""
    with _opened(path) as archive:
        names = archive.namelist()
        named = _read_sensor(archive) if _SENSOR in names else None
    arrays = [name.removesuffix(".npy") for name in names if name.endswith(".npy")]
    known = {_ALIASES.get(name, name): name for name in arrays}
    if "t" in known:
        wanted = _OTHER if "channel" in known else _CAMERA
        missing = [name for name in wanted if name not in known]
        _checks.check(not missing, "arrays", ", ".join(wanted), ", ".join(arrays))
        return Source(named, partial(_column_pieces, path, {name: known[name] for name in wanted}))
    alone = len(arrays) == 1
    _checks.check(alone, "arrays", "t, x, y, p, or t, channel, or one alone", ", ".join(arrays[:9]) or "none")
    return Source(named, partial(_structured_pieces, path, arrays[0], sensor or named))


def write_npz(path: Path, sensor: Sensor, pieces: Iterator[Events]) -> None:
    """Writes columns, compressed, each collected in a file beside `path` until its length is known."""
    names = _CAMERA if sensor.is_camera else _OTHER
    with ExitStack() as stack:
        spools: dict[str, IO[bytes]] = {}
        for name in names:
            spool = path.with_name(f"{path.name}.{name}")
            stack.callback(spool.unlink, missing_ok=True)
            spools[name] = stack.enter_context(spool.open("w+b"))
        count = 0
        dtypes = {name: np.dtype(np.int64) for name in names}
        for events in pieces:
            count += len(events)
            for name in names:
                column = getattr(events, name)
                dtypes[name] = column.dtype
                spools[name].write(column.tobytes())
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name in names:
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    _write_array(member, spools[name], count, dtypes[name])
            archive.writestr(_SENSOR, json.dumps(_sensor_record(sensor)))


def _write_array(member: IO[bytes] | BufferedIOBase, spool: IO[bytes], count: int, dtype: np.dtype) -> None:
    header = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": (count,)}
    npy.write_array_header_1_0(member, header)
    spool.seek(0)
    while data := spool.read(1 << 20):
        member.write(data)


def _sensor_record(sensor: Sensor) -> dict[str, Any]:
    if sensor.is_camera:
        return {
            "name": sensor.name, "width": sensor.width, "height": sensor.height,
            "polarities": sensor.polarities,
        }  # fmt: skip
    return {"name": sensor.name, "channels": sensor.channels}


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """The archive, with what damage makes it raise as one error of this package."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (_checks.InputError, FileNotFoundError, PermissionError):
        raise
    except (OSError, EOFError, ValueError, KeyError, RuntimeError, NotImplementedError, *_DAMAGE) as problem:
        reason = " ".join(str(problem).split())[:120] or type(problem).__name__
        _checks.refuse("archive", "a whole npz file", reason)


def _read_sensor(archive: zipfile.ZipFile) -> Sensor:
    with archive.open(_SENSOR) as member:
        record = json.loads(member.read(_LONGEST_SENSOR))
    known = {"name", "width", "height", "polarities", "channels"}
    right = isinstance(record, dict) and set(record) <= known and isinstance(record.get("name"), str)
    _checks.check(right, "sensor", "a sensor", repr(record)[:80])
    return Sensor(**record)


def _npy_pieces(path: Path, sensor: Sensor | None) -> Iterator[Columns]:
    with path.open("rb") as file:
        count, dtype = _array_header(file, "array")
        at = file.tell()
        for records in _stream(file, count, dtype):
            byte = at + dtype.itemsize * np.arange(len(records))
            yield _fields(records, sensor) | {"byte": byte}
            at += dtype.itemsize * len(records)


def _structured_pieces(path: Path, name: str, sensor: Sensor | None) -> Iterator[Columns]:
    with _opened(path) as archive, archive.open(f"{name}.npy") as member:
        count, dtype = _array_header(member, name)
        _check_fields(dtype, name)
        for records in _stream(member, count, dtype):
            yield _fields(records, sensor)


def _column_pieces(path: Path, names: dict[str, str]) -> Iterator[Columns]:
    """Columns that stand in arrays of other names."""
    with ExitStack() as stack:
        archive = stack.enter_context(_opened(path))
        members = {name: stack.enter_context(archive.open(f"{array}.npy")) for name, array in names.items()}
        headers = {name: _array_header(member, name) for name, member in members.items()}
        counts = {name: count for name, (count, _) in headers.items()}
        for name, count in counts.items():
            _checks.check(count == counts["t"], name, f"{counts['t']} values, as many as t", count)
        streams = [_stream(members[name], counts[name], headers[name][1]) for name in names]
        for columns in zip(*streams, strict=True):
            yield dict(zip(names, columns, strict=True))


def _fields(records: np.ndarray, sensor: Sensor | None) -> Columns:
    """Columns of a structured array, under the names that event libraries give them."""
    known = {_ALIASES.get(name, name): name for name in records.dtype.names or ()}
    wanted: tuple[str, ...] = _OTHER if "channel" in known else _CAMERA
    if sensor is not None and not sensor.is_camera and "channel" not in known:
        known["channel"], wanted = known.get("x", "x"), _OTHER
    for name in wanted:
        present = known.get(name) in (records.dtype.names or ())
        _checks.check(present, "array", f"fields {', '.join(wanted)}", f"fields {', '.join(known)}")
    return {name: records[known[name]] for name in wanted}


def _check_fields(dtype: np.dtype, name: str) -> None:
    wanted = "a structured array with fields t, x, y, p, as columns of a plain one have no names"
    _checks.check(dtype.names is not None, name, wanted, f"dtype {dtype}")


def _array_header(file: IO[bytes] | BufferedIOBase, name: str) -> tuple[int, np.dtype]:
    """Number of rows and type of the array that starts here."""
    try:
        version = npy.read_magic(file)
        field = file.read(2 if version == (1, 0) else 4)
        length = int.from_bytes(field, "little")
        _checks.check(length <= _LONGEST_HEADER, "header", f"at most {_LONGEST_HEADER} bytes", length)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python's parser, at what is wrong anyway
            shape, _, dtype = read(BytesIO(field + file.read(length)))
    except _checks.InputError:
        raise
    except Exception as problem:  # it hands the header's text to Python's own parser
        _checks.refuse(name, "an array in NumPy's format", " ".join(str(problem).split())[:120])
    _checks.check(len(shape) == 1 and shape[0] >= 0, name, "one axis", f"shape {shape}")
    _checks.check(not dtype.hasobject and dtype.itemsize > 0, name, "numbers", f"dtype {dtype}")
    small = dtype.itemsize <= _LARGEST_ROW
    _checks.check(small, name, f"at most {_LARGEST_ROW} bytes a row", dtype.itemsize)
    return int(shape[0]), dtype


def _stream(file: IO[bytes] | BufferedIOBase, count: int, dtype: np.dtype) -> Iterator[np.ndarray]:
    """An array's rows, some at a time; memory follows what is there, not what the header claims."""
    done = 0
    while done < count:
        want = min(_AT_ONCE, count - done)
        data = file.read(want * dtype.itemsize)
        _checks.check(
            len(data) == want * dtype.itemsize, "array", f"{count} rows", f"an end after {done} or a few more"
        )
        yield np.frombuffer(data, dtype)
        done += want
