"""Events left out."""

from dataclasses import dataclass

import numpy as np

from eventssm.events import Events
from eventssm.transforms._columns import select
from eventssm.transforms._parameters import check_probability
from eventssm.transforms._transform import Transform


@dataclass(frozen=True)
class EventDrop(Transform):
    """Leaves out every event on its own with probability `rate`."""

    rate: float

    def __post_init__(self) -> None:
        check_probability(self.rate, "rate")

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        return select(events, rng.random(len(events), dtype=np.float32) >= self.rate)


@dataclass(frozen=True)
class ChunkDrop(Transform):
    """With `probability`, leaves out one stretch of consecutive events, anywhere in the recording.

    Its length is a whole number uniform between 0 and `share` of the events. Later events keep their times.
    """

    share: float
    probability: float = 1.0

    def __post_init__(self) -> None:
        check_probability(self.share, "share")
        check_probability(self.probability)

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        if rng.random() >= self.probability:
            return events
        length = rng.integers(int(self.share * len(events)), endpoint=True)
        start = rng.integers(len(events) - length, endpoint=True)
        return Events.join(events.sensor, [events[:start], events[start + length :]])
