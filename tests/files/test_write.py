"""A file appears whole or not at all; what formats cannot hold is refused."""

import numpy as np
import pytest

import eventssm as es
from eventssm import Events, InputError, Sensor
from eventssm.files import FORMATS, replacing, write_pieces
from tests.files.samples import CAMERA, COCHLEA, random_events

WRITABLE = [name for name, format in FORMATS.items() if format.writer]


def at(times, sensor=CAMERA) -> Events:
    return Events(sensor, t=np.array(times), channel=np.zeros(len(times), int))


@pytest.mark.parametrize("format", WRITABLE)
def test_nothing_is_left_of_a_failure_and_the_old_file_stays(tmp_path, format):
    def pieces():
        yield random_events()
        raise RuntimeError("the camera was unplugged")

    path = tmp_path / "out"
    path.write_text("before")
    with pytest.raises(RuntimeError, match="unplugged"):
        write_pieces(pieces(), CAMERA, path, format)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("out", "before")]


def test_replacing_is_whole_or_not_at_all(tmp_path):
    with replacing(tmp_path / "a") as part:
        part.write_text("new")
        assert not (tmp_path / "a").exists()
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize(
    ("format", "events", "complaint"),
    [
        ("evt3", random_events(COCHLEA), "sensor: expected a camera for evt files, got 'cochlea-700'"),
        ("es", random_events(COCHLEA), "sensor: expected a camera for es files"),
        (
            "evt2",
            at([1], Sensor(name="wide", width=2049, height=2)),
            "sensor: expected at most 2048 pixels a side",
        ),
        (
            "dat",
            at([1], Sensor(name="wide", width=2, height=16385)),
            "sensor: expected at most 16384 pixels a side",
        ),
        (
            "dat",
            at([1, 2**31 + 1]),
            r"gap\[1\]: expected less than 2147483648 us for dat2 files, got 2147483648",
        ),
        ("evt2", at([1, 2**33 + 1]), r"gap\[1\]: expected less than 8589934592 us for evt2 files"),
        ("es", at([3_600_000_001]), r"t\[0\]: expected a time within the first hour for es files"),
        ("hdf5", at([10**15], COCHLEA), r"t\[0\]: expected a time below 1000000000 s"),
    ],
)
def test_what_a_format_cannot_hold(tmp_path, format, events, complaint):
    with pytest.raises(InputError, match=complaint):
        es.write(events, tmp_path / "out", format)
    assert list(tmp_path.iterdir()) == []


def test_no_such_folder_and_no_such_suffix(tmp_path):
    with pytest.raises(InputError, match=r"folder: expected one that exists, got '.*nowhere'"):
        es.write(random_events(), tmp_path / "nowhere" / "out.npz")
    with pytest.raises(InputError, match=r"out.jpg: suffix: expected one to write to, such as .* got '.jpg'"):
        es.write(random_events(), tmp_path / "out.jpg")
