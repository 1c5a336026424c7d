"""A look at what an HDF5 file says of rows of varying length, before its library believes it.

The library goes round for ever in a heap with a free object of size 0, which one damaged byte makes;
and it makes room for as many values as a row says that it has. The layouts are in the HDF5 File Format
Specification, sections III.E and VIII.A.
"""

import mmap
import struct
from pathlib import Path
from typing import Any

from eventssm import _checks

_MARK = b"GCOL\x01\0\0\0"
_HEAD = 16
_MOST = 1 << 28
_ENTRY = 16


def check_heaps(path: Path) -> None:
    """Refuse a file with a heap whose objects do not lead to its end; large files are not searched."""
    if not 0 < path.stat().st_size <= _MOST:
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = data.find(_MARK)
        while at >= 0:
            _check_heap(data, at)
            at = data.find(_MARK, at + 1)


def _check_heap(data: mmap.mmap, start: int) -> None:
    end = min(start + int.from_bytes(data[start + 8 : start + _HEAD], "little"), len(data))
    at = start + _HEAD
    while at + _HEAD <= end:
        number, size = struct.unpack("<H6xQ", data[at : at + _HEAD])
        step = _HEAD + -(-size // 8) * 8 if number else size
        _checks.check(
            0 < step <= end - at, f"heap at byte {at}", "an object that ends in it", f"{step} bytes"
        )
        at += step


def check_length(rows: Any, index: int) -> None:
    """Refuse a row of a data set whose stated length is more than the file could hold."""
    at = _entry(rows, index)
    if at is not None:
        path = Path(rows.file.filename)
        with path.open("rb") as file:
            file.seek(at)
            stated = int.from_bytes(file.read(4), "little")
        most = path.stat().st_size
        _checks.check(stated <= most, f"{rows.name}[{index}]", f"at most {most} values", stated)


def _entry(rows: Any, index: int) -> int | None:
    """Where in the file a row's length is; None where it is compressed or was never written."""
    if rows.chunks is None:
        start = rows.id.get_offset()
        return None if start is None else int(start) + index * _ENTRY
    if rows.id.get_create_plist().get_nfilters():
        return None
    number, inside = divmod(index, rows.chunks[0])
    start = rows.id.get_chunk_info_by_coord((number * rows.chunks[0],)).byte_offset
    return None if start is None else int(start) + inside * _ENTRY
