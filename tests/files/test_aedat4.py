"""AEDAT 4.0: packets by hand, and beside faery's reader."""

import struct

import numpy as np
import pytest

import eventssm as es
from eventssm import InputError
from eventssm.files._flatbuffer import Table
from tests.files.samples import CAMERA, random_events

XML = """<dv version="2.0"><node name="outInfo" path="/outInfo/">{}</node></dv>"""
STREAM = """<node name="{}"><attr key="typeIdentifier" type="string">{}</attr><node name="info">
<attr key="sizeX" type="int">64</attr><attr key="sizeY" type="int">48</attr></node></node>"""


def table(fields: list[bytes], identifier: bytes) -> bytes:
    """A size-prefixed FlatBuffer: the fields' values or, where longer than eight bytes, offsets to them."""
    entries = struct.pack("<HH", 4 + 2 * len(fields), 4 + 8 * len(fields))
    entries += b"".join(struct.pack("<H", 4 + 8 * number) for number in range(len(fields)))
    entries += bytes(-len(entries) % 8 + 4)
    start = 8 + len(entries)
    body, tail = struct.pack("<i", len(entries)), b""
    for number, field in enumerate(fields):
        place = start + 4 + 8 * number
        if len(field) <= 8:
            body += field.ljust(8, b"\0")
        else:
            body += struct.pack("<I4x", start + 4 + 8 * len(fields) + len(tail) - place)
            tail += field
    data = struct.pack("<I", start) + identifier + entries + body + tail
    return struct.pack("<I", len(data)) + data


def vector(data: bytes, count: int) -> bytes:
    return struct.pack("<I", count) + data + bytes(9)


def event_packet(rows: list[tuple[int, int, int, bool]], count: int | None = None) -> bytes:
    data = b"".join(struct.pack("<qhhB3x", *row) for row in rows)
    return table([vector(data, len(rows) if count is None else count)], b"EVTS")


def packet(stream: int, data: bytes) -> bytes:
    return struct.pack("<ii", stream, len(data)) + data


def aedat4(*packets: bytes, xml: str | None = None, compression: int = 0, end: int = -1) -> bytes:
    text = (XML.format(STREAM.format(0, "EVTS") + STREAM.format(1, "FRME")) if xml is None else xml).encode()
    header = [struct.pack("<i", compression), struct.pack("<q", end), vector(text, len(text))]
    return b"#!AER-DAT4.0\r\n" + table(header, b"IOHE") + b"".join(packets)


START = len(aedat4())
ROWS = [(2**40, 63, 47, True), (2**40, 0, 1, False), (2**40 + 5, 7, 8, True)]


@pytest.mark.parametrize("compression", range(5))
def test_packets(tmp_path, compression):
    import lz4.frame
    import zstandard

    press = {0: bytes, 1: lz4.frame.compress, 2: lz4.frame.compress}.get(compression, zstandard.compress)
    parts = [event_packet(ROWS[:2]), b"no events", event_packet([]), event_packet(ROWS[2:])]
    packets = [packet(number == 1, press(part)) for number, part in enumerate(parts)]
    whole = aedat4(*packets, compression=compression)
    (tmp_path / "a.aedat4").write_bytes(whole)
    file = es.open(tmp_path / "a.aedat4")
    events = file.read()
    assert events.sensor.name == "64x48" and events.t.tolist() == [row[0] for row in ROWS]
    assert list(zip(events.x.tolist(), events.y.tolist(), events.p.tolist(), strict=True)) == [
        r[1:] for r in ROWS
    ]
    assert file.source.odd == ("streams of frames are left out",)
    (tmp_path / "a.aedat4").write_bytes(
        aedat4(*packets, compression=compression, end=len(whole)) + b"a table"
    )
    assert es.read(tmp_path / "a.aedat4") == events


def test_streams_by_number(tmp_path):
    xml = XML.format(STREAM.format(3, "EVTS") + STREAM.format(12, "EVTS"))
    data = aedat4(packet(3, event_packet(ROWS[:1])), packet(12, event_packet(ROWS[1:])), xml=xml)
    (tmp_path / "a.aedat4").write_bytes(data)
    assert [len(es.read(tmp_path / "a.aedat4", index=index)) for index in (None, 0, 1)] == [1, 1, 2]
    assert "first of 2 streams of events" in es.open(tmp_path / "a.aedat4").source.odd[0]
    with pytest.raises(InputError, match="index: expected 0 <= index < 2 streams of events, got 2"):
        es.read(tmp_path / "a.aedat4", index=2)


