"""Changes of the single events of a camera, and mirror images."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.transforms._columns import reflected, sides, with_columns
from eventssm.transforms._parameters import check_number, check_probability
from eventssm.transforms._transform import Transform


@dataclass(frozen=True)
class SpatialJitter(Transform):
    """Moves every event on its own, in x and in y by normal numbers of pixels rounded to the nearest.

    An event that would leave the sensor is thrown back at its edge, so that the edge pixels neither lose
    events nor gather them.
    """

    std: float
    works_on: ClassVar[Literal["camera"]] = "camera"

    def __post_init__(self) -> None:
        check_number(self.std, "std", 0.0, 1e6)

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        if self.std == 0:
            return events
        x, y = (
            reflected(column + self._moves(len(events), rng), side).astype(np.uint16)
            for column, side in zip((events.x, events.y), sides(events.sensor), strict=True)
        )
        return with_columns(events, x=x, y=y)

    def _moves(self, count: int, rng: np.random.Generator) -> np.ndarray:
        return np.rint(self.std * rng.standard_normal(count, dtype=np.float32)).astype(np.int32)


@dataclass(frozen=True)
class Flip(Transform):
    """Mirrors a whole recording: left and right, up and down, ON and OFF, each with its probability."""

    horizontal: float = 0.0
    vertical: float = 0.0
    polarity: float = 0.0
    works_on: ClassVar[Literal["camera"]] = "camera"

    def __post_init__(self) -> None:
        for name in ("horizontal", "vertical", "polarity"):
            check_probability(getattr(self, name), name)

    def sensor(self, sensor: Sensor) -> Sensor:
        """The same sensor; refuses one without the polarity that is to be flipped."""
        super().sensor(sensor)
        _checks.check(
            self.polarity == 0 or sensor.polarities == 2,
            f"Flip: sensor {sensor.name!r}",
            "two polarities to flip",
            sensor.polarities,
        )
        return sensor

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        width, height = sides(events.sensor)
        horizontal, vertical, polarity = rng.random(3) < (self.horizontal, self.vertical, self.polarity)
        return with_columns(
            events,
            x=np.uint16(width - 1) - events.x if horizontal else None,
            y=np.uint16(height - 1) - events.y if vertical else None,
            p=~events.p if polarity else None,
        )
