"""EVT 2.0 and 2.1, Prophesee's words of 32 and of 64 bits, as its documentation gives them.

From the top: 4 bits of kind (0 OFF, 1 ON, 8 time), 6 bits of time, 11 of x, 11 of y. EVT 2.1 has 32 more bits
below, one for each of the pixels from x on. A word of time holds the 28 bits above those 6. Words of other
kinds are triggers and counts, and are left out.
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

_LOW = 6
_TIME = 8
_HIGH = 0x0FFF_FFFF


def read_evt2(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an EVT 2.0 file."""
    header = read_header(path)
    return Source(header.sensor, partial(_pieces, path, header.start, header.t0), header.odd)


def read_evt21(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an EVT 2.1 file; where its header says `endianness=legacy`, the upper half of a word is first."""
    header = read_header(path)
    legacy = "endianness=legacy" in header.fields.get("format", "")
    halves = ("upper", "lower") if legacy else ("lower", "upper")
    pieces = partial(_vector_pieces, path, header.start, header.t0, halves)
    return Source(header.sensor, pieces, header.odd)


def _pieces(path: Path, start: int, t0: int) -> Iterator[Columns]:
    clock = _Clock(t0)
    for words, byte in read_records(path, np.dtype("<u4"), start):
        yield _decoded(words, byte, clock)


def _vector_pieces(path: Path, start: int, t0: int, halves: tuple[str, str]) -> Iterator[Columns]:
    clock = _Clock(t0)
    record = np.dtype([(half, "<u4") for half in halves])
    for words, byte in read_records(path, record, start):
        columns = _decoded(words["upper"], byte, clock)
        masks = words["lower"][words["upper"] >> 28 <= 1].astype("<u4")
        event = np.flatnonzero(np.unpackbits(masks.view(np.uint8), bitorder="little"))
        columns = {name: column[event >> 5] for name, column in columns.items()}
        yield columns | {"x": columns["x"] + (event & 31)}


class _Clock:
    """The time that words of time have set."""

    def __init__(self, t0: int) -> None:
        self._high = Held()
        self._counter = Counter(28)
        self._t0 = t0

    def at(self, words: np.ndarray, where: np.ndarray) -> np.ndarray:
        """Microseconds at the words `where`, without their own lowest bits."""
        at = np.flatnonzero(words >> 28 == _TIME)
        highs = self._counter.unwrap(words[at] & _HIGH)
        return (self._high.over(len(words), at, highs)[where] << _LOW) + self._t0


def _decoded(words: np.ndarray, byte: np.ndarray, clock: _Clock) -> Columns:
    where = np.flatnonzero(words >> 28 <= 1)
    events = words[where]
    return {
        "t": clock.at(words, where) + ((events >> 22) & 0x3F),
        "x": (events >> 11) & 0x7FF,
        "y": events & 0x7FF,
        "p": events >> 28,
        "byte": byte[where],
    }
