"""Normalisation of a step's features, alone (layer) or over all real steps of a batch (batch)."""

from collections.abc import Hashable
from typing import Literal

import equinox as eqx
import jax
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
        return _layer_norm(x, self.scale, self.bias)


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


@jax.custom_vjp
def _layer_norm(
    x: Float[Array, "*step width"], scale: Float[Array, " width"], bias: Float[Array, " width"]
) -> Float[Array, "*step width"]:
    return _layer_norm_forward(x, scale, bias)[0]


def _layer_norm_forward(x: Array, scale: Array, bias: Array) -> tuple[Array, tuple[Array, ...]]:
    mean = x.mean(-1, keepdims=True)
    centred = x - mean
    rate = lax.rsqrt((centred * centred).mean(-1, keepdims=True) + LAYER_EPSILON)
    return centred * rate * scale + bias, (x, scale, mean, rate)


def _layer_norm_backward(residuals: tuple[Array, ...], to_out: Array) -> tuple[Array, Array, Array]:
    """Keeps two numbers a step beside what the step was, and makes the rest again."""
    x, scale, mean, rate = residuals
    unit = (x - mean) * rate
    to_unit = to_out * scale
    along = (to_unit * unit).mean(-1, keepdims=True)
    to_x = rate * (to_unit - to_unit.mean(-1, keepdims=True) - unit * along)
    steps = tuple(range(x.ndim - 1))
    return to_x, (to_out * unit).sum(steps), to_out.sum(steps)


_layer_norm.defvjp(_layer_norm_forward, _layer_norm_backward)


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
