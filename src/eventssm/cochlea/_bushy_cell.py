"""Nerve fibres and bushy cells: chance, and the only place of it.

A fibre that is ready fires within a step with probability `h c dt`, `c` being the transmitter in its cleft.
The fibres of a channel see the same cleft, so the number of them that fire is binomial over those that are
ready: one draw gives exactly what a draw for each fibre gives. Draw `step * channels + channel` of the seed
belongs to one channel at one step, however the sound is cut.

The bushy cell's potential falls by `exp(-dt / decay)` each step, rises by `weight` for each spike, and at 1
makes an event and is 0 again.
"""

from typing import no_type_check

import numba
import numpy as np
from jaxtyping import Float64, Int64

from eventssm.cochlea._chance import start_of, uniform
from eventssm.cochlea._parameters import Cochlea


class BushyCells:
    """A bushy cell with its fibres for each channel: takes the transmitter in the clefts, gives events.

    It starts with all fibres ready and potentials of 0. Its result does not depend on how the sound is cut.
    """

    def __init__(self, cochlea: Cochlea, seed: int) -> None:
        cell, rate, channels = cochlea.bushy_cell, cochlea.rate, cochlea.channels
        self._start = start_of(seed)
        self._steps = 0
        self._firing = cochlea.hair_cell.firing / rate
        self._leak = float(np.exp(-1e3 / (cell.decay_ms * rate)))
        self._weight = cell.weight
        self._rest = _steps(cell.rest_ms, rate)
        self._fired = np.zeros((_steps(cell.fibre_rest_ms, rate), channels), np.uint8)
        self._ready = np.full(channels, cell.fibres, np.int64)
        self._potential = np.zeros(channels)
        self._resting = np.zeros(channels, np.int64)

    def push(
        self, cleft: Float64[np.ndarray, "step channel"]
    ) -> tuple[Int64[np.ndarray, " event"], Int64[np.ndarray, " event"]]:
        """Step, counted from the start, and channel of every event, in the order of steps and channels."""
        events = np.empty((2, cleft.size), np.int64)
        count = _run(
            cleft, events, self._start, self._steps, self._firing, self._leak, self._weight, self._rest,
            self._fired, self._ready, self._potential, self._resting,
        )  # fmt: skip
        self._steps += len(cleft)
        return events[0, :count].copy(), events[1, :count].copy()


def _steps(ms: float, rate: int) -> int:
    return max(1, round(ms * rate / 1e3))


@numba.njit(cache=True)
@no_type_check
def _run(cleft, events, start, before, firing, leak, weight, rest, fired, ready, potential, resting):
    count, channels = 0, cleft.shape[1]
    for n in range(cleft.shape[0]):
        step = before + n
        now = fired[step % fired.shape[0]]
        for i in range(channels):
            ready[i] += now[i]
            u = uniform(start, np.uint64(step * channels + i))
            spikes = _binomial(u, ready[i], min(firing * cleft[n, i], 1.0))
            now[i] = spikes
            ready[i] -= spikes
            if resting[i] > 0:
                resting[i] -= 1
                continue
            potential[i] = potential[i] * leak + weight * spikes
            if potential[i] >= 1.0:
                potential[i], resting[i] = 0.0, rest
                events[0, count], events[1, count] = step, i
                count += 1
    return count


@numba.njit(cache=True)
@no_type_check
def _binomial(u, trials, p):
    """How many of `trials` succeed, for a uniform number `u`: the least k with u < P(at most k)."""
    if u < 1.0 - trials * p:  # less than (1 - p)^trials, and most often so
        return 0
    if p >= 1.0:
        return trials
    chance = (1.0 - p) ** trials
    below, k = chance, 0
    while u >= below and k < trials:
        chance *= (trials - k) * p / ((k + 1) * (1.0 - p))
        k += 1
        below += chance
    return k
