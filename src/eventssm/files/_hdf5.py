"""HDF5 in four layouts: SHD and SSC (many recordings of a cochlea), Prophesee, DSEC, and plain columns.

    SHD        spikes/times (seconds), spikes/units, labels       one row per recording
    Prophesee  CD/events: records of x, y, p, t             or these as events
    DSEC       events/{t, x, y, p}, t_offset                      640 x 480
    plain      events/{t, x, y, p}, with attributes width and height, as written here

SHD's times are float16 in the published files, half a millisecond coarse at one second; they are read as they
are, to the nearest microsecond, and sorted with ties in file order, as rounding left many that are not.
"""

import itertools
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.events._columns import whole_numbers
from eventssm.files._format import Columns, Source
from eventssm.files._heaps import check_heaps, check_row, check_text
from eventssm.files._sensors import camera, cochlea

_AT_ONCE = 1 << 18
_MOST_FOR_A_BYTE = 1 << 16
_LARGEST_ROW, _LARGEST_CHUNK = 1 << 10, 1 << 28
_PLAIN = ("events/t", "events/x", "events/y", "events/p")
_COCHLEA_CHANNELS = 700
_DSEC = (640, 480)
_LATEST = 1e9
_MICROSECONDS = 1e6
_DAMAGE = (
    OSError, RuntimeError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, MemoryError,
    SystemError, zlib.error,
)  # fmt: skip
_Slice = Callable[[Any, slice], Columns]


