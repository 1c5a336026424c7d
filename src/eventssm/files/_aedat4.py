"""AEDAT 4.0, DV's format: a header of XML, then packets of streams, each compressed, of FlatBuffers.

faery 0.7 reads it too, but damaged bytes can make it end the whole process, or make room for gigabytes.
"""

import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from eventssm import _checks
from eventssm.events import Sensor
from eventssm.files._flatbuffer import Table
from eventssm.files._format import Columns, Source
from eventssm.files._sensors import camera

_MAGIC = b"#!AER-DAT4.0\r\n"
_LONGEST_HEADER = 1 << 24
_LARGEST_PACKET = 1 << 28
_AT_ONCE = 1 << 20
_EVENT = np.dtype(
    {
        "names": ["t", "x", "y", "p"],
        "formats": ["<i8", "<i2", "<i2", "u1"],
        "offsets": [0, 8, 10, 12],
        "itemsize": 16,
    }
)
_COMPRESSION, _TABLE, _INFO = range(3)
_PLAIN, _LZ4, _LZ4_HIGH, _ZSTD, _ZSTD_HIGH = range(5)
_EVENTS = "EVTS"
_OTHERS = {"FRME": "frames", "IMUS": "motion", "TRIG": "triggers"}


@dataclass(frozen=True)
class _Stream:
    """What the header says of a stream."""

    number: int
    kind: str
    size: tuple[int, int] | None


def read_aedat4(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens an AEDAT4 file; `index` is the number of one of its streams of events, 0 unless given."""
    with path.open("rb") as file:
        header, start = _header(file, path.stat().st_size)
    compression = header.number(_COMPRESSION, "<i", _PLAIN)
    _checks.check(_PLAIN <= compression <= _ZSTD_HIGH, "compression", "0 to 4", compression)
    end = header.number(_TABLE, "<q", -1)
    every = _streams(bytes(header.vector(_INFO, 1)))
    streams = [stream for stream in every if stream.kind == _EVENTS]
    chosen = 0 if index is None else index
    _checks.check(chosen < len(streams), "index", f"0 <= index < {len(streams)} streams of events", chosen)
    others = sorted({_OTHERS.get(stream.kind, stream.kind) for stream in every} - {_EVENTS})
    odd = [f"streams of {', '.join(others)} are left out"] if others else []
    if index is None and len(streams) > 1:
        odd.append(f"the first of {len(streams)} streams of events; --index takes another")
    stream = streams[chosen]
    pieces = partial(_pieces, path, start, end, stream.number, compression)
    return Source(camera(*stream.size) if stream.size else None, pieces, tuple(odd))


def _header(file: BinaryIO, length: int) -> tuple[Table, int]:
    """The header, and the offset of the first packet."""
    start = file.read(len(_MAGIC) + 4)
    _checks.check(len(start) == len(_MAGIC) + 4, "header", f"{len(_MAGIC) + 4} bytes", len(start))
    _checks.check(start.startswith(_MAGIC), "header", repr(_MAGIC)[1:], repr(start[: len(_MAGIC)])[1:])
    prefix = start[len(_MAGIC) :]
    size = int.from_bytes(prefix, "little")
    most = min(length - len(start), _LONGEST_HEADER)
    _checks.check(size <= most, f"header at byte {len(_MAGIC)}", f"at most {most} bytes", size)
    return Table(prefix + file.read(size), "header"), len(start) + size


def _streams(info: bytes) -> list[_Stream]:
    """The streams that a header's XML names."""
    try:
        root = ElementTree.fromstring(info)
    except (ElementTree.ParseError, ValueError, LookupError) as problem:
        _checks.refuse("header", "XML that names the streams", " ".join(str(problem).split())[:120])
    streams = []
    for node in root.findall("./node[@name='outInfo']/node"):
        name = node.get("name", "")
        _checks.check(name.isascii() and name.isdigit(), "header", "a stream's number", repr(name[:40]))
        size = [_attribute(node.find("node[@name='info']"), side) for side in ("sizeX", "sizeY")]
        known = all(side.isascii() and side.isdigit() and len(side) <= 5 for side in size)
        kind = _attribute(node, "typeIdentifier")
        streams.append(_Stream(int(name[:9]), kind[:40], (int(size[0]), int(size[1])) if known else None))
    return streams


def _attribute(node: ElementTree.Element | None, key: str) -> str:
    found = None if node is None else node.find(f"attr[@key='{key}']")
    return "" if found is None else (found.text or "").strip()


def _pieces(path: Path, start: int, end: int, stream: int, compression: int) -> Iterator[Columns]:
    length = path.stat().st_size
    _checks.check(end == -1 or start <= end <= length, "table of packets", f"byte {start} to {length}", end)
    with path.open("rb") as file:
        at, stop = start, length if end == -1 else end
        while at < stop:
            file.seek(at)
            head = file.read(min(8, stop - at))
            _checks.check(len(head) == 8, f"byte {at}", "a packet header of 8 bytes", f"{len(head)} bytes")
            number, size = (int.from_bytes(head[i : i + 4], "little", signed=True) for i in (0, 4))
            left = stop - at - 8
            _checks.check(0 <= size <= left, f"packet at byte {at}", f"at most {left} bytes", size)
            if number == stream:
                with _checks.about(f"packet at byte {at}"):
                    table = Table(_decompressed(file.read(size), compression), "packet")
                    events = np.frombuffer(table.vector(0, _EVENT.itemsize), _EVENT)
                if len(events):
                    yield {name: events[name] for name in ("t", "x", "y", "p")} | {
                        "byte": np.full(len(events), at)
                    }
            at += 8 + size


def _decompressed(data: bytes, compression: int) -> bytes:
    """A packet's bytes, of which there may be 256 MiB, whatever the compressed ones say."""
    if compression == _PLAIN:
        return data
    parts, total = [], 0
    try:
        for part in _unzstd(data) if compression in (_ZSTD, _ZSTD_HIGH) else _unlz4(data):
            parts.append(part)
            total += len(part)
            _checks.check(total <= _LARGEST_PACKET, "packet", f"at most {_LARGEST_PACKET} bytes", "more")
    except (RuntimeError, EOFError, ValueError, MemoryError, zlib.error) as problem:
        if isinstance(problem, _checks.InputError):
            raise
        _checks.refuse("packet", "compressed bytes", " ".join(str(problem).split())[:120])
    return b"".join(parts)


def _unlz4(data: bytes) -> Iterator[bytes]:
    from lz4.frame import LZ4FrameDecompressor

    decompressor = LZ4FrameDecompressor()
    part = decompressor.decompress(data, max_length=_AT_ONCE)
    while part or not decompressor.eof:
        yield part
        if decompressor.eof:
            return
        part = decompressor.decompress(b"", max_length=_AT_ONCE)
        _checks.check(bool(part) or decompressor.eof, "packet", "a whole LZ4 frame", "one cut short")


def _unzstd(data: bytes) -> Iterator[bytes]:
    import zstandard

    try:
        with zstandard.ZstdDecompressor(max_window_size=_LARGEST_PACKET).stream_reader(data) as reader:
            while part := reader.read(_AT_ONCE):
                yield part
    except zstandard.ZstdError as problem:
        raise ValueError(str(problem)) from problem
