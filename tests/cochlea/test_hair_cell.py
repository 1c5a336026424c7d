"""Hair cells against their plain twin, and against what the balance of transmitter says."""

import numpy as np
import pytest

from eventssm.cochlea import Cochlea, HairCell
from eventssm.cochlea._hair_cell import HairCells, at_rest
from tests.cochlea import plain


def test_they_equal_the_plain_equations(rng):
    cochlea = Cochlea(channels=7)
    velocity = rng.standard_normal((2000, 7)) * np.geomspace(0.01, 1000, 7)
    got = HairCells(cochlea).push(velocity)
    want = np.stack(
        [plain.hair_cell(cochlea.hair_cell, cochlea.rate, cochlea.drive * column) for column in velocity.T]
    ).T
    assert np.abs(got - want).max() <= 1e-5 * np.abs(want).max()
    np.testing.assert_allclose(got, want, rtol=1e-10)


def test_silence_changes_nothing():
    cell, cochlea = HairCell(), Cochlea(channels=3)
    _, cleft, _ = at_rest(cell)
    np.testing.assert_allclose(HairCells(cochlea).push(np.zeros((48_000, 3))), cleft, rtol=1e-9)
    assert cell.firing * cleft == pytest.approx(15.5, abs=0.1)  # spikes a second: a medium spontaneous rate


def test_a_loud_tone_adapts_and_silence_after_it_is_quieter_than_rest():
    cochlea = Cochlea(channels=1)
    cells = HairCells(cochlea)
    tone = 100.0 * np.sin(2 * np.pi * 1000 * np.arange(24_000) / 48_000)
    during = cells.push(tone[:, None])[:, 0]
    after = cells.push(np.zeros((2400, 1)))[:, 0]
    _, rest, _ = at_rest(cochlea.hair_cell)
    assert during[:480].mean() > 2 * during[-4800:].mean() > 4 * rest
    assert after[480:].max() < rest


def test_it_does_not_open_when_pulled_the_other_way():
    cells = HairCells(Cochlea(channels=1))
    cleft = cells.push(np.full((4800, 1), -1000.0))
    assert (np.diff(cleft[:, 0]) <= 0).all() and 0 <= cleft[-1, 0] < 1e-6 * cleft[0, 0]


def test_however_it_is_cut(rng):
    velocity = rng.standard_normal((1000, 5))
    whole = HairCells(Cochlea(channels=5)).push(velocity)
    cells = HairCells(Cochlea(channels=5))
    parts = [cells.push(part) for part in np.split(velocity, [1, 400, 400])]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
