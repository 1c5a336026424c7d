"""Microseconds to gaps in milliseconds, exact at the end of a long recording as at its start."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eventssm import gaps_ms


def test_the_gap_is_the_one_before():
    gaps = gaps_ms(np.array([1000, 1500, 1500, 4500]))
    assert gaps.tolist() == [0.0, 0.5, 0.0, 3.0] and gaps.dtype == np.float32


def test_a_stream_goes_on():
    t = np.array([1000, 1500, 1500, 4500])
    pieces = gaps_ms(t[:2]), gaps_ms(t[2:], previous=1500)
    assert np.array_equal(np.concatenate(pieces), gaps_ms(t))


def test_no_events():
    assert gaps_ms(np.zeros(0, np.int64)).tolist() == []
    assert gaps_ms(np.zeros(0, np.int64), previous=3).tolist() == []


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=30), st.integers(0, 2**62))
def test_gaps_do_not_depend_on_how_long_a_stream_has_run(steps, start):
    times = np.cumsum([0, *steps])
    gaps = gaps_ms(times + start)
    assert np.array_equal(gaps, gaps_ms(times))
    assert np.array_equal(gaps[1:], (np.array(steps) / 1000.0).astype(np.float32))
