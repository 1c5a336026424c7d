"""Which recordings are read together, and in how much room: few shapes, little padding, bounded memory."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from jaxtyping import Int64

from eventssm import _checks
from eventssm.batching import choose_buckets

_ROWS = 128
_BUCKETS = 6


class Group(NamedTuple):
    """Recordings of similar length, padded to `size` events in `rows` rows, of which some may stay empty."""

    items: Int64[np.ndarray, " item"]
    rows: int
    size: int


def plan_groups(lengths: Int64[np.ndarray, " recording"], slots: int) -> Iterator[Group]:
    """Every recording in one group, the shortest first.

    A group has at most `slots` slots for events, or one row where a recording alone is longer. There are as
    many shapes (each a program to compile) as there are buckets of lengths.
    """
    _checks.check_size(slots, "slots")
    buckets = choose_buckets(lengths, _BUCKETS)
    order = np.argsort(lengths, kind="stable")
    bucket = np.searchsorted(buckets, lengths[order])
    for number, size in enumerate(buckets.tolist()):
        items = order[bucket == number]
        rows = max(1, min(_ROWS, slots // size, len(items)))
        for start in range(0, len(items), rows):
            yield Group(items[start : start + rows], rows, size)
