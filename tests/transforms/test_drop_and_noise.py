"""Events left out and events added."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import Events
from eventssm.transforms import ChunkDrop, EventDrop, UniformNoise
from eventssm.transforms._columns import inserted
from tests.transforms.recordings import CAMERA, COCHLEA, columns, random_events


def numbered(count: int) -> Events:
    """Events whose time is their number."""
    return Events(COCHLEA, t=np.arange(count), channel=np.arange(count) % 700)


def test_drop_leaves_out_its_rate_anywhere(rng):
    events = numbered(100_000)
    kept = EventDrop(0.1)(events, rng)
    assert np.array_equal(kept.channel, kept.t % 700)
    tenths = np.bincount(kept.t // 10_000)
    assert tenths == pytest.approx([9000] * 10, abs=150)
    assert np.mean(np.diff(kept.t) > 1) == pytest.approx(0.1, abs=0.01)
    assert len(EventDrop(1.0)(events, rng)) == 0


@pytest.mark.parametrize("count", [0, 1, 2, 50, 99, 1000])
def test_a_chunk_is_one_stretch_of_up_to_its_share(count, rng):
    events, longest = numbered(count), 0
    for _ in range(300):
        kept = ChunkDrop(0.1)(events, rng)
        lost = np.setdiff1d(events.t, kept.t)
        assert len(lost) <= 1 or np.array_equal(np.diff(lost), np.ones(len(lost) - 1))
        longest = max(longest, len(lost))
    assert longest == count // 10


def test_a_chunk_is_anywhere_with_any_length():
    events, rng = numbered(40), np.random.default_rng(0)
    chunks = [np.setdiff1d(events.t, ChunkDrop(0.1)(events, rng).t) for _ in range(4000)]
    lengths = [len(chunk) for chunk in chunks]
    assert np.bincount(lengths) / 4000 == pytest.approx([0.2] * 5, abs=0.03)
    starts = np.bincount([int(chunk[0]) for chunk in chunks if len(chunk) == 4], minlength=37)
    assert len(starts) == 37 and starts.min() > 0 and starts.max() < 60


def test_a_chunk_is_dropped_with_its_probability(rng):
    events = numbered(5000)
    dropped = [len(ChunkDrop(1.0, 0.3)(events, rng)) < 5000 for _ in range(2000)]
    assert np.mean(dropped) == pytest.approx(0.3, abs=0.04)


@pytest.mark.parametrize("sensor", [COCHLEA, CAMERA], ids=lambda sensor: sensor.name)
def test_noise_is_even_over_channels_and_time(sensor, rng):
    events = Events(sensor, t=[1000, 9000], channel=[0, 0])
    noise = UniformNoise(2_000_000)(events, rng)
    extra_t, extra = noise.t[1:-1], noise.channel[1:-1]
    assert noise.t[0] >= 1000 and noise.t[-1] <= 9000
    quarters = np.histogram(extra_t, bins=4, range=(1000, 9000))[0] / len(extra)
    assert quarters == pytest.approx([0.25] * 4, abs=0.01)
    counts = np.bincount(extra, minlength=sensor.channels)
    mean = len(extra) / sensor.channels
    assert np.mean((counts - mean) ** 2) / mean == pytest.approx(1.0, abs=0.3)


def test_noise_comes_after_events_of_its_time():
    events = Events(COCHLEA, t=[3, 5, 5, 9], channel=[1, 2, 3, 4])
    noisy = inserted(events, Events(COCHLEA, t=[3, 5, 5], channel=[11, 12, 13]))
    assert noisy.t.tolist() == [3, 3, 5, 5, 5, 5, 9]
    assert noisy.channel.tolist() == [1, 11, 2, 3, 12, 13, 4]


def test_noise_has_every_number_of_events_up_to_the_most():
    events, rng = random_events(COCHLEA, 10), np.random.default_rng(0)
    counts = np.bincount([len(UniformNoise(4)(events, rng)) - 10 for _ in range(3000)])
    assert counts / 3000 == pytest.approx([0.2] * 5, abs=0.03)


@given(drawn=columns(), seed=st.integers(0, 99))
def test_noise_keeps_the_events_in_their_order(drawn, seed):
    """Without the noise the recording is there as it was; at one time noise comes after."""
    events = Events(**drawn)
    noisy = UniformNoise(10)(events, np.random.default_rng(seed))
    rest = list(zip(noisy.t.tolist(), noisy.channel.tolist(), strict=True))
    found = 0
    for event in rest:
        if found < len(events) and event == (events.t[found], events.channel[found]):
            found += 1
    assert found == len(events) and len(noisy) <= len(events) + 10
    if len(events) == 0:
        assert len(noisy) == 0
