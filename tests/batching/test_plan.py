"""Plans: every item once, the same each time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import InputError
from eventssm.batching import Plan, choose_buckets


@given(
    lengths=st.lists(st.integers(0, 500), max_size=60),
    size=st.integers(1, 9),
    buckets=st.integers(1, 4),
    shuffle=st.booleans(),
    epoch=st.integers(0, 5),
)
def test_every_item_once_in_a_batch_that_holds_it(lengths, size, buckets, shuffle, epoch):
    lengths = np.array(lengths, np.int64)
    plan = Plan(lengths, choose_buckets(lengths, buckets, 16), size, 3, shuffle)
    batches = plan.epoch(epoch)
    items = [item for batch in batches for item in batch.items.tolist()]
    assert sorted(items) == list(range(len(lengths)))
    assert len(batches) == plan.steps == -(-len(lengths) // size)
    assert sum(len(batch.items) < size for batch in batches) <= 1
    for batch in batches:
        assert batch.size in plan.buckets and lengths[batch.items].max() <= batch.size
    for batch, again in zip(batches, plan.epoch(epoch), strict=True):
        assert np.array_equal(batch.items, again.items) and batch.size == again.size


def plan(shuffle, seed=0):
    lengths = np.random.default_rng(0).integers(1, 1000, 200)
    return Plan(lengths, choose_buckets(lengths, 4), 8, seed, shuffle)


def order(one, epoch):
    return [batch.items.tolist() for batch in one.epoch(epoch)]


def test_epochs_and_seeds_differ():
    assert order(plan(True), 0) != order(plan(True), 1)
    assert order(plan(True, seed=1), 0) != order(plan(True), 0)


def test_batches_of_one_bucket_are_made_up_anew():
    """Not only their order changes."""
    neighbours = [{frozenset(batch) for batch in order(plan(True), epoch)} for epoch in (0, 1)]
    assert len(neighbours[0] & neighbours[1]) < 3


def test_without_shuffling_items_go_by_length():
    one = plan(False)
    items = [item for batch in order(one, 0) for item in batch]
    assert (np.diff(one.lengths[items]) >= 0).all() and order(one, 7) == order(one, 0)


def test_the_incomplete_batch_is_of_the_shortest():
    lengths = np.array([5, 40, 6, 41, 7, 42, 8])
    batches = Plan(lengths, np.array([10, 50]), 3, 0, False).epoch(0)
    assert [(batch.items.tolist(), batch.size) for batch in batches] == [
        ([0], 10),
        ([2, 4, 6], 10),
        ([1, 3, 5], 50),
    ]


def test_padding_is_the_share_of_empty_slots():
    one = Plan(np.array([10, 20, 40]), np.array([20, 40]), 2, 0, False)
    assert one.padding == pytest.approx(1 - 70 / (2 * 20 + 2 * 40))
    assert Plan(np.zeros(0, np.int64), np.array([64]), 2, 0, True).padding == 0.0


def test_wrong_sizes():
    with pytest.raises(InputError, match="batch_size: expected a whole number >= 1, got 0"):
        Plan(np.array([1]), np.array([64]), 0, 0, True)
    with pytest.raises(InputError, match="seed: expected a whole number >= 0, got -1"):
        Plan(np.array([1]), np.array([64]), 1, -1, True)
