"""Counters that start again, and values that hold."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eventssm.files._counter import Counter
from eventssm.files._held import Held


@given(st.integers(4, 32), st.data())
def test_a_counter_is_unwrapped_whatever_the_pieces(bits, data):
    steps = data.draw(st.lists(st.integers(0, (1 << bits - 1)), min_size=1, max_size=30))
    steps[0] = data.draw(st.integers(0, (1 << bits) - 1))
    times = np.cumsum(steps)
    counter = Counter(bits)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(times)), max_size=3)))
    pieces = np.split(times % (1 << bits), cuts)
    assert np.array_equal(np.concatenate([counter.unwrap(piece) for piece in pieces]), times)


def test_a_small_step_back_is_no_new_turn():
    assert Counter(8).unwrap(np.array([100, 90, 200, 80, 79])).tolist() == [100, 90, 200, 80, 79]
    assert Counter(8).unwrap(np.array([200, 72, 71])).tolist() == [200, 328, 327]


def test_a_value_holds_until_the_next_and_into_the_next_piece():
    held = Held()
    assert held.over(5, np.array([1, 3]), np.array([7, 9])).tolist() == [0, 7, 7, 9, 9]
    held.shift(1)
    assert held.over(2, np.array([], int), np.array([], int)).tolist() == [10, 10]
