"""What is left to faery: reading ES, and writing it, AEDAT4, EVT2, EVT3 and DAT.

EVT and DAT are read by our own readers: faery 0.7 moves an event whose time goes backwards to the time of
the one before, and has no EVT 2.1. What it writes, they read.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.files._format import Columns, Source, Writer
from eventssm.files._sensors import camera

_LONGEST_ES = 3_600_000_000
_LONGEST_GAP = {"dat2": 2**31, "evt2": 2**33}
_LARGEST = {"evt3": 2048, "evt2": 2048, "dat2": 16384}


def read_es(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an ES file of a camera."""
    width, height = _decoder(path, "es").dimensions()
    return Source(camera(width, height), lambda: _decoded(path, "es"))


def writer(kind: str, version: str | None = None) -> Writer:
    """Writes with faery's encoder; times are kept, in EVT and DAT by an offset in the header."""

    def write(path: Path, sensor: Sensor, pieces: Iterator[Events]) -> None:
        import faery

        name = version or kind
        _checks.check(sensor.is_camera, "sensor", f"a camera for {kind} files", repr(sensor.name))
        largest = max(sensor.width or 0, sensor.height or 0)
        most = _LARGEST.get(name, largest)
        _checks.check(largest <= most, "sensor", f"at most {most} pixels a side", sensor.name)
        options: dict[str, Any] = {} if version is None else {"version": version}
        faery.file_encoder.events_to_file(
            _records(pieces, name),
            path,
            (sensor.width, sensor.height),
            zero_t0=kind != "es",
            file_type=kind,
            use_write_suffix=False,
            **options,
        )

    return write


def _records(pieces: Iterator[Events], name: str) -> Iterator[np.ndarray]:
    import faery

    last: int | None = None
    for events in pieces:
        if name == "es" and len(events):
            # ES has no offset: it holds one byte for every 64 microseconds before the first event
            early = int(events.t[0]) <= _LONGEST_ES
            _checks.check(early, "t[0]", "a time within the first hour for es files", events.t[0])
        if name in _LONGEST_GAP and len(events):
            gaps = np.diff(events.t, prepend=events.t[:1] if last is None else last)
            _checks.check_every(
                gaps < _LONGEST_GAP[name], "gap", f"less than {_LONGEST_GAP[name]} us for {name} files", gaps
            )
            last = int(events.t[-1])
        records = np.zeros(len(events), faery.EVENTS_DTYPE)
        for field, column in (("t", events.t), ("x", events.x), ("y", events.y), ("p", events.p)):
            records[field] = column
        yield records


def _decoded(path: Path, kind: str) -> Iterator[Columns]:
    packets = iter(_decoder(path, kind))
    while (packet := _guarded(kind, next, packets, None)) is not None:
        yield {name: packet[name] for name in ("t", "x", "y", "p")}


def _decoder(path: Path, kind: str) -> Any:
    import faery

    return _guarded(
        kind, faery.file_decoder.Decoder, path, track_id=None, file_type=kind, time_range_cache=None
    )


@contextmanager
def _hushed() -> Iterator[None]:
    """Without the process's error stream, to which Rust tells of panics before they are raised."""
    try:
        kept = os.dup(2)
    except OSError:  # there is none
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _guarded(kind: str, call: Any, *arguments: Any, **options: Any) -> Any:
    """The call, with whatever faery raises, its panics too, as one error of this package."""
    try:
        with _hushed():
            return call(*arguments, **options)
    except (OSError, KeyboardInterrupt, MemoryError, GeneratorExit):
        raise
    except BaseException as problem:
        reason = " ".join(str(problem).split())
        if "unsupported type" in reason:
            reason = f"a stream of {reason.rpartition(' ')[2]} events"
        raise _checks.InputError(f"file: expected a whole {kind} file of a camera, got {reason}") from problem
