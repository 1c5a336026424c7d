"""Batches: what is in them, and that nobody but seed, epoch and number has a say."""

import numpy as np
import pytest

import eventssm as es
from eventssm import Events, InputError
from eventssm.batching import BatchConfig, Batches
from eventssm.datasets import MemoryDataset, Sample
from eventssm.transforms import ChannelJitter, Crop, Downsample, EventDrop, TimeJitter, UniformNoise
from tests.datasets.small import CAMERA, COCHLEA, events_of

AUGMENTED = BatchConfig(
    batch_size=4,
    seed=5,
    transforms=(TimeJitter(3.0), ChannelJitter(0.6), UniformNoise(3), EventDrop(0.2)),
    cut_mix=0.5,
)


def dataset(count: int = 23, sensor=COCHLEA) -> MemoryDataset:
    samples = [Sample(events_of(sensor, 10 * number, number, 10**9), number % 3) for number in range(count)]
    return MemoryDataset(sensor, ["a", "b", "c"], samples)


def equal(one, other) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("sensor", [COCHLEA, CAMERA], ids=["cochlea", "camera"])
def test_evaluation_sees_every_recording_whole_and_once(sensor):
    data = dataset(sensor=sensor)
    batches = Batches(data, BatchConfig(batch_size=4, shuffle=False, buckets=2))
    seen = []
    for batch in batches.epoch(0):
        assert batch.channels.shape == batch.gaps.shape == (4, batch.channels.shape[1])
        assert batch.channels.shape[1] in batches.lengths and batch.cut == 0
        for row in range(4):
            sample, length = int(batch.samples[row]), int(batch.lengths[row])
            assert not batch.channels[row, length:].any() and not batch.gaps[row, length:].any()
            if sample < 0:
                assert length == 0 and not batch.targets[row].any()
                continue
            seen.append(sample)
            events, label = data[sample]
            assert np.array_equal(batch.channels[row, :length], events.channel)
            assert np.array_equal(batch.gaps[row, :length], events.gaps_ms())
            assert batch.targets[row].tolist() == [float(number == label) for number in range(3)]
    assert sorted(seen) == list(range(len(data)))


def test_an_incomplete_batch_is_filled_up_with_nothing():
    batches = list(Batches(dataset(5), BatchConfig(batch_size=4, shuffle=False)).epoch(0))
    assert [batch.samples.tolist() for batch in batches] == [[0, -1, -1, -1], [1, 2, 3, 4]]


def test_any_order_gives_the_same_batches():
    one, other = Batches(dataset(), AUGMENTED), Batches(dataset(), AUGMENTED)
    forwards = {(epoch, step): one.batch(epoch, step) for epoch in range(3) for step in range(one.steps)}
    for place in np.random.default_rng(0).permutation(list(forwards)).tolist():
        assert equal(other.batch(*place), forwards[tuple(place)])


def test_epochs_seeds_and_items_draw_anew():
    batches = Batches(dataset(), AUGMENTED)
    assert not equal(batches.batch(0, 0), batches.batch(1, 0))
    copies = MemoryDataset(COCHLEA, ["a"], [Sample(events_of(COCHLEA, 100, 0), 0)] * 2)
    batch = Batches(copies, BatchConfig(batch_size=2, transforms=(TimeJitter(50.0),))).batch(0, 0)
    assert not np.array_equal(batch.gaps[0], batch.gaps[1])


def test_augmentation_is_that_of_the_item_whatever_its_batch():
    """Another batch size puts an item with others; what becomes of it stays the same."""
    config = {"seed": 3, "transforms": (TimeJitter(3.0), EventDrop(0.3))}
    found: list[dict[int, bytes]] = []
    for size in (1, 5):
        rows = {}
        for batch in Batches(dataset(), BatchConfig(batch_size=size, **config)).epoch(2):
            for row, sample in enumerate(batch.samples.tolist()):
                rows[sample] = batch.gaps[row, : batch.lengths[row]].tobytes()
        found.append(rows)
    found[1].pop(-1, None)
    assert found[0] == found[1]


