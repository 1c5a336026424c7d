"""Jitter of single pixels, and mirror images."""

import numpy as np
import pytest

from eventssm import Events, InputError, Sensor
from eventssm.transforms import Flip, SpatialJitter
from tests.transforms.recordings import CAMERA, random_events


def test_jitter_moves_the_expected_share_in_x_and_y(rng):
    count = 40_000
    events = Events(CAMERA, t=np.arange(count), x=[60] * count, y=[40] * count, p=[True] * count)
    changed = SpatialJitter(0.55)(events, rng)
    right, down = changed.x.astype(int) - 60, changed.y.astype(int) - 40
    for moved in (right, down):
        assert np.mean(moved > 0) == pytest.approx(0.1817, abs=0.01)
        assert np.mean(moved < 0) == pytest.approx(0.1817, abs=0.01)
    assert abs(np.corrcoef(right, down)[0, 1]) < 0.03
    assert changed.p.all() and np.array_equal(changed.t, events.t)


def test_edges_neither_gather_nor_lose_events(rng):
    events = random_events(CAMERA, 400_000)
    changed = SpatialJitter(2.0)(events, rng)
    for before, after in ((events.x, changed.x), (events.y, changed.y)):
        counts, mean = np.bincount(after), len(events) / (int(before.max()) + 1)
        assert counts[[0, 1, -2, -1]] == pytest.approx([mean] * 4, rel=0.1)


@pytest.mark.parametrize(("name", "column"), [("horizontal", "x"), ("vertical", "y"), ("polarity", "p")])
def test_a_flip_mirrors_one_column_and_twice_is_none(name, column, rng):
    events, flip = random_events(CAMERA, 500), Flip(**{name: 1.0})
    changed = flip(events, rng)
    highest = {"x": CAMERA.width - 1, "y": CAMERA.height - 1, "p": 1}
    for one in ("t", "x", "y", "p"):
        old, new = getattr(events, one).astype(int), getattr(changed, one).astype(int)
        assert np.array_equal(new, highest[one] - old if one == column else old)
    assert flip(changed, rng) == events


def test_flips_come_as_often_as_they_should_and_on_their_own(rng):
    events = Events(CAMERA, t=[0], x=[0], y=[0], p=[False])
    transform, flips = Flip(horizontal=0.5, vertical=0.25, polarity=0.1), []
    for _ in range(3000):
        changed = transform(events, rng)
        flips.append((changed.x[0] > 0, changed.y[0] > 0, changed.p[0]))
    assert np.mean(flips, axis=0) == pytest.approx([0.5, 0.25, 0.1], abs=0.03)
    assert np.mean([x and y for x, y, _ in flips]) == pytest.approx(0.125, abs=0.03)


def test_a_side_of_65536_pixels_is_flipped(rng):
    wide = Sensor(name="wide", width=2**16, height=2)
    events = Events(wide, t=[0, 1], x=[0, 2**16 - 1], y=[0, 0], p=[False, False])
    assert Flip(horizontal=1.0)(events, rng).x.tolist() == [2**16 - 1, 0]


def test_one_polarity_cannot_be_flipped(rng):
    mono = Sensor(name="mono", width=4, height=3, polarities=1)
    with pytest.raises(InputError, match="Flip: sensor 'mono': expected two polarities to flip, got 1"):
        Flip(polarity=0.1)(random_events(mono, 3), rng)
    assert Flip(horizontal=1.0).sensor(mono) == mono
