"""Resampling in pieces against SciPy's of the whole."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import resample_poly

from eventssm.cochlea._resample import lowpass, resampled

RATES = (8000, 11_025, 16_000, 22_050, 24_000, 44_100, 96_000, 44_056)


def whole(sound: np.ndarray, rate: int, wanted: int) -> np.ndarray:
    shared = math.gcd(rate, wanted)
    up, down = wanted // shared, rate // shared
    return resample_poly(sound, up, down, window=lowpass(up, down) / up)


@pytest.mark.parametrize("rate", RATES)
def test_it_is_scipys(rate, rng):
    sound = rng.standard_normal(3001)
    want = whole(sound, rate, 48_000)
    got = np.concatenate(list(resampled([sound], rate, 48_000)))
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)


@given(st.lists(st.integers(0, 900), max_size=6), st.sampled_from(RATES), st.integers(1, 900))
@settings(max_examples=60)
def test_however_it_is_cut(cuts, rate, length):
    sound = np.random.default_rng(length).standard_normal(length)
    want = np.concatenate(list(resampled([sound], rate, 48_000)))
    got = list(resampled(np.split(sound, sorted(min(cut, length) for cut in cuts)), rate, 48_000))
    np.testing.assert_array_equal(np.concatenate(got), want)
    assert len(want) == -(-length * 48_000 // rate)


@pytest.mark.parametrize("rate", RATES)
def test_a_tone_stays_a_tone_at_its_time(rate):
    seconds = np.arange(rate) / rate
    got = np.concatenate(list(resampled([np.sin(2 * np.pi * 1000 * seconds)], rate, 48_000)))
    want = np.sin(2 * np.pi * 1000 * np.arange(48_000) / 48_000)
    np.testing.assert_allclose(got[2000:-2000], want[2000:-2000], atol=1e-3)


def test_tones_that_the_lower_rate_cannot_have_are_gone():
    sound = np.sin(2 * np.pi * 30_000 * np.arange(96_000) / 96_000)
    got = np.concatenate(list(resampled([sound], 96_000, 48_000)))
    assert np.abs(got[2000:-2000]).max() < 1e-3


def test_the_same_rate_changes_nothing(rng):
    sound = rng.standard_normal(100)
    (same,) = resampled([sound], 48_000, 48_000)
    assert same is sound
