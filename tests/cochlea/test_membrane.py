"""The membrane against its dense twin, against closed forms, and against how it is cut."""

import numpy as np
import pytest

from eventssm import InputError
from eventssm.cochlea import Cochlea, Membrane
from eventssm.cochlea import _parameters as parameters
from eventssm.cochlea._backwards import BackwardWave, memory_s
from eventssm.cochlea._membrane import ForwardWave, MembraneWave
from tests.cochlea import plain

RATE = 48_000


def response(cochlea: Cochlea, steps: int) -> np.ndarray:
    click = np.zeros(steps)
    click[0] = 1.0
    return MembraneWave(cochlea).push(click)


@pytest.mark.parametrize(("channels", "per_channel"), [(41, 1), (40, 1), (13, 3)])
def test_it_equals_the_dense_solution(channels, per_channel, rng, monkeypatch):
    monkeypatch.setattr(parameters, "FEWEST_SECTIONS", channels * per_channel)
    cochlea = Cochlea(channels=channels)
    assert cochlea.sections_per_channel == per_channel
    stapes = rng.standard_normal(600)
    want = plain.membrane(cochlea, channels * per_channel, stapes)[:, per_channel // 2 :: per_channel]
    got = MembraneWave(cochlea).push(stapes)
    assert np.abs(got - want).max() <= 1e-5 * np.abs(want).max()
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-9 * np.abs(want).max())


def test_it_equals_the_dense_solution_at_full_size(rng):
    stapes = 0.3 * rng.standard_normal(60)
    want = plain.membrane(Cochlea(), 700, stapes)
    got = MembraneWave(Cochlea()).push(stapes)
    assert np.abs(got - want).max() <= 1e-5 * np.abs(want).max()


def test_a_channel_is_in_the_middle_of_its_sections():
    assert [Cochlea(channels=n).sections_per_channel for n in (1, 2, 140, 350, 699, 700, 701)] == [
        701, 351, 5, 3, 3, 1, 1,
    ]  # fmt: skip
    every_fifth = response(Cochlea(), 500)[:, 2::5]
    np.testing.assert_array_equal(response(Cochlea(channels=140), 500), every_fifth)


