"""What a file holds, found in constant memory."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from eventssm.events import Events, Sensor

_MOST_CHANNELS = 1 << 22


@dataclass
class Survey:
    """Sums over one recording, or over several."""

    sensor: Sensor
    recordings: int = 0
    events: int = 0
    on: int = 0
    first: int | None = None
    last: int | None = None
    duration: int = 0
    longest_gap: int = 0

    def __post_init__(self) -> None:
        counted = self.sensor.channels if self.sensor.channels <= _MOST_CHANNELS else 0
        self._counts = np.zeros(counted, np.int64)

    def add(self, pieces: Iterable[Events]) -> None:
        """Goes through the pieces of one recording."""
        start: int | None = None
        last = 0
        for piece in pieces:
            if not len(piece):
                continue
            if start is None:
                start = last = int(piece.t[0])
            self.longest_gap = max(self.longest_gap, int(np.diff(piece.t, prepend=last).max()))
            last = int(piece.t[-1])
            self.events += len(piece)
            self.on += int(np.count_nonzero(piece.p)) if self.sensor.is_camera else 0
            if len(self._counts):
                self._counts += np.bincount(piece.channel, minlength=len(self._counts))
        self.recordings += 1
        if start is not None:
            self.first = start if self.first is None else min(self.first, start)
            self.last = last if self.last is None else max(self.last, last)
            self.duration += last - start

    @property
    def rate(self) -> float | None:
        """Events per second; None where no time passed."""
        return self.events * 1e6 / self.duration if self.duration else None

    @property
    def busiest(self) -> tuple[int, float] | None:
        """The channel with the most events and its share of them; None where channels are not counted."""
        if not (len(self._counts) and self.events):
            return None
        channel = int(self._counts.argmax())
        return channel, int(self._counts[channel]) / self.events

    @property
    def active(self) -> int | None:
        """How many channels have an event."""
        return int(np.count_nonzero(self._counts)) if len(self._counts) else None
