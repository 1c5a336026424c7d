"""Columns in, views out, and every way in which a recording can be wrong."""

import copy
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import Events, InputError, Sensor

CAMERA = Sensor(name="small", width=4, height=3)
COCHLEA = Sensor(name="cochlea", channels=700)


def camera_events():
    return Events(CAMERA, t=[0, 5, 5, 9], x=[0, 3, 1, 2], y=[0, 2, 1, 0], p=[False, True, True, False])


def test_columns_and_their_types():
    events = camera_events()
    assert len(events) == 4
    assert (events.t.dtype, events.x.dtype, events.y.dtype, events.p.dtype) == (
        np.int64,
        np.uint16,
        np.uint16,
        np.bool_,
    )
    assert events.channel.tolist() == [0, 23, 17, 2] and events.channel.dtype == np.int32
    assert events.duration == 9
    assert repr(events) == "Events(4 events in 9e-06 s, 'small')"


def test_a_camera_may_come_as_channels():
    assert Events(CAMERA, t=[0, 5, 5, 9], channel=[0, 23, 17, 2]) == camera_events()


@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one_event(count):
    events = Events(COCHLEA, t=[7][:count], channel=[699][:count])
    assert (len(events), events.duration, events.gaps_ms().tolist()) == (count, 0, [0.0][:count])
    assert len(events[:0]) == 0 and len(events.between(0, 100)) == count
    assert Events.from_structured(events.to_structured(), COCHLEA) == events


def test_columns_cannot_be_written_to_and_are_copies():
    t = np.array([1, 2, 3])
    events = Events(COCHLEA, t=t, channel=[1, 2, 3])
    t[0] = 99
    assert events.t.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        events.t[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        events[1:].channel[0] = 5


def test_slices_are_views():
    events = camera_events()
    for part in (events[1:3], events[-3:], events[::2], events.between(1, 9)):
        assert np.shares_memory(part.t, events.t) and np.shares_memory(part.x, events.x)
        assert part.sensor is events.sensor
    assert events[::2].t.tolist() == [0, 5]


def test_between_takes_its_start_and_leaves_its_end():
    events = camera_events()
    assert events.between(5, 9).t.tolist() == [5, 5]
    assert events.between(0, 6).t.tolist() == [0, 5, 5]
    assert len(events.between(100, 200)) == 0
    with pytest.raises(InputError, match="stop: expected a time not before start = 5, got 4"):
        events.between(5, 4)


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (slice(None, None, -1), "index step: expected a positive number, got -1"),
        (3, "index: expected a slice such as"),
    ],
)
def test_no_index_that_breaks_the_order(index, message, as_a_user):
    with pytest.raises(InputError, match=re.escape(message)):
        camera_events()[index]


def test_copies_and_pickles_are_equal():
    events = camera_events()
    assert pickle.loads(pickle.dumps(events)) == events == copy.deepcopy(events)
    assert events[1:] != events
    assert events != "events"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"t": [0, 5, 4], "channel": [1, 1, 1]}, "t[2]: expected a time >= t[1] = 5, got 4"),
        ({"t": [-1, 5], "channel": [1, 1]}, "t[0]: expected a time >= 0, got -1"),
        ({"t": [0.0, float("nan")], "channel": [1, 1]}, "t[1]: expected a finite number, got nan"),
        ({"t": [0.0, 1.5], "channel": [1, 1]}, "t[1]: expected a whole number, got 1.5"),
        ({"t": [0.0, 1e30], "channel": [1, 1]}, "t[1]: expected a number below 2^63, got 1e+30"),
        ({"t": np.array([0, 2**63], np.uint64), "channel": [1, 1]}, "t[1]: expected a number below 2^63"),
        ({"t": np.array(["a"]), "channel": [1]}, "t: expected whole numbers, got dtype <U1"),
        ({"t": np.zeros((2, 2), int), "channel": [1, 1]}, "t: expected one axis, got shape (2, 2)"),
        ({"t": [0, 1], "channel": [1, 700]}, "channel[1]: expected 0 <= channel < 700, got 700"),
        ({"t": [0, 1], "channel": [-1, 1]}, "channel[0]: expected 0 <= channel < 700, got -1"),
        ({"t": [0, 1], "channel": [1.0, float("inf")]}, "channel[1]: expected a finite number, got inf"),
        ({"t": [0, 1], "channel": [1]}, "channel: expected 2 values, as many as t, got 1"),
        ({"t": [0]}, "columns: expected t and channel, or t, x, y and p, got t and nothing else"),
        ({"t": [0], "x": [1]}, "got t and ['x']"),
        ({"t": [0], "channel": [1], "x": [1]}, "got channel and ['x']"),
        (
            {"t": [0], "x": [1], "y": [1], "p": [1]},
            "expected a camera for x, y, p, got no pixels",
        ),
    ],
)
def test_wrong_columns(columns, message):
    with pytest.raises(InputError, match=re.escape(message)):
        Events(COCHLEA, **columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"x": [4], "y": [0], "p": [0]}, "x[0]: expected 0 <= x < 4, got 4"),
        ({"x": [0], "y": [3], "p": [0]}, "y[0]: expected 0 <= y < 3, got 3"),
        ({"x": [-1], "y": [0], "p": [0]}, "x[0]: expected 0 <= x < 4, got -1"),
        ({"x": [0], "y": [0], "p": [-1]}, "p[0]: expected 0 or 1, got -1"),
        ({"x": [0], "y": [0, 1], "p": [0]}, "y: expected 1 values, as many as t, got 2"),
        ({"x": [65536], "y": [0], "p": [0]}, "x[0]: expected 0 <= x < 4, got 65536"),
    ],
)
def test_wrong_pixels(columns, message):
    with pytest.raises(InputError, match=re.escape(message)):
        Events(CAMERA, t=[0], **columns)


