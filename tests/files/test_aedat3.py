"""AEDAT 3.1, the form of DVS128 Gesture."""

import numpy as np
import pytest

import eventssm as es
from eventssm import InputError
from eventssm.files import read_columns
from tests.files.samples import aedat3_bytes, packet, polarity

START = len(aedat3_bytes())


def header(kind=1, source=1, size=8, offset=4, overflow=0, capacity=1, number=1, valid=1) -> bytes:
    counts = np.array([size, offset, overflow, capacity, number, valid], "<i4")
    return np.array([kind, source], "<i2").tobytes() + counts.tobytes()


def test_packets(tmp_path):
    first = [
        (polarity(127, 0, True), 5),
        (polarity(9, 9, True, valid=False), 6),
        (polarity(0, 127, False), 7),
    ]
    frames = np.array([2, 1], "<i2").tobytes() + np.array([100, 4, 0, 1, 1, 1], "<i4").tobytes() + bytes(100)
    parts = (
        packet(1, first),
        packet(0, [(3, 9)]),
        frames,
        packet(1, []),
        packet(1, [(polarity(1, 2, True), 8)]),
    )
    (tmp_path / "a.aedat").write_bytes(aedat3_bytes(*parts))
    events = es.read(tmp_path / "a.aedat")
    assert (events.sensor.name, events.t.tolist()) == ("128x128", [5, 7, 8])
    assert (events.x.tolist(), events.y.tolist()) == ([127, 0, 1], [0, 127, 2])
    assert events.p.tolist() == [True, False, True]


def test_times_that_started_again(tmp_path):
    parts = [
        packet(1, [(polarity(1, 1, True), t)], overflow) for overflow, t in ((0, 2**31 - 1), (1, 0), (2, 5))
    ]
    (tmp_path / "a.aedat").write_bytes(aedat3_bytes(*parts))
    assert es.read(tmp_path / "a.aedat").t.tolist() == [2**31 - 1, 2**31, 2**32 + 5]


@pytest.mark.parametrize(
    ("source", "size"), [("DAVIS240C", (240, 180)), ("DAVIS346B", (346, 260)), ("DAViS640", (640, 480))]
)
def test_other_cameras(tmp_path, source, size):
    (tmp_path / "a.aedat").write_bytes(
        aedat3_bytes(packet(1, [(polarity(130, 129, True), 5)]), source=source)
    )
    sensor = es.read(tmp_path / "a.aedat").sensor
    assert (sensor.width, sensor.height) == size


def test_an_unknown_camera_must_be_given(tmp_path):
    (tmp_path / "a.aedat").write_bytes(aedat3_bytes(packet(1, []), source="EYE9"))
    with pytest.raises(InputError, match="sensor: expected one to be given"):
        es.read(tmp_path / "a.aedat")


def test_columns_as_they_stand(tmp_path):
    """DVS128 Gesture has trials whose times step back; its loader sorts them."""
    words = [(polarity(1, 1, True), 9), (polarity(2, 1, False), 8)]
    (tmp_path / "a.aedat").write_bytes(aedat3_bytes(packet(1, words)))
    columns = read_columns(tmp_path / "a.aedat")
    assert {name: column.tolist() for name, column in columns.items()} == {
        "t": [9, 8], "x": [1, 2], "y": [1, 1], "p": [1, 0],
    }  # fmt: skip
    with pytest.raises(InputError, match=rf"t\[1\]: expected a time >= 9 .* got 8 \(byte {START + 36}\)"):
        es.read(tmp_path / "a.aedat")
    dropped = es.open(tmp_path / "a.aedat", backwards="drop")
    assert (len(dropped.read()), dropped.dropped) == (1, 1)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (header()[:-1], f"byte {START}: expected a packet header of 28 bytes, got 27 bytes"),
        (header(number=2) + bytes(8), f"packet at byte {START}: expected at most 8 bytes of events, got 16"),
        (header(number=2**31 - 1, size=2**31 - 1), rf"packet at byte {START}: .* got {(2**31 - 1) ** 2}"),
        (header(number=-1), f"packet number at byte {START}: expected at least 0, got -1"),
        (header(size=0), f"packet size at byte {START}: expected at least 1, got 0"),
        (header(kind=-7), f"packet type at byte {START}: expected at least 0, got -7"),
        (header(overflow=-1), f"packet overflow at byte {START}: expected at least 0, got -1"),
        (header(size=12) + bytes(12), f"event size at byte {START}: expected 8, got 12"),
        (packet(1, []) + packet(1, [], source=2), rf"source at byte {START + 28}: expected 1 alone, got 2"),
        (packet(1, [(1, 2**31)]), rf"t of the events at byte {START + 28}\[0\]: .*, got -2147483648"),
        (
            packet(1, [(polarity(128, 0, True), 1)]),
            rf"x\[0\]: .* 0 <= x < 128, got 128 \(byte {START + 28}\)",
        ),
    ],
)
def test_damage(tmp_path, data, complaint):
    (tmp_path / "a.aedat").write_bytes(aedat3_bytes() + data)
    with pytest.raises(InputError, match=complaint):
        es.read(tmp_path / "a.aedat")


def test_headers_that_are_not_whole(tmp_path):
    (tmp_path / "a.aedat").write_bytes(b"#!AER-DAT3.1\r\n#Source 1: DVS128\r\n")
    with pytest.raises(InputError, match="header: expected a line #!END-HEADER, got its end"):
        es.read(tmp_path / "a.aedat")
    (tmp_path / "a.aedat").write_bytes(b"#!AER-DAT3.1\r\n#Format: SERIALIZED\r\n#!END-HEADER\r\n")
    with pytest.raises(InputError, match="Format: expected RAW, got SERIALIZED"):
        es.read(tmp_path / "a.aedat")
