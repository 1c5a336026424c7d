"""What is written is read again, event for event, in every format that can be written."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eventssm as es
from eventssm import Events, Sensor
from eventssm.files import FORMATS, write_pieces
from tests.files.samples import CAMERA, COCHLEA, COUNT, SAMPLES, random_events

WRITABLE = [name for name, format in FORMATS.items() if format.writer]
SENSOR_OF = {"npy": CAMERA, "npz-structured": CAMERA}
CAMERAS = [CAMERA, Sensor(name="1x1", width=1, height=1), Sensor(name="1280x720", width=1280, height=720)]


@st.composite
def columns(draw, channels: int, late: bool) -> tuple[np.ndarray, np.ndarray]:
    """Ties, short and long gaps, and a start at zero, soon after, or near the end of 32 bits and of 48."""
    gaps = st.sampled_from([0, 0, 1, 63, 64, 4095, 4096, 100_000, 17_000_000, 2**28])
    steps = draw(st.lists(st.one_of(gaps, st.integers(0, 5000)), max_size=40))
    start = draw(st.sampled_from([0, 1, 12_345, 3_599_000_000] + [2**32 - 1, 2**48] * late))
    t = start + np.cumsum([0, *steps])[:-1] if steps else np.zeros(0, np.int64)
    channel = draw(st.lists(st.integers(0, channels - 1), min_size=len(t), max_size=len(t)))
    return t.astype(np.int64), np.array(channel, np.int64)


def cut(events: Events, places: list[int]) -> list[Events]:
    edges = sorted({0, len(events), *(place for place in places if place < len(events))})
    return [events[start:stop] for start, stop in itertools.pairwise(edges)]


@pytest.mark.parametrize("format", WRITABLE)
@settings(max_examples=40)
@given(data=st.data())
def test_cameras(tmp_path_factory, format, data):
    sensor = data.draw(st.sampled_from(CAMERAS))
    t, channel = data.draw(columns(sensor.channels, late=format != "es"))
    events = Events(sensor, t=t, channel=channel)
    path = Path(tmp_path_factory.mktemp("written") / "recording")
    write_pieces(iter(cut(events, data.draw(st.lists(st.integers(1, 40))))), sensor, path, format)
    file = es.open(path)
    assert file.format.name == format and file.sensor.shape == sensor.shape
    again = file.read()
    assert len(again) == len(events)
    for name in ("t", "x", "y", "p"):
        assert np.array_equal(getattr(again, name), getattr(events, name)), name


@pytest.mark.parametrize("format", ["csv", "hdf5", "npz"])
@settings(max_examples=25)
@given(data=st.data())
def test_channels(tmp_path_factory, format, data):
    sensor = data.draw(st.sampled_from([COCHLEA, Sensor(name="cochlea-1", channels=1)]))
    t, channel = data.draw(columns(sensor.channels, late=format != "hdf5"))
    events = Events(sensor, t=t, channel=channel)
    path = Path(tmp_path_factory.mktemp("written") / "recording")
    es.write(events, path, format)
    again = es.read(path)
    assert again.sensor.shape == sensor.shape
    assert np.array_equal(again.t, events.t) and np.array_equal(again.channel, events.channel)


@pytest.mark.parametrize("name", SAMPLES)
def test_chunks_are_the_whole(tmp_path, name):
    format, make = SAMPLES[name]
    make(tmp_path / "sample")
    file = es.open(tmp_path / "sample", format, SENSOR_OF.get(name), backwards="drop")
    whole = file.read()
    assert len(whole) == COUNT or name in ("evt3-vectors", "evt2.1")
    for events in (1, 7, len(whole), 10**9):
        chunks = list(file.chunks(events=events))
        assert Events.join(file.sensor, chunks) == whole
        assert [len(chunk) for chunk in chunks[:-1]] == [events] * (len(chunks) - 1)
    for ms in (0.001, 3.0, 1e9):
        chunks = list(file.chunks(ms=ms))
        assert Events.join(file.sensor, chunks) == whole
        windows = [(chunk.t - whole.t[0]) // round(ms * 1000) for chunk in chunks]
        assert all((window == window[0]).all() for window in windows)
        assert len({int(window[0]) for window in windows}) == len(windows)


@pytest.mark.parametrize("format", WRITABLE)
def test_no_events(tmp_path, format):
    none = Events(CAMERA, t=np.zeros(0, np.int64), channel=np.zeros(0, np.int64))
    es.write(none, tmp_path / "none", format)
    assert es.read(tmp_path / "none") == none
    assert list(es.open(tmp_path / "none").chunks(ms=1.0)) == []


def test_names_of_sensors_are_kept_by_npz(tmp_path):
    sensor = Sensor(name="left eye", width=8, height=4, polarities=1)
    events = random_events(sensor)
    es.write(events, tmp_path / "eye.npz")
    assert es.read(tmp_path / "eye.npz") == events
