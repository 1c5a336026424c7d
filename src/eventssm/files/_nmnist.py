"""The 40-bit records of N-MNIST and N-Caltech101: x, y, one bit of polarity, 23 bits of time.

A record with y = 240 is no event: it says that the time went on by another 2^13 microseconds.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from eventssm.events import Sensor
from eventssm.files._format import Columns, Source
from eventssm.files._records import read_records
from eventssm.files._sensors import camera

_RECORD = np.dtype([("x", "u1"), ("y", "u1"), ("p_t", "u1", 3)])
_OVERFLOW_ROW = 240
_OVERFLOW = 1 << 13


def read_nmnist(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens a file of 40-bit records, of N-MNIST's 34 x 34 pixels unless a sensor is given."""
    return Source(camera(34, 34) if sensor is None else sensor, partial(_pieces, path))


def _pieces(path: Path) -> Iterator[Columns]:
    overflows = 0
    for records, byte in read_records(path, _RECORD, 0):
        high, middle, low = (records["p_t"][:, byte].astype(np.int64) for byte in range(3))
        mark = records["y"] == _OVERFLOW_ROW
        passed = overflows + np.cumsum(mark)
        overflows = int(passed[-1])
        t = ((high & 0x7F) << 16 | middle << 8 | low) + passed * _OVERFLOW
        columns = {"t": t, "x": records["x"], "y": records["y"], "p": high >> 7, "byte": byte}
        yield {name: column[~mark] for name, column in columns.items()} if mark.any() else columns
