"""A look at what an HDF5 file says of rows of varying length, before its library believes it.

The library goes round for ever in a heap with a free object of size 0, which one damaged byte makes; it makes
room for as many values as a row says that it has, and copies as many as the heap has for it into that room.
The layouts are in the HDF5 File Format Specification, sections III.E and VIII.A.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from eventssm import _checks

_MARK = b"GCOL\x01\0\0\0"
_HEAD = 16
_MOST = 1 << 32
_AT_ONCE = 1 << 24
_ENTRY = struct.Struct("<IQI")
_NEAR = 96
_GZIP, _SHUFFLE = 1, 2


def check_heaps(path: Path) -> None:
    """Refuse a file with a heap whose objects do not lead to its end; files over 4 GiB are not searched."""
    length = path.stat().st_size
    if length > _MOST:
        return
    with path.open("rb") as file:
        for start in _places(path, _MARK):
            for _ in _objects(file, start, length):
                pass


def check_text(path: Path, name: str) -> None:
    """Refuse a noted text of varying length that is not as long as what the heap has for it.

    What follows the name, and says where the text is, is not shown by the library: it is what has the
    address of a heap in it.
    """
    heaps = set(_places(path, _MARK))
    length = path.stat().st_size
    known = False
    with path.open("rb") as file:
        for place in _places(path, name.encode()):
            file.seek(place)
            after = file.read(_NEAR)
            for at in range(len(after) - _ENTRY.size + 1):
                count, heap, number = _ENTRY.unpack_from(after, at)
                if heap in heaps:
                    there = _object_size(file, heap, number, length)
                    _checks.check(count == there, name, f"the {there} bytes that are there for it", count)
                    known = True
    _checks.check(known, name, "a text that is there", "none")


def check_row(rows: Any, index: int) -> None:
    """Refuse a row of a data set that is not as long as what the heap has for it."""
    import h5py

    # of a type of varying length that is neither sequence nor string, the library follows a null pointer
    sequence = h5py.check_vlen_dtype(rows.dtype) is not None and not rows.id.get_type().encode()[3] & 0xF
    _checks.check(sequence and rows.ndim == 1, rows.name, "rows of varying length", rows.dtype)
    name = f"{rows.name}[{index}]"
    sizes = rows.file.id.get_create_plist().get_sizes()
    _checks.check(sizes == (8, 8), name, "addresses of 8 bytes", sizes)
    path = Path(rows.file.filename)
    with path.open("rb") as file:
        entry = _entry(rows, index, file)
        if entry is None:
            return
        count, heap, number = _ENTRY.unpack(entry)
        if heap == 0:  # a row without values, whatever the count says
            return
        there = _object_size(file, heap + rows.file.userblock_size, number, path.stat().st_size)
    said = count * rows.id.get_type().get_super().get_size()
    _checks.check(said == there, name, f"the {there} bytes that are there for it", said)


def _places(path: Path, mark: bytes) -> Iterator[int]:
    """Where in a file these bytes are."""
    with path.open("rb") as file:
        start, before = 0, b""
        while data := file.read(_AT_ONCE):
            data = before + data
            at = data.find(mark)
            while at >= 0:
                yield start + at
                at = data.find(mark, at + 1)
            before = data[1 - len(mark) :]
            start += len(data) - len(before)


def _objects(file: BinaryIO, start: int, length: int) -> Iterator[tuple[int, int]]:
    """Number and size of every object of a heap, each of which must end in it."""
    file.seek(start)
    head = file.read(_HEAD)
    right = len(head) == _HEAD and head.startswith(_MARK)
    _checks.check(right, f"byte {start}", "a heap", head[:8].hex() or "the end")
    end = min(start + int.from_bytes(head[8:], "little"), length)
    at = start + _HEAD
    while at + _HEAD <= end:
        file.seek(at)
        number, size = struct.unpack("<H6xQ", file.read(_HEAD))
        step = _HEAD + -(-size // 8) * 8 if number else size
        _checks.check(
            0 < step <= end - at, f"heap at byte {at}", "an object that ends in it", f"{step} bytes"
        )
        yield number, size
        at += step


def _object_size(file: BinaryIO, start: int, number: int, length: int) -> int:
    _checks.check(start < length, "heap", f"one before the file's end at byte {length}", f"byte {start}")
    sizes = [size for found, size in _objects(file, start, length) if found == number]
    _checks.check(len(sizes) == 1, f"heap at byte {start}", f"one object {number}", len(sizes))
    return int(sizes[0])


def _entry(rows: Any, index: int, file: BinaryIO) -> bytes | None:
    """A row in the data set: length, heap, object; None where it was never written or cannot be seen."""
    if rows.chunks is None:
        start = rows.id.get_offset()
        return None if start is None else _read(file, start + index * _ENTRY.size)
    number, inside = divmod(index, rows.chunks[0])
    corner = (number * rows.chunks[0],)
    plist = rows.id.get_create_plist()
    filters = [plist.get_filter(n)[0] for n in range(plist.get_nfilters())]
    start = rows.id.get_chunk_info_by_coord(corner).byte_offset
    if start is None or not set(filters) <= {_GZIP, _SHUFFLE}:
        return None
    if not filters:
        return _read(file, start + inside * _ENTRY.size)
    skipped, stored = rows.id.read_direct_chunk(corner)
    return _decoded(stored, filters, skipped, rows.chunks[0])[inside * _ENTRY.size :][: _ENTRY.size]


def _read(file: BinaryIO, start: int) -> bytes:
    file.seek(start)
    data = file.read(_ENTRY.size)
    _checks.check(len(data) == _ENTRY.size, f"byte {start}", "a row", "the end")
    return data


def _decoded(stored: bytes, filters: list[int], skipped: int, rows: int) -> bytes:
    """A chunk of entries before its filters."""
    size = rows * _ENTRY.size
    for number, kind in reversed(list(enumerate(filters))):
        if skipped >> number & 1:
            continue
        if kind == _GZIP:
            stored = zlib.decompressobj().decompress(stored, size)
        else:
            stored = np.frombuffer(stored, np.uint8).reshape(_ENTRY.size, -1).T.tobytes()
    _checks.check(len(stored) == size, "chunk of rows", f"{size} bytes", len(stored))
    return stored
