"""Weighted sums of a table's rows over the groups of one recording, and their adjoint.

All arrays have one axis; a row has `wide` numbers, of which `lo` to `hi` are worked on. The weight of an
event is whatever makes the sum a mean. A row that does not exist makes the sum NaN.
"""

from typing import Any

import numpy as np
from numba import njit

from eventssm.kernels._lanes import load, splat, store, width


@njit(nogil=True)
def forward(
    zero: Any,
    lo: int,
    hi: int,
    wide: int,
    weights: Any,
    index: Any,
    rows: Any,
    steps: int,
    every: int,
    sums: Any,
) -> None:
    """Writes the sum of every whole group, zeros where there are no more."""
    limit = len(rows) // wide
    for s in range(lo, hi, width(zero)):
        at = s
        for group in range(steps // every):
            total = zero
            for m in range(group * every, (group + 1) * every):
                row = np.int64(index[m])
                if 0 <= row < limit:
                    total = total + splat(zero, weights[m]) * load(zero, rows, wide * row + s)
                else:
                    total = splat(zero, np.nan)
            store(sums, at, total)
            at += wide
        while at < len(sums):
            store(sums, at, zero)
            at += wide


@njit(nogil=True)
def backward(
    zero: Any,
    lo: int,
    hi: int,
    wide: int,
    weights: Any,
    index: Any,
    steps: int,
    every: int,
    to_sums: Any,
    to_rows: Any,
) -> None:
    """Adds to the cotangents of the rows."""
    limit = len(to_rows) // wide
    for s in range(lo, hi, width(zero)):
        for group in range(steps // every):
            cotangent = load(zero, to_sums, wide * group + s)
            for m in range(group * every, (group + 1) * every):
                row = np.int64(index[m])
                if 0 <= row < limit:
                    place = wide * row + s
                    value = load(zero, to_rows, place) + splat(zero, weights[m]) * cotangent
                    store(to_rows, place, value)
