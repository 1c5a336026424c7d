"""Recordings made of other recordings' columns, which are known to be right and so not checked again."""

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor


def with_columns(
    events: Events,
    *,
    sensor: Sensor | None = None,
    t: np.ndarray | None = None,
    x: np.ndarray | None = None,
    y: np.ndarray | None = None,
    p: np.ndarray | None = None,
    channel: np.ndarray | None = None,
) -> Events:
    """The recording with some columns, or its sensor, in place of its own."""
    given = zip((t, x, y, p, channel), events._kept, strict=True)
    return Events.trusted(sensor or events.sensor, *(old if new is None else new for new, old in given))


def select(events: Events, kept: np.ndarray) -> Events:
    """The events where `kept` is true."""
    return events if kept.all() else _taken(events, kept)


def in_order(events: Events) -> Events:
    """The events by time; those of one time stay in the order that they are in."""
    return _taken(events, np.argsort(events.t, kind="stable"))


def inserted(events: Events, extra: Events) -> Events:
    """The events of both in the order of time; at one time those of `extra` come last."""
    places = np.searchsorted(events.t, extra.t, side="right")
    pairs = zip(events._kept, extra._kept, strict=True)
    return Events.trusted(
        events.sensor, *(None if a is None or b is None else np.insert(a, places, b) for a, b in pairs)
    )


def reflected(values: np.ndarray, size: int) -> np.ndarray:
    """Whole numbers thrown back into `0 <= value < size` at its edges: -1 becomes 0, -2 becomes 1.

    Every place within stands for as many numbers as every other, so that events spread evenly stay so.
    """
    folded = values % (2 * size)
    return np.minimum(folded, 2 * size - 1 - folded)


def sides(sensor: Sensor) -> tuple[int, int]:
    """Width and height of a camera; other sensors are refused."""
    if sensor.width is None or sensor.height is None:
        _checks.refuse(f"sensor {sensor.name!r}", "a camera", "a sensor without pixels")
    return sensor.width, sensor.height


def _taken(events: Events, which: np.ndarray) -> Events:
    return Events.trusted(events.sensor, *(None if c is None else c[which] for c in events._kept))
