"""Lengths that batches are padded to: few, so that few programs are compiled, and close to what is there."""

import numpy as np
from jaxtyping import Int

from eventssm import _checks

_CANDIDATES = 256


def choose_buckets(
    lengths: Int[np.ndarray, " item"], count: int, multiple: int = 64
) -> Int[np.ndarray, " bucket"]:
    """At most `count` multiples of `multiple` with the least padding in all; the last holds every item.

    With candidates `c[0] < c[1] < ...` and `n[j]` items that fit into `c[j]`, buckets cost the sum of
    `c[j] (n[j] - n[i])` over neighbours `i, j`; a dynamic programme over the candidates finds the least.
    """
    _checks.check_size(count, "buckets")
    _checks.check_size(multiple, "multiple")
    rounded = np.maximum(-(-np.asarray(lengths, np.int64) // multiple), 1) * multiple
    if not len(rounded):
        return np.array([multiple], np.int64)
    candidates = np.unique(np.quantile(rounded, np.linspace(0, 1, _CANDIDATES), method="higher"))
    fitting = np.searchsorted(np.sort(rounded), candidates, side="right")
    cost = candidates * fitting
    first = [np.zeros(len(candidates), np.int64)]
    for _ in range(min(count, len(candidates)) - 1):
        # another[i, j]: what the buckets up to j cost when the one before j is i
        another = cost[:, None] + candidates * (fitting - fitting[:, None])
        another[np.tril_indices(len(candidates))] = np.iinfo(np.int64).max
        best = another.argmin(0)
        first.append(best)
        cost = np.append(cost[:1], another[best, np.arange(len(candidates))][1:])
    return candidates[_path(first)]


def _path(before: list[np.ndarray]) -> list[int]:
    """The buckets that end in the last candidate, by what each has before it."""
    chosen = [len(before[0]) - 1]
    for previous in reversed(before[1:]):
        if chosen[0] == 0:
            break
        chosen.insert(0, int(previous[chosen[0]]))
    return chosen
