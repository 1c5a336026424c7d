"""The eigenvalues Λ of the state matrix, as parameters."""

from typing import Literal

import equinox as eqx
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Complex, Float

SpectrumKind = Literal["stable", "free", "clipped"]
CLIP = -1e-4


class StableSpectrum(eqx.Module):
    """`Λ = -exp(Φ) + iΘ`: every state decays, whatever the optimizer does."""

    phi: Float[Array, " state"]
    theta: Float[Array, " state"]

    def __call__(self) -> Complex[Array, " state"]:
        """Λ, one per state."""
        return lax.complex(-jnp.exp(self.phi), self.theta)


class FreeSpectrum(eqx.Module):
    """Λ given directly, as the published code has it; with `clipped` its real part is at most -1e-4."""

    real: Float[Array, " state"]
    imag: Float[Array, " state"]
    clipped: bool = eqx.field(static=True)

    def __call__(self) -> Complex[Array, " state"]:
        """Λ, one per state."""
        real = jnp.minimum(self.real, jnp.asarray(CLIP, self.real.dtype)) if self.clipped else self.real
        return lax.complex(real, self.imag)
