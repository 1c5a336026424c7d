"""Random numbers by their number: draw n of a seed is the same whenever and wherever it is drawn.

Draw n is the n-th output of SplitMix64 (Steele, Lea and Flood 2014) from a start that NumPy's `SeedSequence`
makes of the seed.
"""

from typing import no_type_check

import numba
import numpy as np

from eventssm import _checks

_STEP = np.uint64(0x9E3779B97F4A7C15)


def start_of(seed: int) -> np.uint64:
    """Where the draws of a seed start."""
    _checks.check_size(seed, "seed", 0)
    return np.random.SeedSequence(int(seed)).generate_state(1, np.uint64)[0]


@numba.njit(cache=True, inline="always")
@no_type_check
def uniform(start, number):
    """Draw `number`, in 0 <= u < 1."""
    z = start + (number + np.uint64(1)) * _STEP
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * 2.0**-53
