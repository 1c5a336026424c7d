"""Recordings to transform, and what must be true of every one that comes out."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from eventssm import Events, Sensor

COCHLEA = Sensor(name="cochlea", channels=700)
CAMERA = Sensor(name="camera", width=128, height=96)
SENSORS = (
    COCHLEA,
    Sensor(name="one channel", channels=1),
    CAMERA,
    Sensor(name="odd", width=7, height=5),
    Sensor(name="one pixel", width=1, height=1),
    Sensor(name="mono", width=4, height=3, polarities=1),
)


def random_events(sensor: Sensor, count: int, seed: int = 0, duration: int = 1_000_000) -> Events:
    """Events spread evenly over time and channels."""
    rng = np.random.default_rng(seed)
    t = np.sort(rng.integers(0, duration, count))
    return Events(sensor, t=t, channel=rng.integers(0, sensor.channels, count))


@st.composite
def columns(draw: st.DrawFn, sensors: tuple[Sensor, ...] = SENSORS) -> dict[str, Any]:
    """None, one or some events, many at one time, some very late, on the edges more often than not.

    These are the arguments of `Events`: it may not be called in here, as beartype draws random numbers.
    """
    sensor = draw(st.sampled_from(sensors))
    gaps = draw(st.lists(st.sampled_from([0, 0, 1, 2, 7, 1000]), max_size=40))
    start = draw(st.sampled_from([0, 3, 10**6, 2**52]))
    edges = st.sampled_from([0, sensor.channels - 1]) | st.integers(0, sensor.channels - 1)
    channel = draw(st.lists(edges, min_size=len(gaps), max_size=len(gaps)))
    t = start + np.cumsum(np.array(gaps, np.int64))
    return {"sensor": sensor, "t": t, "channel": np.array(channel, np.int64)}


def checked(events: Events) -> Events:
    """The same recording through the constructor that checks every column."""
    if events.sensor.is_camera:
        return Events(events.sensor, t=events.t, x=events.x, y=events.y, p=events.p)
    return Events(events.sensor, t=events.t, channel=events.channel)


def assert_valid(events: Events) -> None:
    """In order, on its sensor, with columns of the right types that cannot be written to."""
    assert checked(events) == events
    names = ("t", "x", "y", "p") if events.sensor.is_camera else ("t", "channel")
    types = {"t": np.int64, "x": np.uint16, "y": np.uint16, "p": np.bool_, "channel": np.int32}
    for name in names:
        column = getattr(events, name)
        assert column.dtype == types[name] and not column.flags.writeable


def rows(events: Events) -> list[tuple[int, int]]:
    """The events as pairs of time and channel, in an order of their own."""
    return sorted(zip(events.t.tolist(), events.channel.tolist(), strict=True))
