"""Opening a file: its format found, its pieces checked and cut to measure."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.files._chunks import by_count, by_time
from eventssm.files._format import Columns, Format, Source
from eventssm.files._formats import find_format
from eventssm.files._sensors import settle

Backwards = Literal["error", "drop"]


@dataclass(frozen=True)
class EventFile:
    """A file with a recording in it, read as often as it is gone through."""

    path: Path
    format: Format
    sensor: Sensor
    source: Source
    backwards: Backwards

    def read(self) -> Events:
        """The whole recording."""
        return Events.join(self.sensor, list(self.pieces()))

    def pieces(self) -> Iterator[Events]:
        """The recording in the pieces that the file is made of, in constant memory."""
        with _checks.about(self.path):
            seen, last = 0, 0
            for columns in self.source.pieces():
                piece = self._checked(columns, seen, last)
                seen += len(columns["t"])
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
        if self.backwards == "drop":
            columns = _without_backwards(columns, last)
        try:
            piece = Events(self.sensor, **columns)
            early = len(piece) > 0 and int(piece.t[0]) < last
            _checks.check(not early, "t[0]", f"a time >= {last}, that of the event before", columns["t"][:1])
        except _checks.InputError as wrong:
            where = f"after {seen:,} events: " if seen else ""
            raise _checks.InputError(f"{where}{wrong}") from None
        return piece


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
    an error, or with `backwards="drop"` their events are left out.
    """
    path = Path(path)
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
    """The recording in a file; see `open` for the arguments."""
    return open_file(path, format, sensor, index=index, backwards=backwards).read()


def _without_backwards(columns: Columns, last: int) -> Columns:
    """The columns without the events that are earlier than one before them."""
    t = columns["t"].astype(np.int64)
    latest = np.maximum.accumulate(np.concatenate((np.array([last], np.int64), t)))[1:]
    kept = t >= latest
    return columns if kept.all() else {name: column[kept] for name, column in columns.items()}
