"""Normalisation of a step's features, alone (layer) or over all real steps of a batch (batch)."""

from collections.abc import Hashable
from typing import Literal

import equinox as eqx
import jax.numpy as jnp
from jax import lax
from jax.typing import DTypeLike
from jaxtyping import Array, Float

from eventssm.ssm._steps import Steps, where_real

NormKind = Literal["layer", "batch"]
LAYER_EPSILON = 1e-6
BATCH_EPSILON = 1e-5


class Moments(eqx.Module):
    """Mean and (biased) variance of each feature over the `count` real steps of a batch."""

    mean: Float[Array, " width"]
    variance: Float[Array, " width"]
    count: Float[Array, ""]


class LayerNorm(eqx.Module):
    """Each step to mean 0 and variance 1 over its features, then scaled and shifted."""

    scale: Float[Array, " width"]
    bias: Float[Array, " width"]

    @classmethod
    def create(cls, width: int, dtype: DTypeLike) -> "LayerNorm":
        """Scale one, shift zero."""
        return cls(jnp.ones(width, dtype), jnp.zeros(width, dtype))

    def __call__(self, x: Float[Array, "*step width"]) -> Float[Array, "*step width"]:
        """Normalise the last axis."""
        centred = x - x.mean(-1, keepdims=True)
        variance = (centred * centred).mean(-1, keepdims=True)
        return centred * lax.rsqrt(variance + LAYER_EPSILON) * self.scale + self.bias


class BatchNorm(eqx.Module):
    """Each feature to mean 0 and variance 1 over all real steps of a batch, then scaled and shifted.

    Evaluation uses `mean` and `variance`, running averages that are not parameters: `updated` moves them
    towards a batch's moments. Padding is in neither.
    """

    scale: Float[Array, " width"]
    bias: Float[Array, " width"]
    mean: Float[Array, " width"]
    variance: Float[Array, " width"]
    momentum: float = eqx.field(static=True)

    @classmethod
    def create(cls, width: int, momentum: float, dtype: DTypeLike) -> "BatchNorm":
        """Scale one, shift zero, running mean 0 and variance 1."""
        ones, zeros = jnp.ones(width, dtype), jnp.zeros(width, dtype)
        return cls(ones, zeros, zeros, ones, momentum)

    def __call__(
        self, x: Float[Array, "*step width"], moments: Moments | None = None
    ) -> Float[Array, "*step width"]:
        """Normalise by a batch's moments, or without them by the running averages."""
        if moments is None:
            mean, variance = lax.stop_gradient((self.mean, self.variance))
        else:
            mean, variance = moments.mean, moments.variance
        return (x - mean) * lax.rsqrt(variance + BATCH_EPSILON) * self.scale + self.bias

    def updated(self, moments: Moments) -> "BatchNorm":
        """Running averages moved towards `moments`; unmoved by a batch without a step."""
        keep = jnp.where(moments.count > 0, self.momentum, 1.0).astype(self.mean.dtype)
        mean = keep * self.mean + (1.0 - keep) * moments.mean
        variance = keep * self.variance + (1.0 - keep) * moments.variance
        return type(self)(self.scale, self.bias, mean, variance, self.momentum)


def batch_moments(steps: Steps, batch_axis: Hashable | None) -> Moments:
    """Moments over the real steps of this recording and, along `batch_axis`, of all of its batch."""

    def total(values: Array) -> Array:
        return values if batch_axis is None else lax.psum(values, batch_axis)

    if steps.index is None:

        def over_steps(rows: Array) -> Array:
            return total(where_real(steps.real, rows).sum(0))

    else:
        uses = steps.uses(steps.index)

        def over_steps(rows: Array) -> Array:
            return total(uses @ rows)

    count = total(steps.real.sum(dtype=steps.rows.dtype))
    divisor = jnp.maximum(count, jnp.ones_like(count))
    mean = over_steps(steps.rows) / divisor
    centred = steps.rows - mean
    return Moments(mean, over_steps(centred * centred) / divisor, count)
