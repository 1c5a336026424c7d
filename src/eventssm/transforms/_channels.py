"""Changes of the channels of a cochlea."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from eventssm.events import Events
from eventssm.transforms._columns import reflected, select, with_columns
from eventssm.transforms._parameters import check_count, check_number
from eventssm.transforms._transform import Transform


@dataclass(frozen=True)
class ChannelJitter(Transform):
    """Moves every event on its own, by a normal number of channels rounded to the nearest.

    An event that would leave the sensor is thrown back at its edge, so that the edge channels neither lose
    events nor gather them.
    """

    std: float
    works_on: ClassVar[Literal["cochlea"]] = "cochlea"

    def __post_init__(self) -> None:
        check_number(self.std, "std", 0.0, 1e6)

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        if self.std == 0:
            return events
        moved = np.rint(self.std * rng.standard_normal(len(events), dtype=np.float32)).astype(np.int64)
        channel = reflected(events.channel + moved, events.sensor.channels)
        return with_columns(events, channel=channel.astype(np.int32))


@dataclass(frozen=True)
class ChannelShift(Transform):
    """Moves a whole recording by one number of channels, uniform in -most..most, as another voice would.

    Events that leave the sensor are left out.
    """

    most: int
    works_on: ClassVar[Literal["cochlea"]] = "cochlea"

    def __post_init__(self) -> None:
        check_count(self.most, "most")

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        channel = events.channel + rng.integers(-self.most, self.most, endpoint=True)
        inside = (channel >= 0) & (channel < events.sensor.channels)
        return select(with_columns(events, channel=channel.astype(np.int32)), inside)
