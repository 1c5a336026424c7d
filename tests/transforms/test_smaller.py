"""Fewer events, and smaller sensors."""

import numpy as np
import pytest

from eventssm import Events, Sensor
from eventssm.transforms import Compose, Crop, Downsample, Rotate, Thin
from tests.transforms.recordings import CAMERA, COCHLEA, random_events


def test_crop_is_anywhere_or_at_the_start():
    events, rng = random_events(COCHLEA, 10), np.random.default_rng(0)
    places = [events[start : start + 7] for start in range(4)]
    found = [places.index(Crop(7)(events, rng)) for _ in range(2000)]
    assert np.bincount(found) / 2000 == pytest.approx([0.25] * 4, abs=0.04)
    assert Crop(7, random=False)(events, rng) == events[:7]
    assert np.shares_memory(Crop(7)(events, rng).t, events.t)
    assert Crop(10)(events, rng) == events == Crop(11)(events, rng)


def test_thin_takes_every_nth_from_any_phase(rng):
    events = random_events(CAMERA, 100)
    found = {tuple(Thin(3)(events, rng).t.tolist()) for _ in range(100)}
    assert found == {tuple(events[phase::3].t.tolist()) for phase in range(3)}
    assert Thin(3, random=False)(events, rng) == events[::3]
    assert len(Thin(1000, random=False)(events, rng)) == 1


def test_the_fewer_channels_of_a_cochlea(rng):
    events = Events(COCHLEA, t=np.arange(700), channel=np.arange(700))
    merged = Downsample(5)(events, rng)
    assert merged.sensor == Sensor(name="cochlea/5", channels=140)
    assert np.array_equal(merged.channel, np.arange(700) // 5) and np.array_equal(merged.t, events.t)
    thinned = Downsample(5, merge=False)(events, rng)
    assert thinned.sensor == merged.sensor
    assert thinned.channel.tolist() == list(range(140)) and thinned.t.tolist() == list(range(0, 700, 5))


def test_the_fewer_pixels_of_a_camera(rng):
    events = random_events(CAMERA, 5000)
    merged = Downsample(2)(events, rng)
    assert merged.sensor == Sensor(name="camera/2", width=64, height=48)
    assert np.array_equal(merged.x, events.x // 2) and np.array_equal(merged.y, events.y // 2)
    assert np.array_equal(merged.p, events.p) and np.array_equal(merged.t, events.t)
    first = (events.x % 2 == 0) & (events.y % 2 == 0)
    thinned = Downsample(2, merge=False)(events, rng)
    assert np.array_equal(thinned.t, events.t[first]) and np.array_equal(thinned.x, events.x[first] // 2)


@pytest.mark.parametrize(
    ("sensor", "shape"),
    [
        (Sensor(name="a", channels=10), (None, None, 3)),
        (Sensor(name="a", channels=1), (None, None, 1)),
        (Sensor(name="a", width=9, height=4), (3, 1, 6)),
        (Sensor(name="a", width=9, height=4, polarities=1), (3, 1, 3)),
    ],
)
def test_a_remainder_is_one_more(sensor, shape, rng):
    assert Downsample(4).sensor(sensor).shape == shape
    every = Events(sensor, t=np.arange(sensor.channels), channel=np.arange(sensor.channels))
    for merge in (True, False):
        assert np.unique(Downsample(4, merge)(every, rng).channel).tolist() == list(range(shape[2]))


def test_a_chain_says_the_sensor_that_comes_out(rng):
    chain = Compose([Rotate(5.0), Downsample(2), Compose([Downsample(4)]), Crop(100)])
    assert chain.sensor(CAMERA) == Sensor(name="camera/2/4", width=16, height=12)
    assert chain(random_events(CAMERA, 300), rng).sensor == chain.sensor(CAMERA)


def test_a_chain_is_its_transforms_one_after_the_other():
    events, one, two = random_events(CAMERA, 300), Rotate(30.0), Crop(100)
    rng = np.random.default_rng(5)
    plain = two(one(events, rng), rng)
    assert Compose([one, two])(events, np.random.default_rng(5)) == plain
    assert Compose([two, one])(events, np.random.default_rng(5)) != plain
