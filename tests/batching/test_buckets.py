"""Lengths of batches: the best there are."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import InputError
from eventssm.batching import choose_buckets


def padded(lengths, buckets):
    """Slots of all items, each in the smallest bucket that holds it."""
    return sum(min(bucket for bucket in buckets if bucket >= length) for length in lengths)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=12), st.integers(1, 4), st.sampled_from([1, 4]))
def test_no_choice_is_better(lengths, count, multiple):
    found = choose_buckets(np.array(lengths), count, multiple).tolist()
    rounded = sorted({max(-(-length // multiple), 1) * multiple for length in lengths})
    assert found == sorted(set(found)) and set(found) <= set(rounded) and found[-1] == rounded[-1]
    assert len(found) <= count
    others = itertools.combinations(rounded[:-1], min(count, len(rounded)) - 1)
    best = min(padded(lengths, [*chosen, rounded[-1]]) for chosen in others)
    assert padded(lengths, found) == best


def test_better_than_equally_filled_buckets():
    lengths = np.random.default_rng(0).gamma(4.0, 2000.0, 100_000).astype(np.int64)

    def slots(buckets):
        return int(buckets[np.searchsorted(buckets, lengths)].sum())

    buckets = choose_buckets(lengths, 8)
    equally = np.quantile(lengths, np.arange(1, 9) / 8, method="higher")
    assert len(buckets) == 8 and (buckets % 64 == 0).all()
    assert slots(buckets) < 0.97 * slots(equally)


def test_nothing_and_nonsense():
    assert choose_buckets(np.zeros(0, np.int64), 3).tolist() == [64]
    assert choose_buckets(np.zeros(5, np.int64), 3).tolist() == [64]
    with pytest.raises(InputError, match="buckets: expected a whole number >= 1, got 0"):
        choose_buckets(np.array([1]), 0)