def test_a_camera_of_one_polarity_has_only_off():
    sensor = Sensor(name="mono", width=4, height=3, polarities=1)
    assert Events(sensor, t=[0], x=[1], y=[1], p=[0]).channel.tolist() == [5]
    with pytest.raises(InputError, match=re.escape("p[1]: expected False on a camera of one polarity")):
        Events(sensor, t=[0, 0], x=[1, 1], y=[1, 1], p=[0, 1])


def test_structured_arrays_of_other_libraries():
    """tonic's camera and cochlea fields, in its order, and faery's with a title."""
    tonic = np.array([(1, 2, 5, 1)], [("x", "i2"), ("y", "i2"), ("t", "i8"), ("p", "i2")])
    faery = np.array([(5, 1, 2, True)], [("t", "<u8"), ("x", "<u2"), ("y", "<u2"), (("p", "on"), "?")])
    assert Events.from_structured(tonic, CAMERA) == Events.from_structured(faery, CAMERA)
    audio = np.array([(5, 699, 1)], [("t", "i8"), ("x", "i8"), ("p", "i8")])
    assert Events.from_structured(audio, COCHLEA) == Events(COCHLEA, t=[5], channel=[699])
    assert camera_events().to_structured().dtype.names == ("t", "x", "y", "p")


def test_structured_arrays_without_the_fields():
    with pytest.raises(InputError, match="expected a structured array with a field t, got dtype int64"):
        Events.from_structured(np.zeros(3, np.int64), CAMERA)
    with pytest.raises(InputError, match="array: expected fields t, x, y, p, got fields t, x"):
        Events.from_structured(np.zeros(3, [("t", "i8"), ("x", "i8")]), CAMERA)
    with pytest.raises(InputError, match="array: expected fields t, x, got fields t, c"):
        Events.from_structured(np.zeros(3, [("t", "i8"), ("c", "i8")]), COCHLEA)


@given(st.data())
def test_there_and_back(data):
    times = sorted(data.draw(st.lists(st.integers(0, 2**62), max_size=40)))
    channel = data.draw(st.lists(st.integers(0, 23), min_size=len(times), max_size=len(times)))
    events = Events(CAMERA, t=np.array(times, np.int64), channel=np.array(channel, np.int64))
    assert events.channel.tolist() == channel
    assert Events.from_structured(events.to_structured(), CAMERA) == events
    cut = data.draw(st.integers(0, len(times)))
    assert events[:cut].t.tolist() + events[cut:].t.tolist() == times


def test_ten_million_events_are_checked_in_seconds():
    t = np.arange(10_000_000)
    events = Events(COCHLEA, t=t, channel=t % 700)
    assert len(events) == 10_000_000
    with pytest.raises(InputError, match=re.escape("t[9999999]: expected a time >= t[9999998]")):
        Events(COCHLEA, t=np.where(t == 9_999_999, 3, t), channel=t % 700)


def test_pieces_join_to_the_recording(rng):
    camera = Sensor(name="camera", width=40, height=30)
    channel = rng.integers(0, camera.channels, 50)
    events = Events(camera, t=np.sort(rng.integers(0, 90, 50)), channel=channel)
    assert Events.join(camera, [events[:20], events[20:20], events[20:]]) == events
    assert Events.join(camera, []) == events[:0]


def test_join_refuses_another_sensor_and_times_that_go_back():
    one, two = Sensor(name="a", channels=4), Sensor(name="b", channels=5)
    late, early = Events(one, t=[7], channel=[0]), Events(one, t=[3], channel=[0])
    with pytest.raises(InputError, match=r"pieces\[1\]: expected events of 'a', got of 'b'"):
        Events.join(one, [late, Events(two, t=[9], channel=[0])])
    with pytest.raises(InputError, match="pieces: expected a time >= 7, got 3"):
        Events.join(one, [late, early])
