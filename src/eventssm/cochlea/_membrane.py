"""The travelling wave: long waves in an inviscid, incompressible fluid over a membrane, step by step.

With the membrane's velocity `v`, its displacement `y` and the pressure difference `p` across it:

    d²p/dx² = (2 density / height) dv/dt                   the fluid on both sides
    p = mass dv/dt + damping(x) v + stiffness(x) y         the membrane
    dp/dx = -2 density du/dt  at x = 0                     the stapes, which moves with velocity u
    p = 2 density c w         at the far end               where a wave leaves with its speed c

and `w` the fluid's velocity at the far end, `dp/dx = -2 density dw/dt` there. Space is cut into sections with
all values in their middles; time goes by the trapezoidal rule, with pressures between two steps. What remains
to be solved at each step is one tridiagonal system that is always the same: it is factored from both ends
towards the middle, so that two chains of operations run side by side.
"""

from collections.abc import Iterator
from typing import no_type_check

import numba
import numpy as np
from jaxtyping import Float64

from eventssm.cochlea._parameters import LENGTH, Cochlea

STEPS_AT_ONCE = 256
"""So many that what they need stays in the processor's own memory."""


class MembraneWave:
    """A membrane in motion: takes the stapes' velocity, gives the membrane's at every channel.

    It starts at rest. Its result does not depend on how the sound is cut into calls.
    """

    def __init__(self, cochlea: Cochlea) -> None:
        per_channel = cochlea.sections_per_channel
        sections = cochlea.channels * per_channel
        membrane, dt = cochlea.membrane, 1.0 / cochlea.rate
        dx = LENGTH / sections
        x = (np.arange(sections) + 0.5) * dx
        stiffness = membrane.stiffness * np.exp(-membrane.decay * x)
        damping = membrane.damping * np.exp(-membrane.decay * x / 2)
        at_end = membrane.stiffness * np.exp(-membrane.decay * LENGTH)
        speed = np.sqrt(membrane.height * at_end / (2 * membrane.density))

        inertia = membrane.mass + damping * dt / 2 + stiffness * dt**2 / 4
        coupling = 2 * membrane.density * dx / membrane.height / inertia
        opening = 1 / (membrane.density * (dx + speed * dt))
        diagonal = 2 / dx + coupling
        diagonal[0] -= 1 / dx
        diagonal[-1] += 2 * membrane.density * opening - 1 / dx
        self._factors = _factor(diagonal, -1 / dx)
        self._section = np.stack([damping, stiffness, coupling, 1 / inertia])
        self._numbers = np.array([dt, 2 * membrane.density, opening, 2 * membrane.density * speed])
        self._moving = np.zeros((2, sections))
        self._ends = np.zeros(2)
        self._work = np.zeros((2, sections))
        self._per_channel = per_channel
        self._channels = cochlea.channels

    def start(self) -> None:
        """Come to rest."""
        self._moving[:] = 0.0
        self._ends[:] = 0.0

    def push(self, stapes: Float64[np.ndarray, " step"]) -> Float64[np.ndarray, "step channel"]:
        """The membrane's velocity at every channel after each step, for the stapes' velocity at that step."""
        velocity = np.empty((len(stapes), self._channels))
        _run(
            stapes, velocity, self._section, self._factors, self._numbers, self._moving, self._ends,
            self._work, self._per_channel,
        )  # fmt: skip
        return velocity


class ForwardWave:
    """A membrane in motion as an ear has it, in the form that `BackwardWave` has: nothing is held back."""

    def __init__(self, cochlea: Cochlea) -> None:
        self._wave = MembraneWave(cochlea)

    def push(self, stapes: Float64[np.ndarray, " step"]) -> Iterator[Float64[np.ndarray, "step channel"]]:
        """The velocity at every channel for these steps, in blocks."""
        for start in range(0, len(stapes), STEPS_AT_ONCE):
            yield self._wave.push(stapes[start : start + STEPS_AT_ONCE])

    def finish(self) -> Iterator[Float64[np.ndarray, "step channel"]]:
        """Nothing, as nothing was held back."""
        yield from ()


def _factor(diagonal: np.ndarray, beside: float) -> np.ndarray:
    """Inverse pivots, and these times `beside`, of elimination from both ends to the middle section."""
    last, middle = len(diagonal) - 1, len(diagonal) // 2
    pivot = diagonal.copy()
    for i in range(1, middle):
        pivot[i] -= beside**2 / pivot[i - 1]
    for i in range(last - 1, middle, -1):
        pivot[i] -= beside**2 / pivot[i + 1]
    pivot[middle] -= beside**2 / pivot[middle - 1] + beside**2 / pivot[middle + 1]
    return np.stack([1 / pivot, beside / pivot])


@numba.njit(cache=True)
@no_type_check
def _run(stapes, velocity, section, factors, numbers, moving, ends, work, per_channel):
    damping, stiffness, coupling, mobility = section[0], section[1], section[2], section[3]
    dt, two_density, opening, impedance = numbers[0], numbers[1], numbers[2], numbers[3]
    y, v, force, p = moving[0], moving[1], work[0], work[1]
    last = len(y) - 1
    for n in range(len(stapes)):
        for i in range(last + 1):
            force[i] = damping[i] * v[i] + stiffness[i] * (y[i] + 0.5 * dt * v[i])
            p[i] = coupling[i] * force[i]
        p[0] += two_density * (stapes[n] - ends[0]) / dt
        p[last] += two_density * opening * impedance * ends[1]
        _solve(p, factors[0], factors[1])
        ends[0] = stapes[n]
        ends[1] += dt * opening * (p[last] - impedance * ends[1])
        for i in range(last + 1):
            before = v[i]
            v[i] = before + dt * ((p[i] - force[i]) * mobility[i])
            y[i] += 0.5 * dt * (before + v[i])
        for channel in range(velocity.shape[1]):
            velocity[n, channel] = v[channel * per_channel + per_channel // 2]


@numba.njit(cache=True)
@no_type_check
def _solve(p, inverse, ratio):
    """Replace the right side `p` by the solution, with the factors that `_factor` gives."""
    last, middle = len(p) - 1, len(p) // 2
    left, right = p[0], p[last]
    for step in range(1, last - middle):
        left = p[step] - ratio[step - 1] * left
        p[step] = left
        right = p[last - step] - ratio[last - step + 1] * right
        p[last - step] = right
    for i in range(last - middle, middle):
        p[i] -= ratio[i - 1] * p[i - 1]
    p[middle] -= ratio[middle - 1] * p[middle - 1] + ratio[middle + 1] * p[middle + 1]
    p[middle] *= inverse[middle]
    left = right = p[middle]
    for step in range(1, last - middle + 1):
        left = p[middle - step] * inverse[middle - step] - ratio[middle - step] * left
        p[middle - step] = left
        right = p[middle + step] * inverse[middle + step] - ratio[middle + step] * right
        p[middle + step] = right
    for i in range(2 * middle - last - 1, -1, -1):
        p[i] = p[i] * inverse[i] - ratio[i] * p[i + 1]
