"""CutMix: a stretch of one recording in another, with their labels mixed."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float32

from eventssm import _checks
from eventssm.events import Events
from eventssm.transforms._columns import with_columns
from eventssm.transforms._parameters import check_probability, check_times


class Mixed(NamedTuple):
    """A recording and its share of every class; the shares add up to 1."""

    events: Events
    target: Float32[np.ndarray, " class"]


def cut_mix(
    samples: Sequence[tuple[Events, int]],
    classes: int,
    probability: float,
    rng: np.random.Generator,
    longest: int | None = None,
) -> list[Mixed]:
    """The samples of a batch, each with `probability` mixed with another of them.

    From the other recording a stretch of consecutive events is taken, any length and any place being as
    likely as every other. The events of the first recording in that stretch of time, counted from each
    recording's first event, give way to it. The target holds the share of the events that came from each.
    An empty recording is mixed with nothing. What a mixture has beyond `longest` events is left out, and
    not counted.
    """
    _checks.check_size(classes, "classes")
    check_probability(probability)
    if longest is not None:
        _checks.check_size(longest, "longest")
    for number, (events, label) in enumerate(samples):
        _checks.check_size(label, f"label[{number}]", 0)
        _checks.check(label < classes, f"label[{number}]", f"0 <= label < {classes}", label)
        first = samples[0][0].sensor
        ok = events.sensor.shape == first.shape
        _checks.check(ok, f"samples[{number}]", f"events of {first.name!r}", f"of {events.sensor.name!r}")
        with _checks.about(f"samples[{number}]"):
            check_times(events.t)
    return [_mixed(samples, number, classes, probability, rng, longest) for number in range(len(samples))]


def _mixed(
    samples: Sequence[tuple[Events, int]],
    number: int,
    classes: int,
    probability: float,
    rng: np.random.Generator,
    longest: int | None,
) -> Mixed:
    events, label = samples[number]
    target = np.zeros(classes, np.float32)
    target[label] = 1.0
    if len(samples) == 1 or rng.random() >= probability:
        return Mixed(events, target)
    other, other_label = samples[(number + int(rng.integers(1, len(samples)))) % len(samples)]
    if not len(events) or not len(other):
        return Mixed(events, target)
    mixed, share = _with_stretch(events, _stretch(other, rng), other, longest)
    target[label] -= share
    target[other_label] += share
    return Mixed(mixed, target)


def _stretch(events: Events, rng: np.random.Generator) -> Events:
    """Consecutive events, at least one."""
    length = int(rng.integers(1, len(events), endpoint=True))
    start = int(rng.integers(len(events) - length, endpoint=True))
    return events[start : start + length]


def _with_stretch(
    events: Events, stretch: Events, other: Events, longest: int | None
) -> tuple[Events, np.float32]:
    """The recording with the other's stretch in it, and the share of events that are the stretch's."""
    moved = with_columns(stretch, t=stretch.t - other.t[0] + events.t[0])
    before = int(np.searchsorted(events.t, moved.t[0], side="left"))
    after = int(np.searchsorted(events.t, moved.t[-1], side="right"))
    mixed = Events.join(events.sensor, [events[:before], moved, events[after:]])[:longest]
    kept = len(mixed[before : before + len(moved)])
    return mixed, np.float32(kept / len(mixed))
