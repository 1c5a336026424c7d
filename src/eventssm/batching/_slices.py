"""Long recordings cut into slices of one size, by count of events."""

import numpy as np
from jaxtyping import Int64
from numpy.typing import ArrayLike

from eventssm import _checks


def slices(length: int, size: int, overlap: int = 0) -> list[tuple[int, int]]:
    """Start and stop of the slices of a recording of `length` events.

    A slice starts `size - overlap` events after the one before. Every event is in one. The last slice is
    shifted back to end with the recording, so that all have `size` events; a shorter recording is one slice
    as it is, and an empty one has none.
    """
    return [(int(start), int(stop)) for _, start, stop in slice_table([length], size, overlap)]


def slice_counts(lengths: ArrayLike, size: int, overlap: int = 0) -> Int64[np.ndarray, " sample"]:
    """How many slices each recording of a data set has."""
    _checks.check_size(size, "size")
    _checks.check_size(overlap, "overlap", 0)
    _checks.check(overlap < size, "overlap", f"fewer events than size = {size}", overlap)
    length = _whole(lengths)
    more = np.maximum(length - size, 0)
    return np.minimum(length, 1) - (-more // (size - overlap))


def slice_table(lengths: ArrayLike, size: int, overlap: int = 0) -> Int64[np.ndarray, "slice 3"]:
    """All slices of a data set, one row each: the recording's index, start and stop."""
    length = _whole(lengths)
    counts = slice_counts(length, size, overlap)
    sample = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(sample)) - np.repeat(np.cumsum(counts) - counts, counts)
    latest = np.maximum(length - size, 0)[sample]
    start = np.minimum(place * (size - overlap), latest)
    return np.stack((sample, start, np.minimum(start + size, length[sample])), axis=1)


def _whole(lengths: ArrayLike) -> np.ndarray:
    """Checked numbers of events."""
    array = np.asarray(lengths)
    _checks.check(array.ndim == 1, "lengths", "one axis", f"shape {array.shape}")
    whole = array.dtype.kind in "iu" or not len(array)
    _checks.check(whole, "lengths", "whole numbers", f"dtype {array.dtype}")
    _checks.check_every(array >= 0, "lengths", "a number of events >= 0", array)
    return array.astype(np.int64)
