"""Counters of few bits that start again, made times of 64 bits."""

import numpy as np
from jaxtyping import Int64, Integer


class Counter:
    """A counter of `bits` bits. A step back by half its range or more says that it started again."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._turns = 0
        self._last = 0

    def unwrap(self, values: Integer[np.ndarray, " word"]) -> Int64[np.ndarray, " word"]:
        """The values, going on from the last call's, with the turns counted."""
        if not len(values):
            return np.zeros(0, np.int64)
        now = values.astype(np.int64)
        before = np.concatenate(([self._last], now[:-1]))
        turns = self._turns + np.cumsum(before - now >= 1 << (self._bits - 1))
        self._turns, self._last = int(turns[-1]), int(now[-1])
        return now + (turns << self._bits)
