"""DAT, Prophesee's older format: pairs of a 32-bit time in microseconds and a 32-bit address.

From bit 0 on, version 2 has 14 bits of x, 14 of y and 4 of polarity; version 1 has 9, 8 and 1.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from eventssm import _checks
from eventssm.events import Sensor
from eventssm.files._counter import Counter
from eventssm.files._format import Columns, Source
from eventssm.files._prophesee import read_header
from eventssm.files._records import read_records

_RECORD = np.dtype([("t", "<u4"), ("address", "<u4")])
_BITS = {"1": (9, 8, 1), "2": (14, 14, 4)}
_KINDS = (0x00, 0x0C)


def read_dat(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens a DAT file of version 1, or of version 2, which one without a version is taken for."""
    header = read_header(path)
    version = header.fields.get("version", "2")
    _checks.check_choice(version, _BITS, "Version")
    with path.open("rb") as file:
        file.seek(header.start)
        kind = file.read(2)
    right = len(kind) == 2 and kind[0] in _KINDS and kind[1] == _RECORD.itemsize
    none = header.start > 0 and not kind
    _checks.check(
        right or none, f"byte {header.start}", "events of a camera in 8 bytes each (0c08)", kind.hex()
    )
    pieces = partial(_pieces, path, header.start + 2, header.t0, _BITS[version])
    return Source(header.sensor, pieces, header.odd)


def _pieces(path: Path, start: int, t0: int, bits: tuple[int, int, int]) -> Iterator[Columns]:
    counter = Counter(32)
    x, y, p = bits
    for records, byte in read_records(path, _RECORD, start):
        address = records["address"]
        yield {
            "t": counter.unwrap(records["t"]) + t0,
            "x": address & ((1 << x) - 1),
            "y": (address >> x) & ((1 << y) - 1),
            "p": (address >> (x + y)) & ((1 << p) - 1) != 0,
            "byte": byte,
        }
