"""Movements of the whole picture of a camera: the same pixel goes to the same pixel in one recording."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from eventssm.events import Events
from eventssm.transforms._columns import select, sides, with_columns
from eventssm.transforms._parameters import check_count, check_flag, check_number, check_probability
from eventssm.transforms._transform import Transform


@dataclass(frozen=True)
class Roll(Transform):
    """With `probability`, moves the picture by whole pixels, in x and in y each uniform in -most..most.

    Events that leave the sensor are left out, or with `wrap` come in again on the other side.
    """

    most: int
    probability: float = 1.0
    wrap: bool = False
    works_on: ClassVar[Literal["camera"]] = "camera"

    def __post_init__(self) -> None:
        check_count(self.most, "most")
        check_probability(self.probability)
        check_flag(self.wrap, "wrap")

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        if rng.random() >= self.probability:
            return events
        width, height = sides(events.sensor)
        right, down = rng.integers(-self.most, self.most, 2, endpoint=True)
        x, y = events.x + right, events.y + down
        return _placed(events, x % width, y % height) if self.wrap else _placed(events, x, y)


@dataclass(frozen=True)
class Rotate(Transform):
    """With `probability`, turns the picture about its centre by an angle uniform in -degrees..degrees.

    Events go to the nearest pixel; those that leave the sensor are left out.
    """

    degrees: float
    probability: float = 1.0
    works_on: ClassVar[Literal["camera"]] = "camera"

    def __post_init__(self) -> None:
        check_number(self.degrees, "degrees", 0.0, 180.0)
        check_probability(self.probability)

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        if rng.random() >= self.probability:
            return events
        angle = np.deg2rad(rng.uniform(-self.degrees, self.degrees))
        return _linear(events, np.cos(angle), np.sin(angle))


@dataclass(frozen=True)
class Scale(Transform):
    """With `probability`, scales the picture about its centre, log-uniform in [1 / factor, factor].

    Events go to the nearest pixel; those that leave the sensor are left out. Nothing is filled in: a larger
    picture has pixels without events.
    """

    factor: float
    probability: float = 1.0
    works_on: ClassVar[Literal["camera"]] = "camera"

    def __post_init__(self) -> None:
        check_number(self.factor, "factor", 1.0, 100.0)
        check_probability(self.probability)

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        if rng.random() >= self.probability:
            return events
        return _linear(events, self.factor ** rng.uniform(-1.0, 1.0), 0.0)


def _linear(events: Events, a: float, b: float) -> Events:
    """`(x, y) -> (a x - b y, b x + a y)` about the centre, which is between pixels where a side is even."""
    width, height = sides(events.sensor)
    centre_x, centre_y = (width - 1) / 2, (height - 1) / 2
    column, row = np.arange(width) - centre_x, np.arange(height) - centre_y
    x = (a * column + centre_x)[events.x] - (b * row)[events.y]
    y = (b * column)[events.x] + (a * row + centre_y)[events.y]
    return _placed(events, np.rint(x).astype(np.int32), np.rint(y).astype(np.int32))


def _placed(events: Events, x: np.ndarray, y: np.ndarray) -> Events:
    """The events at new pixels, without those outside."""
    width, height = sides(events.sensor)
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    return select(with_columns(events, x=x.astype(np.uint16), y=y.astype(np.uint16)), inside)
