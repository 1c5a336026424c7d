"""Counts over time, whose end is not known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import InputError
from eventssm.plots import TimeCounts


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=60), st.lists(st.integers(0, 60), max_size=3))
def test_any_pieces_and_any_duration(gaps, cuts):
    t = 77 + np.cumsum(gaps)
    row = np.arange(len(t)) % 3
    counts = TimeCounts(rows=3, bins=8, width=10)
    for times, rows in zip(np.split(t, sorted(cuts)), np.split(row, sorted(cuts)), strict=True):
        counts.add(times, rows)
    assert counts.start == t[0]
    edges = t[0] + counts.width * np.arange(counts.counts.shape[1] + 1)
    want = [np.histogram(t[row == one], edges)[0] for one in range(3)]
    assert np.array_equal(counts.counts, want)
    assert counts.counts.shape[1] <= 8 and (counts.width == 10 or counts.counts.shape[1] > 4)


def test_nothing():
    assert TimeCounts().counts.shape == (1, 0) and TimeCounts().start == 0


@pytest.mark.parametrize("bins", [0, 1, 7])
def test_bins_that_cannot_be_joined_in_pairs(bins):
    with pytest.raises(InputError, match=f"bins: expected an even number, got {bins}"):
        TimeCounts(bins=bins)
