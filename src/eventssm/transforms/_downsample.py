"""A smaller sensor."""

from dataclasses import dataclass, replace

import numpy as np

from eventssm.events import Events, Sensor
from eventssm.transforms._columns import select, with_columns
from eventssm.transforms._parameters import check_count, check_flag
from eventssm.transforms._transform import Transform


@dataclass(frozen=True)
class Downsample(Transform):
    """A sensor smaller by a whole factor: channels, or width and height.

    Neighbours become one and all events stay, or without `merge` only the first of every `factor` channels,
    columns and rows stays. A remainder is one more: 10 channels by a factor of 4 are 3.
    """

    factor: int
    merge: bool = True

    def __post_init__(self) -> None:
        check_count(self.factor, "factor", 1)
        check_flag(self.merge, "merge")

    def sensor(self, sensor: Sensor) -> Sensor:
        """The smaller sensor, named after the larger one and the factor."""
        if self.factor == 1:
            return sensor
        name = f"{sensor.name}/{self.factor}"
        if sensor.width is None or sensor.height is None:
            return Sensor(name=name, channels=self._fewer(sensor.channels))
        width, height = self._fewer(sensor.width), self._fewer(sensor.height)
        return replace(sensor, name=name, width=width, height=height, channels=0)

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        smaller, factor = self.sensor(events.sensor), self.factor
        if smaller.is_camera:
            x, y = events.x.astype(np.int32), events.y.astype(np.int32)
            columns = {"x": (x // factor).astype(np.uint16), "y": (y // factor).astype(np.uint16)}
            first = (x % factor == 0) & (y % factor == 0)
        else:
            columns = {"channel": events.channel // factor}
            first = events.channel % factor == 0
        merged = with_columns(events, sensor=smaller, **columns)
        return merged if self.merge else select(merged, first)

    def _fewer(self, count: int) -> int:
        return -(-count // self.factor)