def test_low_frequencies_move_the_membrane_as_statics_say():
    """Where inertia and damping are small, a wave obeys p'' = -k(x)² p, with k² = 2 ρ ω² / (h S).

    In z = (2 k / decay) that is Bessel's equation of order 0, so p ~ J0(z) - i Y0(z), and v = i ω p / S.
    """
    from scipy.special import hankel2

    membrane = Membrane(mass=1e-4, damping=1e-3)
    frequency, at = 200.0, np.array([50, 100, 150, 200])
    omega = 2 * np.pi * frequency
    steps = np.arange(RATE // 10)
    ramp = np.minimum(1.0, steps / (RATE * 0.02))
    got = MembraneWave(Cochlea(membrane=membrane)).push(ramp * np.sin(omega * steps / RATE))
    tail = slice(len(steps) // 2, None)
    wave = np.exp(-1j * omega * steps[tail] / RATE)
    amplitude = np.abs(2 * (got[tail] * wave[:, None]).mean(axis=0))[at]
    x = (at + 0.5) * 0.035 / 700

    def z(x: np.ndarray) -> np.ndarray:
        k = np.sqrt(2 * membrane.density / membrane.height / membrane.stiffness) * omega
        return 2 / membrane.decay * k * np.exp(membrane.decay * x / 2)

    # dp/dx = -i ω 2 ρ at x = 0 for a stapes of velocity 1; dz/dx = z decay / 2
    slope = abs(hankel2(1, z(np.zeros(1))[0])) * z(np.zeros(1))[0] * membrane.decay / 2
    pressure = 2 * membrane.density * omega / slope * np.abs(hankel2(0, z(x)))
    want = omega * pressure / (membrane.stiffness * np.exp(-membrane.decay * x))
    np.testing.assert_allclose(amplitude, want, rtol=0.02)


def test_the_places_of_tones():
    """Near its place a tone moves the membrane most; further on it dies. High tones are near the stapes."""
    spectrum = np.abs(np.fft.rfft(response(Cochlea(), RATE // 2), axis=0))
    frequencies = np.fft.rfftfreq(RATE // 2, 1 / RATE)
    best = {}
    for tone in (200, 500, 1000, 2000, 4000, 8000):
        along = spectrum[np.argmin(np.abs(frequencies - tone))]
        best[tone] = int(along.argmax())
        resonance = np.log(1e10 / 0.5 / (2 * np.pi * tone) ** 2) / 300 / 0.035 * 700
        assert best[tone] < resonance < 700 and resonance - best[tone] < 45
        assert along[min(best[tone] + 60, 699)] < 0.05 * along.max()
    assert list(best.values()) == sorted(best.values(), reverse=True)
    assert 85 < best[500] - best[1000] < 100  # ln 4 / 300 per metre an octave: 92 channels


def test_a_click_travels_and_leaves():
    velocity = response(Cochlea(), RATE)
    arrival = [int(np.abs(velocity[:, channel]).argmax()) for channel in (100, 300, 500, 600)]
    assert arrival == sorted(arrival) and arrival[-1] > 100
    energy = (velocity**2).sum(axis=1)
    assert np.isfinite(energy).all() and energy[-4800:].sum() < 1e-9 * energy.sum()


def test_however_it_is_cut(rng):
    stapes = rng.standard_normal(3000)
    whole = MembraneWave(Cochlea()).push(stapes)
    wave = MembraneWave(Cochlea())
    cuts = np.split(stapes, [1, 2, 700, 700, 1999])
    np.testing.assert_array_equal(np.concatenate([wave.push(cut) for cut in cuts]), whole)
    forward = ForwardWave(Cochlea())
    np.testing.assert_array_equal(np.concatenate(list(forward.push(stapes))), whole)
    assert list(forward.finish()) == []
    wave.start()
    np.testing.assert_array_equal(wave.push(stapes), whole)


@pytest.fixture(scope="module")
def backwards() -> tuple[np.ndarray, np.ndarray]:
    """Noise of three blocks and a bit, and the whole response to it backwards, played backwards."""
    stapes = 0.3 * np.random.default_rng(3).standard_normal(int(1.7 * RATE))
    return stapes, MembraneWave(Cochlea(channels=20)).push(stapes[::-1].copy())[::-1]


def test_backwards_is_the_response_played_backwards(backwards):
    stapes, want = backwards
    wave = BackwardWave(Cochlea(channels=20))
    early = list(wave.push(stapes))
    assert 0 < sum(map(len, early)) <= len(stapes) - memory_s(Cochlea()) * RATE
    got = np.concatenate([*early, *wave.finish()])
    assert got.shape == want.shape
    worst = np.abs(got - want).max(axis=0) / np.abs(want).max(axis=0)
    assert worst.max() <= 1e-5


def test_backwards_however_it_is_cut(backwards):
    stapes, _ = backwards
    whole, cut = BackwardWave(Cochlea(channels=20)), BackwardWave(Cochlea(channels=20))
    want = np.concatenate([*whole.push(stapes), *whole.finish()])
    parts = [block for part in np.split(stapes, [5, 50_000, 53_533]) for block in cut.push(part)]
    np.testing.assert_array_equal(np.concatenate([*parts, *cut.finish()]), want)


def test_a_membrane_that_hardly_forgets_is_not_played_backwards():
    barely = Membrane(damping=1.0)
    message = (
        r"membrane: expected damping that ends a motion within 10 s, for wave='published', got 3\.07e\+03 s"
    )
    with pytest.raises(InputError, match=message):
        BackwardWave(Cochlea(membrane=barely))
    ForwardWave(Cochlea(membrane=barely))


def test_backwards_of_nothing_and_of_one_step():
    wave = BackwardWave(Cochlea(channels=20))
    assert [*wave.push(np.zeros(0)), *wave.finish()] == []
    (one,) = [*wave.push(np.ones(1)), *wave.finish()]
    np.testing.assert_array_equal(one, MembraneWave(Cochlea(channels=20)).push(np.ones(1)))
