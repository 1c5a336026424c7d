"""HDF5 in four layouts: SHD and SSC (many recordings of a cochlea), Prophesee, DSEC, and plain columns.

    SHD        spikes/times (seconds), spikes/units, labels       one row per recording
    Prophesee  CD/events: records of x, y, p, t
    DSEC       events/{t, x, y, p}, t_offset                      640 x 480
    plain      events/{t, x, y, p}, with attributes width and height, as written here

SHD's times are float16 in the published files, half a millisecond coarse at one second; they are read as they
are, to the nearest microsecond, and sorted with ties in file order, as rounding left many that are not.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.files._format import Columns, Source
from eventssm.files._heaps import check_heaps, check_length
from eventssm.files._sensors import camera, cochlea

_AT_ONCE = 1 << 18
_MOST_FOR_A_BYTE = 1 << 16
_COCHLEA_CHANNELS = 700
_DSEC = (640, 480)
_LATEST = 1e9
_MICROSECONDS = 1e6
_Slice = Callable[[Any, slice], Columns]


def read_hdf5(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an HDF5 file in any of the layouts."""
    check_heaps(path)
    with opened(path) as file:
        if "spikes" in file:
            return _shd_source(path, file, index)
        if "CD" in file:
            size = _geometry(file)
            return Source(camera(*size) if size else None, partial(_pieces, path, "CD/events", _prophesee))
        names = set(file["events"]) if "events" in file else set()
        _checks.check(
            {"t", "x", "y", "p"} <= names, "layout", "groups spikes, CD or events", ", ".join(file) or "none"
        )
        if "t_offset" in file and "width" not in file.attrs:
            return Source(camera(*_DSEC), partial(_pieces, path, "events/t", _columns))
        size = _geometry(file)
        return Source(camera(*size) if size else None, partial(_pieces, path, "events/t", _columns))


def each_recording(path: Path) -> Iterator[Events]:
    """All recordings of a file in SHD's layout, one after the other."""
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
        check_length(file[name], index)
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
    try:
        with h5py.File(path, "r") as file:
            yield file
    except _checks.InputError:
        raise
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, AttributeError) as problem:
        reason = " ".join(str(problem).split())[:160]
        filtered = "filter" in reason
        hint = "; its compression needs a plugin that is not installed" if filtered else ""
        _checks.refuse("HDF5", "a whole file in a known layout", f"{reason}{hint}")


def _shd_source(path: Path, file: Any, index: int | None) -> Source:
    count = len(file["spikes/times"])
    if index is None:
        _checks.check(count == 1, "index", f"the number of one of {count} recordings, from 0 on", "none")
    chosen = 0 if index is None else index
    _checks.check(chosen < count, "index", f"0 <= index < {count}", chosen)
    return Source(cochlea(_channels(file)), partial(_one_recording, path, chosen))


def _channels(file: Any) -> int:
    return int(file["spikes"].attrs.get("channels", _COCHLEA_CHANNELS))


def _one_recording(path: Path, index: int) -> Iterator[Columns]:
    with opened(path) as file:
        columns = read_spikes(file, index)
    yield columns


def _geometry(file: Any) -> tuple[int, int] | None:
    sizes = [file.attrs.get(name) for name in ("width", "height")]
    if all(isinstance(size, int | np.integer) for size in sizes):
        return int(sizes[0]), int(sizes[1])
    text = file.attrs.get("geometry", b"")
    parts = (text.decode("latin-1") if isinstance(text, bytes) else str(text)).split("x")
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 and all(p.isdigit() for p in parts) else None


def _pieces(path: Path, rows_of: str, take: _Slice) -> Iterator[Columns]:
    with opened(path) as file:
        rows = file[rows_of]
        count = len(rows)
        stored = rows.id.get_storage_size()
        real = count * rows.dtype.itemsize <= _MOST_FOR_A_BYTE * stored
        _checks.check(real, rows_of, "rows that were written", f"{count} rows in {stored} bytes")
        for start in range(0, count, _AT_ONCE):
            yield take(file, slice(start, min(start + _AT_ONCE, count)))


def _prophesee(file: Any, part: slice) -> Columns:
    records = file["CD/events"][part]
    return {name: records[name] for name in ("t", "x", "y", "p")}


def _columns(file: Any, part: slice) -> Columns:
    events = file["events"]
    columns = {name: events[name][part] for name in ("t", "x", "y", "p")}
    for name, column in columns.items():
        rows = part.stop - part.start
        _checks.check(len(column) == rows, name, "as many values as t", f"{part.start + len(column)}")
    offset = int(file["t_offset"][()]) if "t_offset" in file else 0
    return columns | {"t": columns["t"].astype(np.int64) + offset}


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
