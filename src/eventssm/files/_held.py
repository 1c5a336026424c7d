"""Values that hold in a stream of words from the word that sets them on."""

import numpy as np


class Held:
    """The value last set, over a stream that comes in pieces."""

    def __init__(self, value: int = 0) -> None:
        self._value = value

    def over(self, count: int, at: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The value that holds at each of `count` words, of which those numbered `at` set `values`."""
        known = np.concatenate(([self._value], values))
        self._value = int(known[-1])
        return np.repeat(known, np.diff(at, prepend=0, append=count))

    def shift(self, by: int) -> None:
        """Add to the value that goes on into the next piece."""
        self._value += by
