"""Changes of the times."""

from dataclasses import dataclass

import numpy as np

from eventssm.events import Events
from eventssm.transforms._columns import in_order, with_columns
from eventssm.transforms._parameters import check_number, check_times
from eventssm.transforms._transform import Transform


@dataclass(frozen=True)
class TimeJitter(Transform):
    """Moves every event in time on its own, by a normal number of microseconds rounded to the nearest.

    A time that would come before 0 is thrown back to the other side of 0.
    """

    std_us: float

    def __post_init__(self) -> None:
        check_number(self.std_us, "std_us", 0.0, 1e9)

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        if self.std_us == 0:
            return events
        check_times(events.t)
        moved = np.rint(self.std_us * rng.standard_normal(len(events), dtype=np.float32))
        return in_order(with_columns(events, t=np.abs(events.t + moved.astype(np.int64))))


@dataclass(frozen=True)
class TimeSkew(Transform):
    """Stretches a recording in time by one factor, log-uniform in [1 / factor, factor].

    A recording is thus as often faster by some factor as it is slower by it. Its first event stays where it
    is: what is stretched are the times since then.
    """

    factor: float

    def __post_init__(self) -> None:
        check_number(self.factor, "factor", 1.0, 100.0)

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        check_times(events.t)
        stretch = self.factor ** rng.uniform(-1.0, 1.0)
        start = events.t[:1]
        return with_columns(events, t=start + np.rint(stretch * (events.t - start)).astype(np.int64))
