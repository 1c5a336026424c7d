"""Inner hair cells: transmitter between a pool `q`, the cleft `c` and a store `w`, by Euler's rule.

    k  = g (s + A) / (s + A + B), 0 where s + A < 0        s: what moves the cell
    dq = y (1 - q) - k q + x w
    dc = k q - l c - r c
    dw = r c - x w

The pool's capacity is 1. The letters are those of the papers; `HairCell` says what they stand for.
"""

from typing import no_type_check

import numba
import numpy as np
from jaxtyping import Float64

from eventssm.cochlea._parameters import Cochlea, HairCell


class HairCells:
    """A hair cell for each channel: takes the membrane's velocity, gives the transmitter in the clefts.

    It starts as a long silence leaves it. Its result does not depend on how the sound is cut into calls.
    """

    def __init__(self, cochlea: Cochlea) -> None:
        cell = cochlea.hair_cell
        per_step = np.array([cell.release, cell.replenish, cell.loss, cell.reprocess, cell.recover])
        self._numbers = np.array([cell.a, cell.b, cochlea.drive, *(per_step / cochlea.rate)])
        self._transmitter = np.repeat(np.array(at_rest(cell))[:, None], cochlea.channels, axis=1)

    def push(self, velocity: Float64[np.ndarray, "step channel"]) -> Float64[np.ndarray, "step channel"]:
        """The transmitter in each cleft after each step."""
        cleft = np.empty_like(velocity)
        _run(velocity, cleft, self._numbers, self._transmitter)
        return cleft


def at_rest(cell: HairCell) -> tuple[float, float, float]:
    """Pool, cleft and store after a long silence."""
    k = cell.release * cell.a / (cell.a + cell.b)
    cleft = k * cell.replenish / (cell.replenish * (cell.loss + cell.recover) + k * cell.loss)
    return cleft * (cell.loss + cell.recover) / k, cleft, cleft * cell.recover / cell.reprocess


@numba.njit(cache=True)
@no_type_check
def _run(velocity, cleft, numbers, transmitter):
    a, b, drive, g, y, l, x, r = numbers  # noqa: E741
    q, c, w = transmitter[0], transmitter[1], transmitter[2]
    for n in range(velocity.shape[0]):
        for i in range(velocity.shape[1]):
            open_by = max(drive * velocity[n, i] + a, 0.0)
            released = g * open_by / (open_by + b) * q[i]
            recovered, reprocessed = r * c[i], x * w[i]
            q[i] += y * (1.0 - q[i]) - released + reprocessed
            c[i] += released - l * c[i] - recovered
            w[i] += recovered - reprocessed
            cleft[n, i] = c[i]
