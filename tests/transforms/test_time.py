"""Jitter and skew of times."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import Events, InputError
from eventssm.transforms import TimeJitter, TimeSkew
from tests.transforms.recordings import CAMERA, COCHLEA, columns, random_events, rows

FAR = Events(COCHLEA, t=np.arange(40_000) * 100_000, channel=np.arange(40_000) % 700)
"""Events so far apart that jitter does not change their order."""


@pytest.mark.parametrize("std", [0.4, 1.0, 50.0])
def test_jitter_is_a_rounded_normal(std, rng):
    moved = TimeJitter(std)(FAR, rng).t - FAR.t
    assert abs(moved.mean()) < 5 * max(std, 0.5) / math.sqrt(len(FAR))
    still = math.erf(0.5 / std / math.sqrt(2))
    assert np.mean(moved == 0) == pytest.approx(still, abs=0.015)
    assert moved.std() == pytest.approx(math.sqrt(std**2 + (1 / 12 if std >= 1 else 0)), rel=0.15)


@given(drawn=columns(), seed=st.integers(0, 99))
def test_jitter_keeps_events_with_their_times(drawn, seed):
    """The plain form: move every time, then sort the pairs by time alone, in Python's stable order."""
    events, std = Events(**drawn), 3.0
    moves = np.rint(std * np.random.default_rng(seed).standard_normal(len(events), dtype=np.float32))
    times = [abs(t + int(move)) for t, move in zip(events.t.tolist(), moves, strict=True)]
    pairs = sorted(zip(times, events.channel.tolist(), strict=True), key=lambda pair: pair[0])
    changed = TimeJitter(std)(events, np.random.default_rng(seed))
    assert list(zip(changed.t.tolist(), changed.channel.tolist(), strict=True)) == pairs


def test_no_event_piles_up_at_the_start(rng):
    """Events at every microsecond stay as dense at 0 as they are later."""
    events = Events(COCHLEA, t=np.repeat(np.arange(2000), 50), channel=np.zeros(100_000, int))
    counts = np.bincount(TimeJitter(20.0)(events, rng).t)
    assert counts[1:40].mean() == pytest.approx(50, rel=0.1) and counts[0] < 60


def test_skew_keeps_the_first_event_and_the_order_of_all(rng):
    events = random_events(CAMERA, 500)
    changed = TimeSkew(1.5)(events, rng)
    factor = changed.duration / events.duration
    np.testing.assert_allclose(changed.t - changed.t[0], (events.t - events.t[0]) * factor, atol=1.0)
    assert changed.t[0] == events.t[0] and np.array_equal(changed.channel, events.channel)


def test_skew_is_as_often_faster_as_slower():
    events = Events(COCHLEA, t=[5, 1_000_000_005], channel=[0, 0])
    rng = np.random.default_rng(0)
    logs = np.log([TimeSkew(2.0)(events, rng).duration / 1e9 for _ in range(3000)]) / math.log(2)
    assert np.all(np.abs(logs) <= 1.0000001)
    assert np.histogram(logs, bins=4, range=(-1, 1))[0] / 3000 == pytest.approx([0.25] * 4, abs=0.04)


def test_a_recording_at_the_time_of_day_is_exact(rng):
    """Microseconds since 1970 do not lose their last digits."""
    events = Events(COCHLEA, t=1_700_000_000_000_000 + np.arange(1000), channel=np.zeros(1000, int))
    assert rows(TimeSkew(1.0)(events, rng)) == rows(events)
    assert TimeSkew(1.2)(events, rng).t[0] == events.t[0]


@pytest.mark.parametrize("transform", [TimeJitter(1.0), TimeSkew(1.2)], ids=repr)
def test_times_too_late_to_be_moved(transform, rng):
    events = Events(COCHLEA, t=[0, 2**53], channel=[0, 0])
    message = f"t[1]: expected a time below {2**53} us, got {2**53}"
    with pytest.raises(InputError, match=re.escape(message)):
        transform(events, rng)
