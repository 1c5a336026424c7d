"""Jitter and shift of a cochlea's channels."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import Events
from eventssm.transforms import ChannelJitter, ChannelShift
from eventssm.transforms._columns import reflected
from tests.transforms.recordings import COCHLEA, random_events


def at(channel: int, count: int = 40_000) -> Events:
    return Events(COCHLEA, t=np.arange(count), channel=np.full(count, channel))


@pytest.mark.parametrize(("std", "share"), [(0.55, 0.363), (1.0, 0.617), (0.1, 0.0)])
def test_jitter_moves_the_expected_share_both_ways(std, share, rng):
    """Rounded to the nearest: a normal of 0.55 moves 36 % of events; truncated it would be 7 %."""
    moved = ChannelJitter(std)(at(350), rng).channel - 350
    assert np.mean(moved != 0) == pytest.approx(share, abs=0.01)
    assert np.mean(moved > 0) == pytest.approx(share / 2, abs=0.01)
    assert share == pytest.approx(1 - math.erf(0.5 / std / math.sqrt(2)), abs=0.001)


def test_jitter_keeps_times_and_every_event(rng):
    events = random_events(COCHLEA, 5000)
    changed = ChannelJitter(3.0)(events, rng)
    assert np.array_equal(changed.t, events.t)
    assert np.abs(changed.channel - events.channel).max() <= 18


def test_edges_neither_gather_nor_lose_events(rng):
    events = Events(COCHLEA, t=np.zeros(700_000, int), channel=np.repeat(np.arange(700), 1000))
    counts = np.bincount(ChannelJitter(2.0)(events, rng).channel, minlength=700)
    for edge in (counts[:3], counts[-3:]):
        assert edge == pytest.approx([1000] * 3, abs=160)


@given(values=st.lists(st.integers(-(2**40), 2**40)), size=st.integers(1, 50))
def test_reflection_is_a_walk_between_two_walls(values, size):
    """The plain form: a mirror behind each edge, as often as it is needed."""
    there_and_back = [*range(size), *reversed(range(size))]
    want = [there_and_back[value % (2 * size)] for value in values]
    assert reflected(np.array(values, np.int64), size).tolist() == want


def test_reflection_at_the_edges():
    assert reflected(np.arange(-3, 8), 5).tolist() == [2, 1, 0, 0, 1, 2, 3, 4, 4, 3, 2]


def test_shift_moves_all_by_one_number(rng):
    events = at(350, 20)
    shifts = [set((ChannelShift(4)(events, rng).channel - 350).tolist()) for _ in range(3000)]
    assert all(len(shift) == 1 for shift in shifts)
    counts = np.bincount([shift.pop() + 4 for shift in shifts], minlength=9)
    assert len(counts) == 9 and counts / 3000 == pytest.approx([1 / 9] * 9, abs=0.03)


def test_shift_leaves_out_what_leaves_the_sensor(rng):
    events = Events(COCHLEA, t=np.arange(700), channel=np.arange(700))
    for _ in range(50):
        changed = ChannelShift(30)(events, rng)
        shift = int(changed.channel[0] - changed.t[0])
        assert len(changed) == 700 - abs(shift)
        assert np.array_equal(changed.channel, changed.t + shift)
