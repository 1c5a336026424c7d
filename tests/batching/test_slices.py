"""Slices cover every event, and are of one size where they can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import InputError
from eventssm.batching import slice_counts, slice_table, slices


@st.composite
def sizes(draw: st.DrawFn) -> tuple[int, int]:
    size = draw(st.integers(1, 20))
    return size, draw(st.integers(0, size - 1))


def plain_slices(length: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """One after the other until the end is reached."""
    found, start = [], 0
    while length and (not found or found[-1][1] < length):
        stop = min(start + size, length)
        found.append((max(stop - size, 0), stop))
        start += size - overlap
    return found


@given(length=st.integers(0, 100), numbers=sizes())
def test_slices_cover_every_event(length, numbers):
    size, overlap = numbers
    found = slices(length, size, overlap)
    assert found == plain_slices(length, size, overlap)
    assert {event for start, stop in found for event in range(start, stop)} == set(range(length))
    assert all(stop - start == min(size, length) for start, stop in found)
    assert all(np.diff([start for start, _ in found[:-1]]) == size - overlap)


@given(lengths=st.lists(st.integers(0, 100), max_size=10), numbers=sizes())
def test_the_table_is_the_slices_of_every_recording(lengths, numbers):
    size, overlap = numbers
    want = [(i, *one) for i, length in enumerate(lengths) for one in plain_slices(length, size, overlap)]
    table = slice_table(lengths, size, overlap)
    assert [tuple(row) for row in table.tolist()] == want and table.shape == (len(want), 3)
    counts = [len(plain_slices(length, size, overlap)) for length in lengths]
    assert slice_counts(lengths, size, overlap).tolist() == counts


def test_the_slices_of_a_gesture():
    """300,000 events in slices of 65,536 that overlap by half."""
    found = slices(300_000, 65_536, 32_768)
    assert len(found) == 9 and found[0] == (0, 65_536) and found[1] == (32_768, 98_304)
    assert found[-1] == (234_464, 300_000)


def test_a_million_recordings_are_counted_at_once():
    lengths = np.full(1_000_000, 300_000)
    assert slice_counts(lengths, 65_536, 32_768).sum() == 9_000_000


@pytest.mark.parametrize(
    ("lengths", "size", "overlap", "message"),
    [
        ([5], 0, 0, "size: expected a whole number >= 1, got 0"),
        ([5], 4, -1, "overlap: expected a whole number >= 0, got -1"),
        ([5], 4, 4, "overlap: expected fewer events than size = 4, got 4"),
        ([5, -2], 4, 0, r"lengths\[1\]: expected a number of events >= 0, got -2"),
        ([5.5], 4, 0, "lengths: expected whole numbers, got dtype float64"),
        ([float("nan")], 4, 0, "lengths: expected whole numbers, got dtype float64"),
        ([[5]], 4, 0, r"lengths: expected one axis, got shape \(1, 1\)"),
    ],
)
def test_wrong_numbers(lengths, size, overlap, message):
    with pytest.raises(InputError, match=message):
        slice_counts(lengths, size, overlap)
    with pytest.raises(InputError, match=message):
        slice_table(lengths, size, overlap)
