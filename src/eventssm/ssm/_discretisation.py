"""The exact solution of `dx/dt = Λ x + B u` between events.

A step with gap Δ multiplies the state by `exp(Λ δ Δ)` and adds `factor · B u`. The discretizations
differ in the factor alone, and all three factors come from one stable function, `phi1`.
"""

from typing import Literal

import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Complex, Float

Discretization = Literal["async", "dirac", "zoh"]


_NEAR = 0.25


def decay(
    eigenvalues: Complex[Array, " state"], delta: Float[Array, " state"], gaps: Float[Array, "*step"]
) -> Complex[Array, "*step state"]:
    """Λ̄ = exp(Λ δ Δ): what a state keeps over the gap before a step."""
    return jnp.exp(_times(eigenvalues, delta * gaps[..., None]))


def input_factor(
    kind: Discretization,
    eigenvalues: Complex[Array, " state"],
    delta: Float[Array, " state"],
    gaps: Float[Array, "*step"],
) -> Complex[Array, "*#step state"]:
    """What multiplies `B u` when a step is added to the state.

    `async`: `(exp(Λ δ) - 1) / Λ`, per state, the same for every event. `dirac`: 1. `zoh`:
    `(exp(Λ δ Δ) - 1) / Λ`, with the gap before the step. The limits at `Λ = 0` are `δ` and `δ Δ`.
    """
    every_step = delta.reshape((1,) * gaps.ndim + delta.shape)
    if kind == "dirac":
        return jnp.ones_like(every_step, eigenvalues.dtype)
    elapsed = every_step * gaps[..., None] if kind == "zoh" else every_step
    return _times(phi1(_times(eigenvalues, elapsed)), elapsed)


def phi1(z: Complex[Array, "*shape"]) -> Complex[Array, "*shape"]:
    """`(exp(z) - 1) / z`, to the last digits everywhere; 1 at `z = 0`.

    Near zero it is its Taylor series, whose derivatives are as exact as its values; elsewhere the
    quotient, with `expm1` so that nothing cancels.
    """
    near = z.real * z.real + z.imag * z.imag < _NEAR * _NEAR
    far_z = jnp.where(near, jnp.ones_like(z), z)
    near_z = jnp.where(near, z, jnp.zeros_like(z))
    return jnp.where(near, _phi1_series(near_z), expm1(far_z) / far_z)


def expm1(z: Complex[Array, "*shape"]) -> Complex[Array, "*shape"]:
    """`exp(z) - 1` for complex z, without cancellation in either part.

    With `z = a + ib`: the real part is `expm1(a) cos(b) - 2 sin(b/2)^2`, the imaginary `exp(a) sin(b)`.
    """
    half_sine = jnp.sin(z.imag * 0.5)
    real = jnp.expm1(z.real) * jnp.cos(z.imag) - 2.0 * half_sine * half_sine
    return lax.complex(real, jnp.exp(z.real) * jnp.sin(z.imag))


def _phi1_series(z: Complex[Array, "*shape"]) -> Complex[Array, "*shape"]:
    """`sum z^k / (k+1)!`, by Horner: enough terms for |z| < 1/4, and one more for the derivative."""
    terms = 14 if z.dtype == jnp.complex128 else 8
    total = jnp.ones_like(z)
    for k in range(terms, 1, -1):
        total = 1.0 + z * total * (1.0 / k)
    return total


def _times(z: Complex[Array, "*#shape"], factor: Float[Array, "*#shape"]) -> Complex[Array, "*#shape"]:
    return lax.complex(z.real * factor, z.imag * factor)
