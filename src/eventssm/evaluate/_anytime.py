"""Accuracy while recordings are still going on: over events seen, and over time."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int64

from eventssm.evaluate._outcomes import Outcomes

_POINTS = 256


@dataclass(frozen=True)
class Curve:
    """Shares of ALL recordings at some moments, each counted from a recording's own first event.

    What a recording was last said to be stands until its next prediction, and after its end for good, so
    that the curve ends at the final accuracy. Before its first prediction it is said to be of the `prior`
    class, the same for all: where classes are equally frequent, `accuracy` begins at chance.
    """

    at: Int64[np.ndarray, " moment"]
    """Events seen, or microseconds."""
    accuracy: Float64[np.ndarray, " moment"]
    """Share that is said to be of its true class at this moment."""
    predicted: Float64[np.ndarray, " moment"]
    """Share that has had a prediction by then."""
    ended: Float64[np.ndarray, " moment"]
    """Share whose last event has come."""

    def reaches(self, share: float) -> int | None:
        """The first moment from which on accuracy stays at or above `share`; None if it does not."""
        below = np.flatnonzero(~(self.accuracy >= share))
        after = int(below[-1]) + 1 if len(below) else 0
        return int(self.at[after]) if after < len(self.at) else None


def over_events(outcomes: Outcomes) -> Curve:
    """The curve over events seen, at whole numbers of predictions from 0 to the longest recording."""
    per = outcomes.events_per_prediction
    steps = int(outcomes.counts.max())
    at = per * np.unique(np.linspace(0, steps, min(steps + 1, _POINTS)).round().astype(np.int64))
    longest = int(outcomes.events.max())
    at = np.append(at, longest) if longest > at[-1] else at
    number = np.arange(len(outcomes.said)) - np.repeat(_starts(outcomes.counts), outcomes.counts)
    return _curve(outcomes, per * (number + 1), outcomes.events, at)


def over_time(outcomes: Outcomes) -> Curve:
    """The curve over microseconds since the first event, at even steps to the longest recording's end."""
    longest = int(outcomes.durations.max())
    at = np.unique(np.linspace(0, longest, _POINTS).round().astype(np.int64))
    return _curve(outcomes, outcomes.times, outcomes.durations, at)


def _curve(
    outcomes: Outcomes,
    moments: Int64[np.ndarray, " prediction"],
    ends: Int64[np.ndarray, " recording"],
    at: Int64[np.ndarray, " moment"],
) -> Curve:
    """Exact counts: every prediction changes how many are right by -1, 0 or 1, at its own moment."""
    starts, total = _starts(outcomes.counts), len(outcomes)
    labels = np.repeat(outcomes.labels, outcomes.counts)
    right = (outcomes.said == labels).astype(np.int64)
    before = np.zeros_like(right)
    before[1:] = right[:-1]
    some = outcomes.counts > 0
    at_first = outcomes.labels == outcomes.prior
    before[starts[some]] = at_first[some]
    order = np.argsort(moments, kind="stable")
    changes = np.concatenate(([0], np.cumsum((right - before)[order])))
    seen = np.searchsorted(moments[order], at, side="right")
    return Curve(
        at=at,
        accuracy=(at_first.sum() + changes[seen]) / total,
        predicted=np.searchsorted(np.sort(moments[starts[some]]), at, side="right") / total,
        ended=np.searchsorted(np.sort(ends), at, side="right") / total,
    )


def _starts(counts: Int64[np.ndarray, " recording"]) -> Int64[np.ndarray, " recording"]:
    """Where each recording's predictions begin in the row of all."""
    return np.cumsum(counts) - counts
