"""Events that nothing caused."""

from dataclasses import dataclass

import numpy as np

from eventssm.events import Events
from eventssm.transforms._columns import inserted
from eventssm.transforms._parameters import check_count
from eventssm.transforms._transform import Transform


@dataclass(frozen=True)
class UniformNoise(Transform):
    """Adds events, a number of them uniform in 0..most, spread evenly over the channels and over the time
    from the first event to the last.

    A recording without events has no such time and stays empty.
    """

    most: int

    def __post_init__(self) -> None:
        check_count(self.most, "most")

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        count = rng.integers(self.most, endpoint=True)
        if not len(events) or not count:
            return events
        t = np.sort(rng.integers(events.t[0], events.t[-1], count, endpoint=True))
        channel = rng.integers(events.sensor.channels, size=count)
        return inserted(events, Events(events.sensor, t=t, channel=channel))
