"""EVT 2.0 and 2.1, word by word."""

import numpy as np
import pytest

import eventssm as es
from eventssm import InputError, Sensor
from tests.files.samples import evt2_bytes, evt21_bytes

TIME = 8 << 28


def event(on: int, low: int, x: int, y: int) -> int:
    return on << 28 | low << 22 | x << 11 | y


def rows(events):
    return list(zip(events.t.tolist(), events.x.tolist(), events.y.tolist(), events.p.tolist(), strict=True))


def test_words(tmp_path):
    words = [
        TIME | 3,
        event(1, 5, 60, 47),
        event(0, 63, 0, 1),
        10 << 28 | 99,
        TIME | 4,
        14 << 28,
        event(1, 0, 7, 8),
    ]
    (tmp_path / "a.raw").write_bytes(evt2_bytes(words))
    assert rows(es.read(tmp_path / "a.raw")) == [(197, 60, 47, True), (255, 0, 1, False), (256, 7, 8, True)]


def test_time_goes_on_where_its_word_starts_again(tmp_path):
    words = [TIME | 0xFFF_FFFF, event(1, 63, 1, 1), TIME | 0, event(1, 1, 1, 1), TIME | 1, event(1, 0, 1, 1)]
    (tmp_path / "a.raw").write_bytes(evt2_bytes(words))
    assert es.read(tmp_path / "a.raw").t.tolist() == [2**34 - 1, 2**34 + 1, 2**34 + 64]


def test_the_offset_of_time_that_faery_notes(tmp_path):
    header = b"% evt 2.0\n% geometry 64x48\n% t0 1000000007\n% end\n"
    (tmp_path / "a.raw").write_bytes(evt2_bytes([TIME | 1, event(1, 2, 3, 4)], header))
    assert es.read(tmp_path / "a.raw").t.tolist() == [1_000_000_073]


@pytest.mark.parametrize(
    ("header", "size"),
    [
        (b"% evt 2.0\n% geometry 64x48\n% end\n", (64, 48)),
        (b"% evt 2.0\n% Width 64\n% Height 48\n", (64, 48)),
        (b"% format EVT2;height=48;width=64\n% end\n", (64, 48)),
        (b"% Date 2020\n% evt 2.0\n% plugin_name hal_plugin_gen31_fx3\n", (640, 480)),
        (b"% evt 2.0\n% sensor_name IMX636\n% end\n", (1280, 720)),
        (b"% evt 2.0\n% geometry 99999999999x1\n% end\n", None),
        (b"% evt 2.0\n% end\n", None),
    ],
)
def test_the_size_that_headers_name(tmp_path, header, size):
    (tmp_path / "a.raw").write_bytes(evt2_bytes([TIME | 1, event(1, 2, 3, 4)], header))
    if size is None:
        with pytest.raises(
            InputError, match=r"sensor: expected one to be given, such as 640x480, .* got none"
        ):
            es.read(tmp_path / "a.raw")
        given = es.open(tmp_path / "a.raw", sensor=Sensor(name="mine", width=64, height=48))
        assert given.read().sensor.name == "mine"
        assert given.source.odd == ("the header does not name the size of the sensor",)
        return
    sensor = es.open(tmp_path / "a.raw").sensor
    assert (sensor.width, sensor.height) == size
    with pytest.raises(InputError, match=r"sensor: expected .*, which the file names, got 9x9"):
        es.read(tmp_path / "a.raw", sensor=Sensor(name="9x9", width=9, height=9))


@pytest.mark.parametrize("legacy", [False, True])
def test_vectors_of_version_2_1(tmp_path, legacy):
    time, vector = 8 << 60 | 9 << 32, 1 << 60 | 5 << 54 | 32 << 43 | 7 << 32
    words = [time, vector | 0b1011, 10 << 60, vector & ~(1 << 60) | 1 << 31, vector]
    (tmp_path / "a.raw").write_bytes(evt21_bytes(words, legacy))
    file = es.open(tmp_path / "a.raw")
    assert file.format.name == "evt2.1"
    assert rows(file.read()) == [(581, x, 7, True) for x in (32, 33, 35)] + [(581, 63, 7, False)]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (evt2_bytes([TIME])[:-1], r"byte 33: expected a whole record of 4 bytes, got 3"),
        (
            evt2_bytes([TIME, event(1, 0, 2, 3), event(1, 0, 64, 0)]),
            r"x\[1\]: .* 0 <= x < 64, got 64 \(byte 41\)",
        ),
        (evt2_bytes([TIME, event(1, 0, 2, 48)]), r"y\[0\]: expected 0 <= y < 48, got 48 \(byte 37\)"),
        (
            evt2_bytes([TIME | 5, event(1, 9, 2, 3), event(1, 8, 2, 3)]),
            r"t\[1\]: expected a time >= 329 .*, got 328 \(byte 41\)",
        ),
        (
            b"% evt 2.0\n% " + b"x" * (1 << 21),
            r"header at byte 10: expected lines that end, got 1048576 bytes",
        ),
        (b"% evt 2.0\n% no end", r"header at byte 10: expected lines that end, got 8 bytes without"),
    ],
    ids=["cut", "x", "y", "backwards", "endless", "open"],
)
def test_damage(tmp_path, data, complaint):
    (tmp_path / "a.raw").write_bytes(data)
    with pytest.raises(InputError, match=complaint) as told:
        es.read(tmp_path / "a.raw")
    assert str(told.value).startswith(f"{tmp_path / 'a.raw'}: ")


def test_data_that_starts_like_a_line_is_data(tmp_path):
    """A word whose lowest byte is `%` after a header without an end."""
    words = [TIME | 1, event(0, 0, 0, 0x25)]
    data = b"% evt 2.0\n% geometry 64x48\n" + np.array(words[::-1] + words, "<u4").tobytes()
    (tmp_path / "a.raw").write_bytes(data)
    assert rows(es.read(tmp_path / "a.raw")) == [(0, 0, 0x25, False), (64, 0, 0x25, False)]
