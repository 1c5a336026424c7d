"""Movements of the whole picture."""

import math

import numpy as np
import pytest

from eventssm import Events, Sensor
from eventssm.transforms import Roll, Rotate, Scale
from eventssm.transforms._geometry import _linear
from tests.transforms.recordings import CAMERA, random_events

SQUARE = Sensor(name="square", width=40, height=40)


def every_pixel(sensor: Sensor) -> Events:
    """One event of every channel, its time its channel."""
    channel = np.arange(sensor.channels)
    return Events(sensor, t=channel, channel=channel)


def pixels(events: Events) -> np.ndarray:
    return np.stack((events.x, events.y), axis=1).astype(np.int64)


def origins(events: Events) -> np.ndarray:
    """Where the events of `every_pixel` were."""
    x, y, _ = events.sensor.coordinates(events.t)
    return np.stack((x, y), axis=1).astype(np.int64)


def test_roll_is_unbiased_in_both_directions():
    events, rng = Events(SQUARE, t=[0], x=[20], y=[20], p=[True]), np.random.default_rng(3)
    moves = np.array([pixels(Roll(2)(events, rng))[0] - 20 for _ in range(5000)])
    for axis in (0, 1):
        assert np.bincount(moves[:, axis] + 2, minlength=5) / 5000 == pytest.approx([0.2] * 5, abs=0.03)
    assert abs(np.corrcoef(moves.T)[0, 1]) < 0.05


def test_roll_moves_all_alike_and_leaves_out_what_leaves(rng):
    events = every_pixel(CAMERA)
    for _ in range(20):
        changed = Roll(9)(events, rng)
        (move,) = np.unique(pixels(changed) - origins(changed), axis=0)
        assert len(changed) == 2 * (128 - abs(move[0])) * (96 - abs(move[1]))


def test_roll_with_wrap_keeps_every_event(rng):
    events = every_pixel(CAMERA)
    changed = Roll(300, wrap=True)(events, rng)
    assert np.array_equal(changed.t, events.t) and len(np.unique(changed.channel)) == len(events)
    (move,) = np.unique((pixels(changed) - pixels(events)) % (128, 96), axis=0)
    assert move.any()


@pytest.mark.parametrize("sensor", [SQUARE, Sensor(name="odd", width=9, height=9)], ids=["even", "odd"])
def test_a_quarter_turn_is_exact(sensor):
    """About the centre: the first pixel of the first row becomes the last of it, and four turns are none."""
    events = every_pixel(sensor)
    turned = _linear(events, math.cos(math.pi / 2), math.sin(math.pi / 2))
    assert len(turned) == len(events)
    assert np.array_equal(turned.x, sensor.width - 1 - events.y) and np.array_equal(turned.y, events.x)
    for _ in range(3):
        turned = _linear(turned, math.cos(math.pi / 2), math.sin(math.pi / 2))
    assert turned == events


@pytest.mark.parametrize("degrees", [1.0, 10.0, 45.0, 100.0])
def test_rotation_there_and_back_comes_within_a_pixel(degrees):
    events, angle = every_pixel(SQUARE), math.radians(degrees)
    there = _linear(events, math.cos(angle), math.sin(angle))
    back = _linear(there, math.cos(angle), -math.sin(angle))
    assert len(back) > 0.75 * len(events)
    assert np.abs(pixels(back) - origins(back)).max() <= 1


def test_rotation_is_the_matrix_of_its_angle(rng):
    """The plain form: each pixel by itself, about (width - 1) / 2, (height - 1) / 2."""
    events, angle = every_pixel(CAMERA), math.radians(-20.0)
    want = {}
    for t, x, y in zip(events.t.tolist(), events.x.tolist(), events.y.tolist(), strict=True):
        dx, dy = x - 63.5, y - 47.5
        new_x = round(63.5 + dx * math.cos(angle) - dy * math.sin(angle))
        new_y = round(47.5 + dx * math.sin(angle) + dy * math.cos(angle))
        if 0 <= new_x < 128 and 0 <= new_y < 96:
            want[t] = (new_x, new_y)
    changed = _linear(events, math.cos(angle), math.sin(angle))
    assert dict(zip(changed.t.tolist(), map(tuple, pixels(changed).tolist()), strict=True)) == want
    assert np.array_equal(changed.p, events.p[changed.t])


def test_angles_are_uniform_both_ways():
    """A pixel far from the centre tells the angle."""
    wide = Sensor(name="wide", width=2001, height=2001)
    events, rng = Events(wide, t=[0], x=[2000], y=[1000], p=[True]), np.random.default_rng(0)
    turned = [pixels(Rotate(40.0)(events, rng))[0] - 1000 for _ in range(3000)]
    angles = np.degrees([math.atan2(y, x) for x, y in turned])
    assert np.histogram(angles, bins=4, range=(-40, 40))[0] / 3000 == pytest.approx([0.25] * 4, abs=0.03)


def test_scale_is_about_the_centre_and_as_often_larger_as_smaller():
    wide = Sensor(name="wide", width=2001, height=2001)
    events = Events(wide, t=[0, 1], x=[1000, 1400], y=[1000, 600], p=[True, True])
    rng = np.random.default_rng(0)
    factors = []
    for _ in range(3000):
        changed = pixels(Scale(2.0)(events, rng)) - 1000
        assert changed[0].tolist() == [0, 0] and changed[1, 0] == -changed[1, 1]
        factors.append(changed[1, 0] / 400)
    logs = np.log2(factors)
    assert np.all(np.abs(logs) < 1.01)
    assert np.histogram(logs, bins=4, range=(-1, 1))[0] / 3000 == pytest.approx([0.25] * 4, abs=0.03)


def test_a_larger_picture_loses_its_rim_and_a_smaller_one_nothing(rng):
    events = every_pixel(SQUARE)
    assert len(_linear(events, 0.5, 0.0)) == len(events)
    larger = _linear(events, 1.9, 0.0)
    assert len(larger) == pytest.approx(len(events) / 1.9**2, rel=0.1)
    assert np.abs(origins(larger) - 19.5).max() <= 19.5 / 1.9 + 0.5


@pytest.mark.parametrize("transform", [Roll(30, 0.3), Rotate(90.0, 0.3), Scale(3.0, 0.3)], ids=repr)
def test_probability_is_how_often(transform, rng):
    events = random_events(CAMERA, 50)
    changed = [transform(events, rng) != events for _ in range(2000)]
    assert np.mean(changed) == pytest.approx(0.3, abs=0.04)
