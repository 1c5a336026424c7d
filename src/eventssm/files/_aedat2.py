"""AEDAT 2.0, jAER's format: pairs of a big-endian 32-bit address and a 32-bit time in microseconds.

Addresses of a DVS128 hold polarity in bit 0 (set for OFF), x in bits 1-7, y in bits 8-14 and, in bits 15 and
31, marks of external events; those of a DAVIS polarity in bit 11 (set for ON), x in bits 12-21, y in bits
22-30 and, in bits 10 and 31, marks of what is not an event of a pixel. Both count x from the right and y from
the bottom: jAER mirrors x when it shows them and has its origin below, and here it is at the top left.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from eventssm import _checks
from eventssm.events import Sensor
from eventssm.files._counter import Counter
from eventssm.files._format import Columns, Source
from eventssm.files._header import header_lines
from eventssm.files._records import read_records
from eventssm.files._sensors import camera

_RECORD = np.dtype([("address", ">u4"), ("t", ">u4")])


@dataclass(frozen=True)
class _Layout:
    """Where an address holds what, and which bits say that it is no event of a pixel."""

    width: int
    height: int
    polarity: int
    on: int
    x: tuple[int, int]
    y: tuple[int, int]
    other: int


_DVS128 = _Layout(128, 128, 0, 0, (1, 0x7F), (8, 0x7F), (1 << 15) | (1 << 31))
_DAVIS = {
    "DAVIS240": (240, 180),
    "DAVIS128": (128, 128),
    "DAVIS208": (208, 192),
    "DAVIS346": (346, 260),
    "DAVIS640": (640, 480),
}


def read_aedat2(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an AEDAT 2.0 file; the line `AEChip` of its header says which camera made it."""
    lines, start = header_lines(path, b"#", end=b"#End Of ASCII Header")
    chip = next((line.partition(":")[2].strip() for line in lines if line.startswith("AEChip")), "")
    layout = _layout(chip, sensor)
    odd = () if chip else ("the header does not name the camera",)
    return Source(camera(layout.width, layout.height), partial(_pieces, path, start, layout), odd)


def _layout(chip: str, sensor: Sensor | None) -> _Layout:
    model = chip.rpartition(".")[2].upper().replace("_", "")
    if "DVS128" in model or (not chip and (sensor is None or sensor.width == 128)):
        return _DVS128
    size = next((size for name, size in _DAVIS.items() if name in model), None)
    if size is None and not chip and sensor is not None and sensor.is_camera:
        size = sensor.width or 0, sensor.height or 0
    if size is None:
        _checks.refuse("AEChip", "a DVS128 or a DAVIS", repr(chip))
    return _Layout(*size, 11, 1, (12, 0x3FF), (22, 0x1FF), (1 << 10) | (1 << 31))


def _pieces(path: Path, start: int, layout: _Layout) -> Iterator[Columns]:
    counter = Counter(32)
    for records, byte in read_records(path, _RECORD, start):
        address = records["address"].astype(np.int64)
        pixel = (address & layout.other) == 0
        columns = {
            "t": counter.unwrap(records["t"]),
            "x": layout.width - 1 - ((address >> layout.x[0]) & layout.x[1]),
            "y": layout.height - 1 - ((address >> layout.y[0]) & layout.y[1]),
            "p": ((address >> layout.polarity) & 1) == layout.on,
            "byte": byte,
        }
        yield columns if pixel.all() else {name: column[pixel] for name, column in columns.items()}
