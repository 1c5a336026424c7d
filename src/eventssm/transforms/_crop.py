"""Fewer events of a recording."""

from dataclasses import dataclass

import numpy as np

from eventssm.events import Events
from eventssm.transforms._parameters import check_count, check_flag
from eventssm.transforms._transform import Transform


@dataclass(frozen=True)
class Crop(Transform):
    """At most `events` consecutive events: from anywhere in the recording, or its first ones.

    A recording that has no more than these stays whole.
    """

    events: int
    random: bool = True

    def __post_init__(self) -> None:
        check_count(self.events, "events", 1)
        check_flag(self.random, "random")

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        spare = max(len(events) - self.events, 0)
        start = int(rng.integers(spare, endpoint=True)) if self.random else 0
        return events[start : start + self.events]


@dataclass(frozen=True)
class Thin(Transform):
    """Every `every`-th event, starting at any of the first `every`, or at the first one."""

    every: int
    random: bool = True

    def __post_init__(self) -> None:
        check_count(self.every, "every", 1)
        check_flag(self.random, "random")

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        start = int(rng.integers(self.every)) if self.random else 0
        return events[start :: self.every]