def test_as_faery_reads(tmp_path):
    import faery

    es.write(random_events(count=5000), tmp_path / "a.aedat4")
    theirs = faery.events_stream_from_file(tmp_path / "a.aedat4").to_array()
    assert es.read(tmp_path / "a.aedat4") == es.Events.from_structured(
        np.rec.fromarrays([theirs["t"], theirs["x"], theirs["y"], theirs["on"]], names="t,x,y,p"), CAMERA
    )


AT = f"packet at byte {START}: "
GOOD = packet(0, event_packet(ROWS))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (aedat4(GOOD)[:-1], AT + f"expected at most {len(GOOD) - 9} bytes, got {len(GOOD) - 8}"),
        (aedat4(GOOD + b"abc"), f"byte {START + len(GOOD)}: expected a packet header of 8 .* got 3 bytes"),
        (aedat4(struct.pack("<ii", 0, -1)), AT + "expected at most 0 bytes, got -1"),
        (aedat4(packet(0, event_packet(ROWS, 2**31))), AT + f"packet: .* got {2**35}"),
        (aedat4(packet(0, b"\xff" * 40)), AT + f"packet: expected 36 bytes, got {2**32 - 1}"),
        (aedat4(packet(0, b"")), AT + "packet: expected an offset within 0 bytes, got 0"),
        (aedat4(packet(0, b"plain" * 9), compression=1), AT + "packet: expected compressed bytes"),
        (aedat4(packet(0, b"plain" * 9), compression=3), AT + "packet: expected compressed bytes"),
        (aedat4(GOOD, compression=5), "compression: expected 0 to 4, got 5"),
        (aedat4(GOOD, end=2**40), f"table of packets: expected byte {START} to .*, got {2**40}"),
        (aedat4(packet(0, event_packet([(1, 64, 0, True)]))), rf"x\[0\]: .* got 64 \(byte {START}\)"),
        (aedat4(packet(0, event_packet([(1, 1, -1, True)]))), rf"y\[0\]: .* got -1 \(byte {START}\)"),
        (aedat4(packet(0, event_packet([(1, 1, 1, 2)]))), r"p\[0\]: expected 0 or 1, got 2"),
        (aedat4(packet(0, event_packet(ROWS[::-1]))), rf"t\[1\]: .* >= {2**40 + 5} .*byte {START}\)"),
        (aedat4(xml=XML.format(STREAM.format(1, "FRME"))), "index: expected 0 <= index < 0 streams"),
        (aedat4(xml=XML.format(STREAM.format("a", "EVTS"))), "header: expected a stream's number, got 'a'"),
        (aedat4(xml="no XML, but long enough"), "header: expected XML that names .* got syntax error"),
        (b"#!AER-DAT4.0\r\n" + struct.pack("<I", 2**31), f"header at byte 14: .* got {2**31}"),
        (b"#!AER-DAT4.0\r\n\1", "header: expected 18 bytes, got 15"),
    ],
)  # fmt: skip
def test_damage(tmp_path, data, complaint):
    (tmp_path / "a.aedat4").write_bytes(data)
    with pytest.raises(InputError, match=complaint):
        es.read(tmp_path / "a.aedat4")


@pytest.mark.parametrize("compression", [1, 3])
def test_a_packet_that_swells_is_refused(tmp_path, compression):
    """300 MiB of zeros, in a few kilobytes."""
    import lz4.frame
    import zstandard

    zeros = bytes(300 << 20)
    data = lz4.frame.compress(zeros) if compression == 1 else zstandard.compress(zeros)
    del zeros
    (tmp_path / "a.aedat4").write_bytes(aedat4(packet(0, data), compression=compression))
    with pytest.raises(InputError, match="packet: expected at most 268435456 bytes, got more"):
        es.read(tmp_path / "a.aedat4")


def test_a_compressed_packet_cut_short(tmp_path):
    import lz4.frame
    import zstandard

    for compression, press in ((1, lz4.frame.compress), (3, zstandard.compress)):
        data = press(event_packet(ROWS * 99))
        (tmp_path / "a.aedat4").write_bytes(aedat4(packet(0, data[:-9]), compression=compression))
        with pytest.raises(InputError, match=rf"packet at byte {START}: packet: expected "):
            es.read(tmp_path / "a.aedat4")


def test_fields_that_a_table_leaves_out():
    empty = Table(table([], b"EVTS"), "packet")
    assert empty.number(0, "<i", 7) == 7 and bytes(empty.vector(3, 16)) == b""
