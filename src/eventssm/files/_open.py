"""Opening a file: its format found, its pieces checked and cut to measure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.events._columns import whole_numbers
from eventssm.files._chunks import by_count, by_time
from eventssm.files._format import Columns, Format, Source
from eventssm.files._formats import find_format
from eventssm.files._sensors import settle

Backwards = Literal["error", "drop"]


@dataclass
class EventFile:
    """A file with a recording in it, read as often as it is gone through."""

    path: Path
    format: Format
    sensor: Sensor
    source: Source
    backwards: Backwards
    dropped: int = field(default=0, init=False)
    """Events that the last going through left out, as their time went backwards."""

    def read(self) -> Events:
        """The whole recording."""
        return Events.join(self.sensor, list(self.pieces()))

    def pieces(self) -> Iterator[Events]:
        """The recording in the pieces that the file is made of, in constant memory."""
        with _checks.about(self.path):
            seen, last = 0, 0
            self.dropped = 0
            for columns in self.source.pieces():
                piece = self._checked(columns, seen, last)
                seen += len(columns["t"])
                self.dropped += len(columns["t"]) - len(piece)
                if len(piece):
                    last = int(piece.t[-1])
                    yield piece

    def chunks(self, *, events: int | None = None, ms: float | None = None) -> Iterator[Events]:
        """The recording in chunks of `events` events, or of `ms` milliseconds from the first event on.

        The last chunk may be smaller. A stretch of time without an event gives no chunk.
        """
        if events is not None:
            _checks.check(ms is None, "chunks", "either events or ms", "both")
            _checks.check_size(events, "events")
            return by_count(self.sensor, self.pieces(), events)
        if ms is None:
            _checks.refuse("chunks", "either events or ms", "neither")
        _checks.check(0.001 <= ms < 1e15, "ms", "a time of at least 0.001 ms", ms)
        return by_time(self.sensor, self.pieces(), round(ms * 1000.0))

    def _checked(self, columns: Columns, seen: int, last: int) -> Events:
        place = next((name for name in ("byte", "line") if name in columns), None)
        columns = dict(columns)
        places = None if place is None else columns.pop(place)
        kept: np.ndarray | None = None
        try:
            times = whole_numbers(columns["t"], "t").astype(np.int64)
            before = np.maximum.accumulate(np.concatenate(([last], times[:-1])))
            kept = times >= before
            if self.backwards == "error" and not kept.all():
                index = int(np.argmin(kept))
                least = f"a time >= {before[index]} (or backwards='drop' to leave it out)"
                kept = None  # of the whole piece
                _checks.refuse(f"t[{index}]", least, times[index])
            columns = _with_bits(columns) | {"t": times}
            if not kept.all():
                columns = {name: column[kept] for name, column in columns.items()}
            return Events(self.sensor, **columns)
        except _checks.InputError as wrong:
            raise _checks.InputError(_placed(str(wrong), seen, kept, place, places)) from None


def open_file(
    path: str | Path,
    format: str | None = None,
    sensor: Sensor | None = None,
    *,
    index: int | None = None,
    backwards: Backwards = "error",
) -> EventFile:
    """A file with a recording in it, to be read whole or in chunks.

    The format is found by content, then by suffix, unless it is named. `sensor` is needed where the file
    does not say what made it. `index` is the recording, in a file of several. Times that go backwards are
    an error, or with `backwards="drop"` their events are left out, and counted in the file's `dropped`.
    """
    path = Path(path)
    if index is not None:
        _checks.check_size(index, "index", least=0)
    _checks.check_choice(backwards, get_args(Backwards), "backwards")
    with _checks.about(path):
        found = find_format(path, format)
        source = found.reader(path, sensor, index)
        return EventFile(path, found, settle(source.sensor, sensor), source, backwards)


def read(
    path: str | Path,
    format: str | None = None,
    sensor: Sensor | None = None,
    *,
    index: int | None = None,
    backwards: Backwards = "error",
) -> Events:
    """The recording in a file; the arguments are those of `open`."""
    return open_file(path, format, sensor, index=index, backwards=backwards).read()


def _placed(
    complaint: str, seen: int, kept: np.ndarray | None, place: str | None, places: np.ndarray | None
) -> str:
    """A complaint of one event of a piece, as one of an event of the file, and where in the file it is."""
    found = re.match(r"(\w+)\[(\d+)\]", complaint)
    if found is None:
        return complaint
    index = int(found[2]) if kept is None else int(np.flatnonzero(kept)[int(found[2])])
    where = "" if places is None else f" ({place} {places[index]})"
    return f"{found[1]}[{seen + index}]{complaint[found.end() :]}{where}"


def _with_bits(columns: Columns) -> Columns:
    """The columns with OFF as 0, which some programs write as -1."""
    p = columns.get("p")
    if p is None or p.dtype.kind not in "if" or not (p == -1).any():
        return columns
    return columns | {"p": np.where(p == -1, 0, p)}