def test_every_recording_once_an_epoch_also_augmented():
    for epoch in range(3):
        samples = np.concatenate([batch.samples for batch in Batches(dataset(), AUGMENTED).epoch(epoch)])
        assert sorted(samples[samples >= 0]) == list(range(23))


def test_mixed_labels_sum_to_one_and_lengths_fit():
    mixed = 0
    for batch in Batches(dataset(), AUGMENTED).epoch(0):
        real = batch.samples >= 0
        assert batch.targets[real].sum(1) == pytest.approx(1.0, abs=1e-6)
        mixed += int(((batch.targets > 0).sum(1) > 1).sum())
        assert (batch.lengths <= batch.channels.shape[1]).all()
    assert 2 < mixed < 20


def test_slices_are_items_of_their_own():
    data = dataset()
    batches = Batches(data, BatchConfig(batch_size=3, shuffle=False, slice_events=64, overlap=14))
    assert batches.lengths[-1] == 64
    covered = [np.zeros(length, bool) for length in data.lengths]
    for batch in batches.epoch(0):
        for row, sample in enumerate(batch.samples.tolist()):
            if sample >= 0:
                events, length = data[sample].events, int(batch.lengths[row])
                starts = [
                    start
                    for start in range(len(events) - length + 1)
                    if np.array_equal(events.channel[start : start + length], batch.channels[row, :length])
                ]
                covered[sample][starts[0] : starts[0] + length] = True
                assert batch.gaps[row, 0] == 0
    assert all(part.all() for part in covered)


def test_buckets_follow_what_transforms_make_of_lengths():
    cropped = Batches(dataset(), BatchConfig(transforms=(Crop(64),), buckets=3))
    assert cropped.lengths == (64,)
    grown = Batches(dataset(), BatchConfig(batch_size=4, transforms=(UniformNoise(100),), buckets=3))
    assert grown.lengths[-1] >= 320 and all(batch.cut == 0 for batch in grown.epoch(0))


def test_events_beyond_the_longest_bucket_are_counted():
    """A transform that, unlike in the probes, adds events."""

    class Doubling(TimeJitter):
        def _change(self, events, rng):
            twice = Events.join(
                events.sensor, [events, events.trusted(COCHLEA, events.t, channel=events.channel)]
            )
            return twice if doubling else events

    doubling = False
    data = MemoryDataset(COCHLEA, ["a"], [Sample(Events(COCHLEA, t=[0] * 64, channel=[1] * 64), 0)])
    batches = Batches(data, BatchConfig(batch_size=1, transforms=(Doubling(0.0),)))
    doubling = True
    batch = batches.batch(0, 0)
    assert batch.cut == 64 and batch.lengths.tolist() == [64] and batch.padding == 0.0


def test_the_sensor_is_that_after_the_transforms():
    batches = Batches(dataset(sensor=CAMERA), BatchConfig(transforms=(Downsample(2),)))
    assert (batches.sensor.width, batches.sensor.height) == (
        3,
        2,
    ) or batches.sensor.channels < CAMERA.channels
    assert all(batch.channels.max() < batches.sensor.channels for batch in batches.epoch(0))


def test_padding_is_reported():
    batches = Batches(dataset(), BatchConfig(batch_size=4, shuffle=False, buckets=4))
    made = list(batches.epoch(0))
    slots = sum(batch.channels.size for batch in made)
    assert batches.padding == pytest.approx(1 - sum(int(batch.lengths.sum()) for batch in made) / slots)


def test_no_recordings_and_wrong_steps():
    empty = Batches(MemoryDataset(COCHLEA, ["a"], []), BatchConfig())
    assert empty.steps == 0 and list(empty.epoch(0)) == []
    with pytest.raises(InputError, match="step: expected 0 <= step < 0, got 0"):
        empty.batch(0, 0)


def test_real_speech():
    batches = Batches(es.datasets.load("digits", "train"), BatchConfig(shuffle=False, buckets=4))
    assert sum(int(batch.lengths.sum()) for batch in batches.epoch(0)) == 3_247_554
    assert batches.padding < 0.13
