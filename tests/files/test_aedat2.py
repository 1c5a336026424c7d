"""AEDAT 2.0 of a DVS128 and of a DAVIS."""

import pytest

import eventssm as es
from eventssm import InputError, Sensor
from tests.files.samples import aedat2_bytes, dvs128_address

START = len(aedat2_bytes([]))


def davis(x: int, y: int, on: bool, width: int = 240, height: int = 180) -> int:
    return (height - 1 - y) << 22 | (width - 1 - x) << 12 | on << 11


def test_dvs128(tmp_path):
    """The first pixel is above at the left, where jAER has it below at the right; bit 0 is set for OFF."""
    records = [(0, 5), (127 << 8 | 127 << 1 | 1, 6), (dvs128_address(3, 4, True), 7)]
    (tmp_path / "a.aedat").write_bytes(aedat2_bytes(records))
    events = es.read(tmp_path / "a.aedat")
    assert (events.sensor.name, events.t.tolist()) == ("128x128", [5, 6, 7])
    assert (events.x.tolist(), events.y.tolist()) == ([127, 0, 3], [127, 0, 4])
    assert events.p.tolist() == [True, False, True]


def test_davis(tmp_path):
    chip = "eu.seebetter.ini.chips.davis.DAVIS240C"
    records = [
        (davis(0, 0, True), 5),
        (davis(239, 179, False), 5),
        (1 << 31 | 77, 6),
        (1 << 10, 6),
        (davis(1, 2, True), 9),
    ]
    (tmp_path / "a.aedat").write_bytes(aedat2_bytes(records, chip))
    events = es.read(tmp_path / "a.aedat")
    assert (events.sensor.name, events.t.tolist()) == ("240x180", [5, 5, 9])
    assert (events.x.tolist(), events.y.tolist()) == ([0, 239, 1], [0, 179, 2])
    assert events.p.tolist() == [True, False, True]


def test_external_events_are_left_out(tmp_path):
    records = [(1 << 15, 5), (1 << 31, 6), (dvs128_address(3, 4, True), 7)]
    (tmp_path / "a.aedat").write_bytes(aedat2_bytes(records))
    assert es.read(tmp_path / "a.aedat").t.tolist() == [7]


def test_time_goes_on_after_71_minutes(tmp_path):
    records = [(0, 2**31), (0, 2**32 - 1), (0, 0), (0, 2**31), (0, 0)]
    (tmp_path / "a.aedat").write_bytes(aedat2_bytes(records))
    assert es.read(tmp_path / "a.aedat").t.tolist() == [2**31, 2**32 - 1, 2**32, 3 * 2**31, 2**33]


def test_a_header_that_names_no_camera(tmp_path):
    (tmp_path / "a.aedat").write_bytes(aedat2_bytes([(0, 5)], chip=""))
    file = es.open(tmp_path / "a.aedat")
    assert file.sensor.name == "128x128" and file.source.odd == ("the header does not name the camera",)
    (tmp_path / "b.aedat").write_bytes(aedat2_bytes([(davis(239, 9, True), 5)], chip=""))
    given = Sensor(name="240x180", width=240, height=180)
    assert es.read(tmp_path / "b.aedat", sensor=given).x.tolist() == [239]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (aedat2_bytes([(0, 5)])[:-1], f"byte {START}: expected a whole record of 8 bytes, got 7"),
        (
            aedat2_bytes([(1 << 31, 5), (0, 9), (0, 8)]),
            rf"t\[1\]: expected a time >= 9 .* got 8 \(byte {START + 16}\)",
        ),
        (
            aedat2_bytes([(0, 5)], chip="retina.Tmpdiff128"),
            "AEChip: expected a DVS128 or a DAVIS, got 'retina.Tmpd",
        ),
    ],
    ids=["cut", "backwards", "chip"],
)
def test_damage(tmp_path, data, complaint):
    (tmp_path / "a.aedat").write_bytes(data)
    with pytest.raises(InputError, match=complaint):
        es.read(tmp_path / "a.aedat")


def test_a_pixel_that_a_davis_does_not_have(tmp_path):
    data = aedat2_bytes([(240 << 12, 5)], "x.DAVIS240C")
    (tmp_path / "a.aedat").write_bytes(data)
    with pytest.raises(InputError, match=rf"x\[0\]: expected 0 <= x < 240, got -1 \(byte {len(data) - 8}\)"):
        es.read(tmp_path / "a.aedat")
