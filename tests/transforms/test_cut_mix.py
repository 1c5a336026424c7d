"""Stretches of one recording in another."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventssm import Events, InputError, Sensor
from eventssm.transforms import Mixed, cut_mix
from tests.transforms.recordings import CAMERA, COCHLEA, assert_valid, columns, random_events

THREE = Sensor(name="three", channels=3)


def batch(lengths: list[int], sensor: Sensor = COCHLEA) -> list[tuple[Events, int]]:
    return [(random_events(sensor, length, seed), seed) for seed, length in enumerate(lengths)]


def of(sample: int, count: int = 1000, start: int = 0) -> Events:
    """Events whose channel is the number of their sample."""
    return Events(THREE, t=start + np.arange(count) * 10, channel=np.full(count, sample))


@settings(max_examples=50)
@given(drawn=st.lists(columns((COCHLEA,)) | columns((CAMERA,)), max_size=5), seed=st.integers(0, 999))
def test_valid_pure_and_labels_add_up(drawn, seed):
    sensor = drawn[0]["sensor"] if drawn else COCHLEA
    recordings = [Events(**one) for one in drawn if one["sensor"] == sensor]
    samples = [(events, number % 3) for number, events in enumerate(recordings)]
    before = copy.deepcopy(samples)
    mixed = cut_mix(samples, 4, 0.8, np.random.default_rng(seed))
    assert samples == before and len(mixed) == len(samples)
    for (events, label), one in zip(samples, mixed, strict=True):
        assert_valid(one.events)
        assert one.target.dtype == np.float32 and one.target.shape == (4,)
        assert one.target.sum() == pytest.approx(1.0, abs=1e-6) and one.target.min() >= 0
        if len(events) == 0:
            assert len(one.events) == 0 and one.target[label] == 1
    again = cut_mix(samples, 4, 0.8, np.random.default_rng(seed))
    for one, other in zip(mixed, again, strict=True):
        assert one.events == other.events and np.array_equal(one.target, other.target)


def test_the_target_is_the_share_of_events(rng):
    """Channels tell where every event came from."""
    samples = [(of(0, 1000), 2), (of(1, 400), 0), (of(2, 1500), 1)]
    for _ in range(50):
        for (_, label), one in zip(samples, cut_mix(samples, 3, 1.0, rng), strict=True):
            shares = np.bincount(one.events.channel, minlength=3) / len(one.events)
            assert one.target == pytest.approx(shares[[1, 2, 0]], abs=1e-6)
            assert one.target[label] < 1


def test_one_stretch_of_time_changes_hands(rng):
    """Before and after the stretch the recording is as it was; in it there is the other, whole."""
    samples = [(of(0), 0), (of(1), 1)]
    for _ in range(100):
        first = cut_mix(samples, 2, 1.0, rng)[0].events
        taken = np.flatnonzero(first.channel == 1)
        assert len(taken) and np.array_equal(taken, np.arange(taken[0], taken[-1] + 1))
        assert np.array_equal(first.t, np.arange(1000) * 10)


def test_times_are_counted_from_the_first_event(rng):
    """A slice from late in one recording mixes with the start of another."""
    samples = [(of(0, start=7), 0), (of(1, start=5_000_000), 1)]
    first, second = (one.events for one in cut_mix(samples, 2, 1.0, rng))
    assert np.array_equal(first.t, 7 + np.arange(1000) * 10)
    assert np.array_equal(second.t, 5_000_000 + np.arange(1000) * 10)


def test_every_length_and_place_of_the_stretch():
    samples, rng = [(of(0, 4), 0), (of(1, 4), 1)], np.random.default_rng(0)
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(1500):
        key = tuple(cut_mix(samples, 2, 1.0, rng)[0].events.channel.tolist())
        counts[key] = counts.get(key, 0) + 1
    want = {}
    for length in range(1, 5):
        for start in range(5 - length):
            key = tuple(int(start <= place < start + length) for place in range(4))
            want[key] = 375 / (5 - length)
    assert counts.keys() == want.keys()
    assert all(counts[key] == pytest.approx(want[key], rel=0.35) for key in want)


def test_a_long_stretch_makes_a_short_recording_longer(rng):
    samples = [(of(0, 10), 0), (of(1, 5000), 1)]
    lengths = [len(cut_mix(samples, 2, 1.0, rng)[0].events) for _ in range(50)]
    assert max(lengths) > 3000


def test_what_is_beyond_the_longest_does_not_count(rng):
    samples = [(of(0, 10), 0), (of(1, 5000), 1)]
    cut = 0
    for seed in range(40):
        whole = cut_mix(samples, 2, 1.0, np.random.default_rng(seed))[0].events
        events, target = cut_mix(samples, 2, 1.0, np.random.default_rng(seed), longest=12)[0]
        assert events == whole[:12]
        assert target[1] == pytest.approx(np.mean(events.channel == 1), abs=1e-6)
        cut += len(whole) > 12
    assert cut > 20
    with pytest.raises(InputError, match="longest: expected a whole number >= 1, got 0"):
        cut_mix(samples, 2, 1.0, rng, longest=0)


def test_probability_is_of_each_sample_and_partners_are_others():
    samples, rng = [(of(number), number) for number in range(3)], np.random.default_rng(0)
    runs = [cut_mix(samples, 3, 0.3, rng) for _ in range(1000)]
    changed = np.array([[one.target[number] < 1 for number, one in enumerate(run)] for run in runs])
    assert changed.mean(axis=0) == pytest.approx([0.3] * 3, abs=0.05)
    assert changed.all(axis=1).mean() == pytest.approx(0.027, abs=0.018)
    partners = [np.flatnonzero(run[0].target) for run in runs if run[0].target[0] < 1]
    assert np.mean([1 in partner for partner in partners]) == pytest.approx(0.5, abs=0.1)


def test_nothing_to_mix_with(rng):
    for samples in ([], batch([50]), batch([0, 50]), batch([50, 0], CAMERA), batch([0, 0])):
        for (events, label), one in zip(samples, cut_mix(samples, 2, 1.0, rng), strict=True):
            assert one.events == events and one.target[label] == 1 and one.target.sum() == 1
    samples = batch([30, 40])
    assert [one.events for one in cut_mix(samples, 2, 0.0, rng)] == [events for events, _ in samples]
    assert isinstance(cut_mix(samples, 2, 0.0, rng)[0], Mixed)


@pytest.mark.parametrize(
    ("samples", "classes", "probability", "message"),
    [
        (batch([3, 3]), 0, 0.5, "classes: expected a whole number >= 1, got 0"),
        (batch([3, 3]), 2, 1.5, "probability: expected 0 <= probability <= 1, got 1.5"),
        (batch([3, 3]), 2, float("nan"), "probability: expected .* got nan"),
        (batch([3, 3]), 1, 0.5, r"label\[1\]: expected 0 <= label < 1, got 1"),
        ([(of(0), -1)], 1, 0.5, r"label\[0\]: expected a whole number >= 0, got -1"),
        ([(of(0), "a")], 1, 0.5, r"label\[0\]: expected a whole number >= 0, got 'a'"),
        (
            [*batch([3]), *batch([3], CAMERA)],
            2,
            0.5,
            r"samples\[1\]: expected events of 'cochlea', got of 'camera'",
        ),
    ],
)
def test_wrong_arguments(samples, classes, probability, message, rng, as_a_user):
    with pytest.raises(InputError, match=message):
        cut_mix(samples, classes, probability, rng)


def test_times_too_late_to_be_moved(rng):
    late = Events(COCHLEA, t=[0, 2**53], channel=[0, 0])
    with pytest.raises(InputError, match=r"samples\[1\]: t\[1\]: expected a time below 9007199254740992 us"):
        cut_mix([(late[:1], 0), (late, 0)], 2, 1.0, rng)
