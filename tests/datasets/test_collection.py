"""Splits: disjoint, the same everywhere."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import InputError
from eventssm.datasets import Collection, Entry, held_out, split_by_key, split_by_subject
from tests.datasets.small import COCHLEA, events_of

read = partial(events_of, COCHLEA, 3, 0)


def entries(count: int, people: int = 4) -> list[Entry]:
    return [Entry(f"k{number}", number % 3, f"p{number % people}", read) for number in range(count)]


@given(
    names=st.lists(st.text(min_size=1, max_size=4), max_size=40, unique=True),
    share=st.floats(0.01, 0.5),
    seed=st.randoms(),
)
def test_held_out_depends_on_the_names_alone(names, share, seed):
    chosen = held_out(names, "salt", share)
    shuffled = list(names)
    seed.shuffle(shuffled)
    assert held_out(shuffled, "salt", share) == chosen <= set(names)
    assert len(chosen) == (max(round(share * len(names)), 1) if len(names) > 1 else 0)


def test_a_name_that_joins_moves_at_most_one_other():
    names = [f"n{number}" for number in range(100)]
    assert len(held_out(names, "x") ^ held_out([*names, "new"], "x")) <= 2
    assert held_out(names, "x") != held_out(names, "y")


def test_held_out_stays_what_it_was():
    """The splits of published numbers hang on this."""
    assert held_out([str(speaker) for speaker in range(1, 41)], "audiomnist") == {"1", "8", "26", "30"}


def test_no_subject_stands_in_two_splits():
    splits = split_by_subject(entries(60, 6), (), "x")
    people = {split: {entry.subject for entry in members} for split, members in splits.items()}
    assert not people["train"] & people["validation"] and people["validation"]
    assert sum(map(len, splits.values())) == 60


def test_splits_by_key_take_the_same_share_of_every_class():
    splits = split_by_key(entries(60), (), "x")
    labels = [entry.label for entry in splits["validation"]]
    assert sorted(labels) == [0, 0, 1, 1, 2, 2] and len(splits["train"]) == 54


def test_wrong_collections_are_refused():
    one = Entry("k", 0, None, read)
    with pytest.raises(InputError, match="bad: expected every recording in one split, got one in two"):
        Collection("bad", COCHLEA, ("a",), {"train": (one,), "test": (one,)})
    with pytest.raises(InputError, match=r"split: expected one of train, validation, test, got 'tset'"):
        Collection("bad", COCHLEA, ("a",), {"tset": (one,)})
    with pytest.raises(InputError, match=r"label of k: expected 0 <= label < 2, got 2"):
        Collection("bad", COCHLEA, ("a", "b"), {"train": (Entry("k", 2, None, read),)})


def test_the_plan_digest_changes_with_what_matters():
    plain = Collection("x", COCHLEA, ("a",), {"train": (Entry("k", 0, "p", read, "1"),)})
    others = [
        Collection("y", COCHLEA, ("a",), plain.splits),
        Collection("x", COCHLEA, ("b",), plain.splits),
        Collection("x", COCHLEA, ("a",), {"test": plain.splits["train"]}),
        *(
            Collection("x", COCHLEA, ("a",), {"train": (entry,)})
            for entry in (
                Entry("l", 0, "p", read, "1"),
                Entry("k", 0, "q", read, "1"),
                Entry("k", 0, "p", read),
            )
        ),
    ]
    assert len({one.plan_digest() for one in [plain, *others]}) == 7
