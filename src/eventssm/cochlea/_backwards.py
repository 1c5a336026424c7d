"""The membrane's response played backwards in time, as recordings of the published chain show it.

It is the response to the sound played backwards, itself played backwards, so that each moment depends on what
comes after it. As the membrane forgets, some of what comes is enough: the sound is gone through in blocks at
fixed places, each from a while after its end, where the membrane is at rest, to its start. The while is
what the slowest section, at the far end, takes to lose all but a ten-millionth of its motion.
"""

import math
from collections.abc import Iterator

import numpy as np
from jaxtyping import Float64

from eventssm import _checks
from eventssm.cochlea._membrane import MembraneWave
from eventssm.cochlea._parameters import LENGTH, Cochlea

_BLOCK_S = 0.5
_LEFT = 1e-7
_LONGEST_S = 10.0
_STEPS_AT_ONCE = 1024


class BackwardWave:
    """A membrane in motion whose response leads the sound: gives its velocity once what comes after is known.

    Its result does not depend on how the sound is cut into calls.
    """

    def __init__(self, cochlea: Cochlea) -> None:
        self._wave = MembraneWave(cochlea)
        self._channels = cochlea.channels
        self._block = round(_BLOCK_S * cochlea.rate)
        ahead = memory_s(cochlea)
        soon = f"damping that ends a motion within {_LONGEST_S:g} s, for wave='published'"
        _checks.check(ahead <= _LONGEST_S, "membrane", soon, f"{ahead:.3g} s")
        self._ahead = round(ahead * cochlea.rate)
        self._held = np.zeros(0)

    def push(self, stapes: Float64[np.ndarray, " step"]) -> Iterator[Float64[np.ndarray, "step channel"]]:
        """The velocity at every channel for the next steps, as far as it is known, in blocks."""
        self._held = np.concatenate([self._held, stapes])
        while len(self._held) >= self._block + self._ahead:
            yield self._next()

    def finish(self) -> Iterator[Float64[np.ndarray, "step channel"]]:
        """The rest, in blocks: after the sound the stapes is still."""
        while len(self._held):
            yield self._next()

    def _next(self) -> Float64[np.ndarray, "step channel"]:
        """The velocity in the next block."""
        stapes = self._held[: self._block + self._ahead]
        self._held = self._held[self._block :]
        velocity = np.empty((min(self._block, len(stapes)), self._channels))
        self._wave.start()
        for stop in range(len(stapes), 0, -_STEPS_AT_ONCE):
            start = max(0, stop - _STEPS_AT_ONCE)
            part = self._wave.push(stapes[start:stop][::-1].copy())[::-1]
            wanted = min(stop, len(velocity))
            if start < wanted:
                velocity[start:wanted] = part[: wanted - start]
        return velocity


def memory_s(cochlea: Cochlea) -> float:
    """Seconds of sound to come that the membrane's motion depends on."""
    membrane = cochlea.membrane
    damping = membrane.damping * math.exp(-membrane.decay * LENGTH / 2)
    return -math.log(_LEFT) * 2 * membrane.mass / damping