def read_hdf5(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an HDF5 file in any of the layouts."""
    check_heaps(path)
    with opened(path) as file:
        if "spikes" in file:
            return _shd_source(path, file, index)
        records = next((name for name in ("CD/events", "events") if _has_records(file, name)), None)
        if records is not None:
            size = _geometry(file)
            pieces = partial(_pieces, path, (records,), partial(_records, records))
            return Source(camera(*size) if size else None, pieces)
        whole = all(name in file for name in _PLAIN)
        found = ", ".join(itertools.islice(file, 9)) or "none"
        _checks.check(whole, "layout", "spikes, CD/events or events/{t, x, y, p}", found)
        if "t_offset" in file and "width" not in file.attrs:
            return Source(camera(*_DSEC), partial(_pieces, path, _PLAIN, _columns))
        size = _geometry(file)
        return Source(camera(*size) if size else None, partial(_pieces, path, _PLAIN, _columns))


def each_recording(path: Path) -> Iterator[Events]:
    """All recordings of a file in SHD's layout, one after the other."""
    with _checks.about(path):
        check_heaps(path)
    with _checks.about(path), opened(path) as file:
        channels = _channels(file)
        for index in range(len(file["spikes/times"])):
            yield Events(cochlea(channels), **read_spikes(file, index))


def count_recordings(path: Path) -> int:
    """How many recordings a file in SHD's layout holds; 1 in any other."""
    with _checks.about(path):
        check_heaps(path)
    with _checks.about(path), opened(path) as file:
        return len(file["spikes/times"]) if "spikes" in file else 1


def read_spikes(file: Any, index: int) -> Columns:
    """Recording `index` of a file in SHD's layout, in microseconds and sorted."""
    for name in ("spikes/times", "spikes/units"):
        check_row(file[name], index)
    seconds = np.asarray(file["spikes/times"][index], np.float64)
    _checks.check_every(np.abs(seconds) < _LATEST, "times", f"seconds below {_LATEST:.0f}", seconds)
    t = np.rint(seconds * _MICROSECONDS).astype(np.int64)
    units = np.asarray(file["spikes/units"][index])
    _checks.check(len(units) == len(t), "units", f"{len(t)} values, as many as times", len(units))
    order = np.argsort(t, kind="stable")
    return {"t": t[order], "channel": units[order]}


def write_hdf5(path: Path, sensor: Sensor, pieces: Iterator[Events]) -> None:
    """Writes a cochlea's recording in SHD's layout, a camera's as plain columns."""
    import h5py

    with h5py.File(path, "w") as file:
        if sensor.is_camera:
            _write_columns(file, sensor, pieces)
        else:
            _write_spikes(file, Events.join(sensor, list(pieces)))


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """The file, with whatever damage makes h5py raise as one error of this package."""
    import h5py

    with path.open("rb"):
        pass  # a missing or unreadable file is the system's error, not one of format
    with suppress(ImportError):
        import hdf5plugin  # noqa: F401  (teaches h5py the compression of DSEC and others)
    with damage_told(), h5py.File(path, "r") as file:
        yield file


@contextmanager
def damage_told() -> Iterator[None]:
    """Whatever h5py raises of damaged files, as one error of this package."""
    try:
        yield
    except _checks.InputError:
        raise
    except _DAMAGE as problem:
        reason = " ".join(str(problem).split())[:160] or type(problem).__name__
        hint = "; perhaps `pip install hdf5plugin` teaches this compression" if "filter" in reason else ""
        _checks.refuse("HDF5", "a whole file in a known layout", f"{reason}{hint}")


def _shd_source(path: Path, file: Any, index: int | None) -> Source:
    count = len(file["spikes/times"])
    if index is None:
        _checks.check(count == 1, "index", f"the number of one of {count} recordings, from 0 on", "none")
    chosen = 0 if index is None else index
    _checks.check(chosen < count, "index", f"0 <= index < {count}", chosen)
    return Source(cochlea(_channels(file)), partial(_one_recording, path, chosen))


def _channels(file: Any) -> int:
    channels = _attribute(file["spikes"], "channels")
    if channels is None:
        return _COCHLEA_CHANNELS
    _checks.check(isinstance(channels, int | np.integer), "channels", "a whole number", repr(channels)[:80])
    return int(channels)


def _one_recording(path: Path, index: int) -> Iterator[Columns]:
    with opened(path) as file:
        columns = read_spikes(file, index)
    yield columns


def _attribute(item: Any, name: str) -> Any:
    """A number or a string that is noted beside the data; None where it is not."""
    import h5py

    if name not in item.attrs:
        return None
    dtype = h5py.h5a.open(item.id, name.encode()).get_type()
    kind = dtype.get_class()
    known = kind in (h5py.h5t.INTEGER, h5py.h5t.FLOAT, h5py.h5t.STRING)
    _checks.check(known, name, "a number or a string", f"type {kind}")
    if kind == h5py.h5t.STRING and dtype.is_variable_str():
        check_text(Path(item.file.filename), name)
    return item.attrs[name]


def _geometry(file: Any) -> tuple[int, int] | None:
    sizes = [_attribute(file, name) for name in ("width", "height")]
    if all(isinstance(size, int | np.integer) for size in sizes):
        return int(sizes[0]), int(sizes[1])
    text = _attribute(file, "geometry") or b""
    parts = (text.decode("latin-1") if isinstance(text, bytes) else str(text)).split("x")
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 and all(p.isdigit() for p in parts) else None


def _pieces(path: Path, names: tuple[str, ...], take: _Slice) -> Iterator[Columns]:
    with opened(path) as file:
        count = len(file[names[0]])
        for name in names:
            _check_rows(file[name], name, count)
        for start in range(0, count, _AT_ONCE):
            yield take(file, slice(start, min(start + _AT_ONCE, count)))


def _check_rows(rows: Any, name: str, count: int) -> None:
    """Refuse a data set whose sizes cannot be true, before room is made for it."""
    _checks.check(rows.shape == (count,), name, f"{count} rows", f"shape {rows.shape}")
    _checks.check(not rows.dtype.hasobject, name, "numbers", f"dtype {rows.dtype}")
    size = rows.dtype.itemsize
    _checks.check(size <= _LARGEST_ROW, name, f"at most {_LARGEST_ROW} bytes a row", size)
    stored = rows.id.get_storage_size()
    real = count * size <= _MOST_FOR_A_BYTE * stored
    _checks.check(real, name, "rows that were written", f"{count} rows in {stored} bytes")
    chunk = size * rows.chunks[0] if rows.chunks else 0
    most = max(_LARGEST_CHUNK, 64 * stored)
    _checks.check(chunk <= most, name, f"chunks of at most {most} bytes", chunk)


def _has_records(file: Any, name: str) -> bool:
    fields = file[name].dtype.names if name in file and hasattr(file[name], "dtype") else None
    return {"t", "x", "y", "p"} <= set(fields or ())


def _records(name: str, file: Any, part: slice) -> Columns:
    records = file[name][part]
    return {field: records[field] for field in ("t", "x", "y", "p")}


def _columns(file: Any, part: slice) -> Columns:
    columns = {name.removeprefix("events/"): file[name][part] for name in _PLAIN}
    offset = 0
    if "t_offset" in file:
        start = file["t_offset"]
        right = start.size == 1 and start.dtype.kind in "iuf"
        _checks.check(right, "t_offset", "a number", f"shape {start.shape}, dtype {start.dtype}")
        offset = int(np.ravel(start[()])[0])
    return columns | {"t": whole_numbers(columns["t"], "t").astype(np.int64) + offset}


def _write_columns(file: Any, sensor: Sensor, pieces: Iterator[Events]) -> None:
    file.attrs["width"], file.attrs["height"] = sensor.width, sensor.height
    types = {"t": np.int64, "x": np.uint16, "y": np.uint16, "p": np.uint8}
    group = file.create_group("events")
    options = {"maxshape": (None,), "chunks": (1 << 16,), "compression": "gzip", "compression_opts": 1}
    columns = {
        name: group.create_dataset(name, (0,), dtype, shuffle=True, **options)
        for name, dtype in types.items()
    }
    count = 0
    for events in pieces:
        for name, column in columns.items():
            column.resize((count + len(events),))
            column[count:] = getattr(events, name)
        count += len(events)


def _write_spikes(file: Any, events: Events) -> None:
    import h5py

    last = events.t[-1:] / _MICROSECONDS
    _checks.check_every(last < _LATEST, "t", f"a time below {_LATEST:.0f} s", last)
    spikes = file.create_group("spikes")
    spikes.attrs["channels"] = events.sensor.channels
    for name, dtype, values in (
        ("times", np.float64, events.t / _MICROSECONDS),
        ("units", np.int32, events.channel),
    ):
        rows = spikes.create_dataset(name, (1,), h5py.vlen_dtype(dtype))
        rows[0] = values
