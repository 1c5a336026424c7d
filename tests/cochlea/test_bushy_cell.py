"""Chance by its number, binomial draws, fibres that rest, and bushy cells against their plain twin."""

import numpy as np
import pytest
from scipy import stats

from eventssm import InputError
from eventssm.cochlea import BushyCell, Cochlea
from eventssm.cochlea._bushy_cell import BushyCells, _binomial
from eventssm.cochlea._chance import start_of, uniform
from eventssm.cochlea._hair_cell import at_rest


def test_the_generator_is_splitmix64():
    """The first outputs that Vigna's splitmix64.c gives from the seed 1234567."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    got = [uniform(np.uint64(1234567), np.uint64(number)) for number in range(4)]
    assert got == [(value >> 11) * 2.0**-53 for value in known]


def test_draws_are_even_and_seeds_differ():
    draws = np.array([uniform(start_of(5), np.uint64(number)) for number in range(20_000)])
    assert stats.kstest(draws, "uniform").pvalue > 0.01
    assert start_of(5) == start_of(5) != start_of(6)
    for bad in (-1, -(2**70)):
        with pytest.raises(InputError, match="seed: expected a whole number >= 0"):
            start_of(bad)


@pytest.mark.parametrize(("trials", "p"), [(40, 0.0), (40, 3e-4), (40, 0.05), (7, 0.9), (3, 1.0), (0, 0.5)])
def test_binomial_draws_invert_the_distribution(trials, p):
    numbers = (np.arange(4001) + 0.5) / 4001
    got = [_binomial(u, trials, p) for u in numbers]
    np.testing.assert_array_equal(got, stats.binom.ppf(numbers, trials, p))


def spikes_of(cochlea: Cochlea, cleft: np.ndarray, seed: int) -> tuple[np.ndarray, BushyCells]:
    """Spikes of all fibres at each step, seen one step at a time, and the cells that they went to."""
    cells, spikes = BushyCells(cochlea, seed), []
    for row in cleft:
        step = cells._steps
        cells.push(row[None])
        spikes.append(cells._fired[step % len(cells._fired)].astype(int))
    return np.array(spikes), cells


def test_cells_equal_the_plain_ones_on_the_same_spikes(rng):
    from tests.cochlea import plain

    cochlea = Cochlea(channels=6)
    cleft = np.abs(rng.standard_normal((3000, 6))) * np.geomspace(3e-4, 0.2, 6)
    spikes, _ = spikes_of(cochlea, cleft, 11)
    step, channel = BushyCells(cochlea, 11).push(cleft)
    assert np.lexsort((channel, step)).tolist() == list(range(len(step))) and len(step) > 100
    for number in range(6):
        want = plain.bushy_cell(cochlea.bushy_cell, cochlea.rate, spikes[:, number])
        assert step[channel == number].tolist() == want


def test_a_fibre_fires_once_a_millisecond_at_most(rng):
    cochlea = Cochlea(channels=4)
    cleft = np.full((2000, 4), 0.3)
    spikes, _ = spikes_of(cochlea, cleft, 2)
    window = np.stack([np.convolve(column, np.ones(48), "valid") for column in spikes.T])
    assert window.max() == 40
    # each fibre is a renewal process: 48 steps (the first is the spike's own), then geometric waiting
    p = min(1.0, 0.3 * 50_000 / 48_000)
    assert spikes[200:].mean() == pytest.approx(40 / (47 + 1 / p), rel=0.02)


def test_the_spontaneous_rate_is_that_of_the_published_recordings():
    """2.26 events a second and channel in the silence at the start of the recordings in ../shared."""
    cochlea = Cochlea()
    _, rest, _ = at_rest(cochlea.hair_cell)
    cells = BushyCells(cochlea, 0)
    count = sum(len(cells.push(np.full((4800, 700), rest))[0]) for _ in range(20))
    assert count / 2.0 / 700 == pytest.approx(2.26, rel=0.1)


def test_however_it_is_cut_and_whatever_the_seed(rng):
    cleft = np.full((900, 20), 3e-3)
    cochlea = Cochlea(channels=20)

    def run(seed: int, cuts: list[int]) -> list[tuple[int, int]]:
        cells = BushyCells(cochlea, seed)
        parts = [cells.push(part) for part in np.split(cleft, cuts)]
        return [(int(s), int(c)) for steps, channels in parts for s, c in zip(steps, channels, strict=True)]

    whole = run(4, [])
    assert len(whole) > 50
    assert run(4, [1, 17, 17, 500]) == whole
    assert run(5, []) != whole


def test_weight_and_leak_decide():
    """One fibre that always fires: a weight of 1 makes an event of every spike, one below it may never."""
    cleft = np.full((480, 1), 1.0)
    one = Cochlea(channels=1, bushy_cell=BushyCell(fibres=1, weight=1.0, rest_ms=0.5))
    assert BushyCells(one, 0).push(cleft)[0].tolist() == list(range(0, 480, 48))
    weak = Cochlea(channels=1, bushy_cell=BushyCell(fibres=1, weight=0.5, decay_ms=1.0))
    assert len(BushyCells(weak, 0).push(cleft)[0]) == 0
