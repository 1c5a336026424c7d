"""The 40-bit records of N-MNIST."""

import pytest

import eventssm as es
from eventssm import InputError, Sensor
from tests.files.samples import nmnist_bytes


def test_records(tmp_path):
    (tmp_path / "a.bin").write_bytes(nmnist_bytes([(0x7FFFF, 33, 0, True), (0x7FFFF, 0, 33, False)]))
    events = es.read(tmp_path / "a.bin")
    assert events.sensor.name == "34x34" and events.t.tolist() == [0x7FFFF] * 2
    assert (events.x.tolist(), events.y.tolist(), events.p.tolist()) == ([33, 0], [0, 33], [True, False])


def test_marks_of_time_that_went_on(tmp_path):
    records = [
        (5, 1, 1, True),
        (0, 0, 240, False),
        (6, 1, 1, True),
        (0, 9, 240, True),
        (0, 0, 240, True),
        (7, 2, 2, True),
    ]
    (tmp_path / "a.bin").write_bytes(nmnist_bytes(records))
    assert es.read(tmp_path / "a.bin").t.tolist() == [5, 6 + 2**13, 7 + 3 * 2**13]


def test_a_larger_sensor_is_given(tmp_path):
    (tmp_path / "a.bin").write_bytes(nmnist_bytes([(5, 239, 179, True)]))
    with pytest.raises(InputError, match=r"x\[0\]: expected 0 <= x < 34, got 239 \(byte 0\)"):
        es.read(tmp_path / "a.bin")
    caltech = Sensor(name="caltech", width=240, height=180)
    assert es.read(tmp_path / "a.bin", sensor=caltech).y.tolist() == [179]


def test_damage(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(nmnist_bytes([(5, 1, 1, True), (9, 1, 1, True)])[:-1])
    with pytest.raises(InputError, match="byte 5: expected a whole record of 5 bytes, got 4"):
        es.read(path)
    path.write_bytes(nmnist_bytes([(0, 0, 240, False), (9, 1, 1, True), (8, 1, 1, True)]))
    with pytest.raises(InputError, match=r"t\[1\]: expected a time >= 8201 .*, got 8200 \(byte 10\)"):
        es.read(path)
