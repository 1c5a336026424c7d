"""Events counted over time, in constant memory, of a recording whose end is not known."""

import numpy as np
from jaxtyping import Int64, Integer

from eventssm import _checks


class TimeCounts:
    """Counts in `rows` x `bins` cells, the first from the first event on.

    When time runs past the last bin, bins become twice as wide.
    """

    def __init__(self, rows: int = 1, bins: int = 1024, width: int = 125) -> None:
        """Counts in bins of `width` microseconds to begin with."""
        _checks.check_size(rows, "rows")
        _checks.check(bins >= 2 and bins % 2 == 0, "bins", "an even number", bins)
        self.width = width
        self._counts = np.zeros((rows, bins), np.int64)
        self._start: int | None = None
        self._used = 0

    def add(self, t: Int64[np.ndarray, " event"], row: Integer[np.ndarray, " event"] | None = None) -> None:
        """Counts more events, none of them before the first that was counted."""
        if not len(t):
            return
        if self._start is None:
            self._start = int(t[0])
        rows, bins = self._counts.shape
        while (int(t[-1]) - self._start) // self.width >= bins:
            self._widen()
        column = (t - self._start) // self.width
        cell = column if row is None else row * bins + column
        self._counts += np.bincount(cell, minlength=rows * bins).reshape(rows, bins)
        self._used = max(self._used, int(column[-1]) + 1)

    @property
    def start(self) -> int:
        """Time of the first event in microseconds; 0 without one."""
        return self._start or 0

    @property
    def counts(self) -> Int64[np.ndarray, "row bin"]:
        """Counts up to the bin of the last event."""
        return self._counts[:, : self._used]

    def _widen(self) -> None:
        pairs = self._counts[:, 0::2] + self._counts[:, 1::2]
        self._counts = np.concatenate((pairs, np.zeros_like(pairs)), axis=1)
        self._used = (self._used + 1) // 2
        self.width *= 2
