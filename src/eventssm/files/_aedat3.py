"""AEDAT 3.1, cAER's format, that of DVS128 Gesture: little-endian packets of events of one type.

A packet's header says type, source, size of an event, offset of its time, how often the 31-bit times have
started again, and numbers of events. A polarity event holds, from bit 0 on: a mark of validity, polarity,
15 bits of y from the top, 15 bits of x.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from eventssm import _checks
from eventssm.events import Sensor
from eventssm.files._format import Columns, Source
from eventssm.files._header import header_lines
from eventssm.files._sensors import camera

_HEADER = np.dtype(
    [("type", "<i2"), ("source", "<i2")]
    + [(name, "<i4") for name in ("size", "offset", "overflow", "capacity", "number", "valid")]
)
_EVENT = np.dtype([("data", "<u4"), ("t", "<i4")])
_POLARITY = 1
_AT_ONCE = 1 << 18
_SIZES = {
    "DVS128": (128, 128),
    "DAVIS240": (240, 180),
    "DAVIS128": (128, 128),
    "DAVIS208": (208, 192),
    "DAVIS346": (346, 260),
    "DAVIS640": (640, 480),
}


def read_aedat3(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an AEDAT 3.1 file; its `Source` lines say which camera made it."""
    lines, start = header_lines(path, b"#", end=b"#!END-HEADER")
    _checks.check(
        any(line.startswith("!END-HEADER") for line in lines), "header", "a line #!END-HEADER", "its end"
    )
    raw = next((line.partition(":")[2].strip() for line in lines if line.startswith("Format")), "RAW")
    _checks.check(raw == "RAW", "Format", "RAW", raw)
    sources = " ".join(line for line in lines if re.match(r"Source \d+:", line)).upper()
    size = next((size for name, size in _SIZES.items() if name in sources.replace(" ", "")), None)
    return Source(camera(*size) if size else None, partial(_pieces, path, start))


def _pieces(path: Path, start: int) -> Iterator[Columns]:
    length = path.stat().st_size
    source: int | None = None
    with path.open("rb") as file:
        file.seek(start)
        at = start
        while at < length:
            header = _packet_header(file, at, length)
            body = at + _HEADER.itemsize
            if header["type"] == _POLARITY:
                right = header["size"] == _EVENT.itemsize
                _checks.check(right, f"event size at byte {at}", str(_EVENT.itemsize), header["size"])
                source = int(header["source"]) if source is None else source
                _checks.check(
                    header["source"] == source, f"source at byte {at}", f"{source} alone", header["source"]
                )
                for first in range(0, int(header["number"]), _AT_ONCE):
                    count = min(_AT_ONCE, int(header["number"]) - first)
                    records = np.frombuffer(file.read(count * _EVENT.itemsize), _EVENT)
                    yield _columns(records, int(header["overflow"]), body + first * _EVENT.itemsize)
            at = body + int(header["number"]) * int(header["size"])
            file.seek(at)


def _packet_header(file: BinaryIO, at: int, length: int) -> np.void:
    data = file.read(_HEADER.itemsize)
    _checks.check(
        len(data) == _HEADER.itemsize, f"byte {at}", "a packet header of 28 bytes", f"{len(data)} bytes"
    )
    header: np.void = np.frombuffer(data, _HEADER)[0]
    for name in ("type", "size", "overflow", "number"):
        least = 1 if name == "size" else 0
        _checks.check(header[name] >= least, f"packet {name} at byte {at}", f"at least {least}", header[name])
    left = length - at - _HEADER.itemsize
    need = int(header["number"]) * int(header["size"])
    _checks.check(need <= left, f"packet at byte {at}", f"at most {left} bytes of events", f"{need}")
    return header


def _columns(records: np.ndarray, overflow: int, at: int) -> Columns:
    data = records["data"]
    valid = (data & 1) == 1
    early = valid & (records["t"] < 0)
    _checks.check_every(~early, f"t of the events at byte {at}", "a time >= 0", records["t"])
    columns = {
        "t": records["t"].astype(np.int64) + (overflow << 31),
        "x": data >> 17,
        "y": (data >> 2) & 0x7FFF,
        "p": (data >> 1) & 1,
        "byte": at + _EVENT.itemsize * np.arange(len(records)),
    }
    return columns if valid.all() else {name: column[valid] for name, column in columns.items()}
