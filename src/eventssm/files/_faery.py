"""EVT2, EVT3, DAT, AEDAT4 and ES, which faery reads and writes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.files._format import Columns, Reader, Source, Writer
from eventssm.files._header import header_lines
from eventssm.files._sensors import camera

_ANY_SIZE = (65535, 65535)
_GENERATIONS = {"gen3": (640, 480), "gen4": (1280, 720), "imx636": (1280, 720), "genx320": (320, 320)}
_LONGEST_ES = 3_600_000_000


def prophesee_reader(kind: str, version: str) -> Reader:
    """Reads files with a `%` header, whose lines may name the size of the camera."""

    def reader(path: Path, sensor: Sensor | None, index: int | None) -> Source:
        lines, _ = header_lines(path, b"%")
        size = _size(lines)
        named = camera(*size) if size else None
        odd = () if size else ("the header does not name the size of the sensor",)
        fallback = size or _ANY_SIZE
        return Source(named, lambda: _decoded(path, kind, version=version, fallback=fallback), odd)

    return reader


def container_reader(kind: str) -> Reader:
    """Reads files that always name the size of their camera."""

    def reader(path: Path, sensor: Sensor | None, index: int | None) -> Source:
        width, height = _decoder(path, kind).dimensions()
        return Source(camera(width, height), lambda: _decoded(path, kind))

    return reader


def writer(kind: str, version: str | None = None) -> Writer:
    """Writes with faery's encoder; times are kept, in EVT and DAT by an offset in the header."""

    def write(path: Path, sensor: Sensor, pieces: Iterator[Events]) -> None:
        import faery

        _checks.check(sensor.is_camera, "sensor", f"a camera for {kind} files", repr(sensor.name))
        options: dict[str, Any] = {} if version is None else {"version": version}
        faery.file_encoder.events_to_file(
            _records(pieces, kind),
            path,
            (sensor.width, sensor.height),
            zero_t0=kind != "es",
            file_type=kind,
            use_write_suffix=False,
            **options,
        )

    return write


def _records(pieces: Iterator[Events], kind: str) -> Iterator[np.ndarray]:
    import faery

    for events in pieces:
        if kind == "es" and len(events):
            # ES has no offset: it would hold one byte for every 64 microseconds before the first event
            early = int(events.t[0]) <= _LONGEST_ES
            _checks.check(early, "t[0]", "a time within the first hour for es files", events.t[0])
        records = np.zeros(len(events), faery.EVENTS_DTYPE)
        for name, column in (("t", events.t), ("x", events.x), ("y", events.y), ("p", events.p)):
            records[name] = column
        yield records


def _decoded(path: Path, kind: str, **options: Any) -> Iterator[Columns]:
    packets = iter(_decoder(path, kind, **options))
    while (packet := _guarded(kind, next, packets, None)) is not None:
        yield {name: packet[name] for name in ("t", "x", "y", "p")}


def _decoder(path: Path, kind: str, version: str | None = None, fallback: tuple[int, int] = _ANY_SIZE) -> Any:
    import faery

    return _guarded(
        kind,
        faery.file_decoder.Decoder,
        path,
        dimensions_fallback=fallback,
        version_fallback=version,
        file_type=kind,
        time_range_cache=None,
    )


def _guarded(kind: str, call: Any, *arguments: Any, **options: Any) -> Any:
    """The call, with whatever faery raises, its panics too, as one error of this package."""
    try:
        return call(*arguments, **options)
    except (OSError, KeyboardInterrupt, MemoryError):
        raise
    except BaseException as problem:
        reason = " ".join(str(problem).split())
        raise _checks.InputError(f"expected a whole {kind} file, got: {reason}") from problem


def _size(lines: list[str]) -> tuple[int, int] | None:
    """Width and height as a header names them: directly, or by the generation of the sensor."""
    fields = {key.lower(): value for key, _, value in (line.partition(" ") for line in lines)}
    sides = [fields.get(name, "") for name in ("width", "height")]
    if all(re.fullmatch(r"\d{1,5}", side) for side in sides):
        return int(sides[0]), int(sides[1])
    patterns = ((r"(\d{1,5})x(\d{1,5})", "geometry"), (r".*width=(\d{1,5});height=(\d{1,5}).*", "format"))
    for pattern, key in patterns:
        size = re.fullmatch(pattern, fields.get(key, ""))
        if size:
            return int(size[1]), int(size[2])
    plugin = fields.get("plugin_name", "") + fields.get("sensor_name", "").lower()
    return next((size for name, size in _GENERATIONS.items() if name in plugin), None)
