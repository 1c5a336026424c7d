"""EVT 3.0, Prophesee's words of 16 bits, as its documentation gives them: 4 bits of kind, 12 of content.

A word sets y (kind 0), the lower or upper 12 bits of time (6, 8) or the first x and the polarity of a vector
(3); or it is an event at x (2), or a vector of 12 or 8 pixels (4, 5), after which x goes on. A new upper time
makes the lower zero. Words of other kinds are triggers and counts, and are left out.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from eventssm.events import Sensor
from eventssm.files._counter import Counter
from eventssm.files._format import Columns, Source
from eventssm.files._held import Held
from eventssm.files._prophesee import read_header
from eventssm.files._records import read_records

_Y, _X, _BASE, _VECTOR_12, _VECTOR_8, _LOW, _HIGH = 0, 2, 3, 4, 5, 6, 8


def read_evt3(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an EVT 3.0 file."""
    header = read_header(path)
    return Source(header.sensor, partial(_pieces, path, header.start, header.t0), header.odd)


def _pieces(path: Path, start: int, t0: int) -> Iterator[Columns]:
    decoder = _Decoder(t0)
    for words, byte in read_records(path, np.dtype("<u2"), start):
        yield decoder.decode(words, byte)


class _Decoder:
    """What the words so far have set."""

    def __init__(self, t0: int) -> None:
        self._t0 = t0
        self._counter = Counter(12)
        self._high, self._low, self._y = Held(), Held(), Held()
        self._base, self._polarity = Held(), Held()
        self._last_high = 0

    def decode(self, words: np.ndarray, byte: np.ndarray) -> Columns:
        """The events of the next words, which are at these bytes."""
        count = len(words)
        kind, content = (words >> 12).astype(np.uint8), (words & 0xFFF).astype(np.int32)
        long, short = kind == _VECTOR_12, kind == _VECTOR_8
        where = np.flatnonzero((kind == _X) | long | short)
        t = self._times(kind, content, where)
        rows = np.flatnonzero(kind == _Y)
        y = self._y.over(count, rows, content[rows] & 0x7FF)[where]

        # a vector starts at the x of its base plus the lengths of those since: x - lengths so far is held
        lengths = long * np.int8(12) + short * np.int8(8)
        so_far = np.cumsum(lengths, dtype=np.int32) - lengths
        bases = np.flatnonzero(kind == _BASE)
        base = self._base.over(count, bases, (content[bases] & 0x7FF) - so_far[bases])
        self._base.shift(int(so_far[-1]) + int(lengths[-1]))
        polarity = self._polarity.over(count, bases, content[bases] >> 11)

        alone, event = kind[where] == _X, content[where]
        x = np.where(alone, event & 0x7FF, (base + so_far)[where])
        p = np.where(alone, event >> 11, polarity[where])
        masks = np.where(alone, 1, np.where(short[where], event & 0xFF, event)).astype("<u2")
        pixel = np.flatnonzero(np.unpackbits(masks.view(np.uint8), bitorder="little").view(np.bool_))
        word = pixel >> 4
        x = x[word] + (pixel & 15)
        return {"t": t[word], "x": x, "y": y[word], "p": p[word], "byte": byte[where][word]}

    def _times(self, kind: np.ndarray, content: np.ndarray, where: np.ndarray) -> np.ndarray:
        count = len(kind)
        at = np.flatnonzero(kind == _HIGH)
        highs = self._counter.unwrap(content[at])
        high = self._high.over(count, at, highs)
        new = at[np.diff(highs, prepend=self._last_high) != 0]
        self._last_high = int(highs[-1]) if len(highs) else self._last_high
        sets = kind == _LOW
        sets[new] = True
        lows = np.flatnonzero(sets)
        low = self._low.over(count, lows, np.where(kind[lows] == _LOW, content[lows], 0))
        return (high[where] << 12) + low[where] + self._t0
