"""Opening files, whole or in chunks; what is asked of them wrongly."""

import numpy as np
import pytest

import eventssm as es
from eventssm import Events, InputError
from eventssm.files import parse_sensor
from tests.files.samples import CAMERA, random_events


def text(path, *times, value="1") -> None:
    path.write_text("t,channel@9\n" + "".join(f"{t},{value}\n" for t in times))


def test_chunks_by_time(tmp_path):
    text(tmp_path / "a.csv", 100, 1099, 1100, 1101, 9100, 9100)
    chunks = [chunk.t.tolist() for chunk in es.open(tmp_path / "a.csv").chunks(ms=1.0)]
    assert chunks == [[100, 1099], [1100, 1101], [9100, 9100]]


def test_chunks_by_count(tmp_path):
    text(tmp_path / "a.csv", *range(7))
    file = es.open(tmp_path / "a.csv")
    assert [chunk.t.tolist() for chunk in file.chunks(events=3)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert [len(chunk) for chunk in file.chunks(events=3)] == [3, 3, 1], "gone through as often as one likes"


@pytest.mark.parametrize(
    ("how", "complaint"),
    [
        ({}, "chunks: expected either events or ms, got neither"),
        ({"events": 3, "ms": 1.0}, "chunks: expected either events or ms, got both"),
        ({"events": 0}, "events: expected a whole number >= 1, got 0"),
        ({"ms": 0.0}, r"ms: expected a time of at least 0.001 ms, got 0.0"),
        ({"ms": float("nan")}, r"ms: expected a time of at least 0.001 ms, got nan"),
        ({"ms": float("inf")}, r"ms: expected a time of at least 0.001 ms, got inf"),
    ],
)
def test_chunks_of_no_size(tmp_path, how, complaint):
    text(tmp_path / "a.csv", 1)
    with pytest.raises(InputError, match=complaint):
        list(es.open(tmp_path / "a.csv").chunks(**how))


def test_times_that_go_backwards_are_dropped_and_counted(tmp_path, as_a_user):
    text(tmp_path / "a.csv", 5, 3, 5, 9, 8, 7, 9)
    file = es.open(tmp_path / "a.csv", backwards="drop")
    assert file.read().t.tolist() == [5, 5, 9, 9] and file.dropped == 3
    assert file.read().t.tolist() == [5, 5, 9, 9] and file.dropped == 3
    with pytest.raises(
        InputError, match=r"t\[1\]: expected a time >= 5 \(or backwards='drop' .*got 3 \(line 3\)"
    ):
        es.read(tmp_path / "a.csv")
    with pytest.raises(InputError, match="backwards: expected one of error, drop, got 'sort'"):
        es.read(tmp_path / "a.csv", backwards="sort")


def test_backwards_over_the_edge_of_a_piece(tmp_path):
    rows = [*range(70_000), 5, 69_999, 69_998]
    path = tmp_path / "a.npz"
    np.savez(path, t=np.concatenate([np.arange(1 << 18), rows]), channel=np.zeros((1 << 18) + len(rows), int))
    file = es.open(path, sensor=es.Sensor(name="ear", channels=1), backwards="drop")
    assert len(file.read()) == 1 << 18 and file.dropped == len(rows)
    with pytest.raises(InputError, match=r"t\[262144\]: expected a time >= 262143 .*, got 0"):
        es.read(path, sensor=es.Sensor(name="ear", channels=1))


def test_the_place_of_a_wrong_event_among_dropped_ones(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("t,channel@9\n5,1\n3,1\n4,1\n6,9\n")
    with pytest.raises(InputError, match=r"channel\[3\]: expected 0 <= channel < 9, got 9 \(line 5\)"):
        es.read(path, backwards="drop")


def test_paths_as_text_and_errors_as_one_line(tmp_path):
    text(tmp_path / "a\nb.csv", 5, 3)
    with pytest.raises(InputError) as told:
        es.read(str(tmp_path / "a\nb.csv"))
    assert "\n" not in str(told.value) and r"a\nb.csv: t[1]: " in str(told.value)


def test_sensors_by_size():
    assert parse_sensor("640x480").shape == (640, 480, 614_400)
    assert parse_sensor("700").shape == (None, None, 700)
    for wrong in ("640x", "axb", "-3", "1e3", "", "640 x 480"):
        with pytest.raises(InputError, match="sensor: expected WIDTHxHEIGHT such as 640x480"):
            parse_sensor(wrong)
    with pytest.raises(InputError, match=r"(channels|width): expected at most"):
        parse_sensor("999999999x999999999")


def test_a_sensor_that_is_given_keeps_its_name(tmp_path):
    es.write(random_events(), tmp_path / "a.csv")
    left = es.Sensor(name="left", width=64, height=48)
    assert es.read(tmp_path / "a.csv", sensor=left).sensor == left
    assert es.read(tmp_path / "a.csv").sensor == CAMERA
    assert isinstance(es.read(tmp_path / "a.csv"), Events)
