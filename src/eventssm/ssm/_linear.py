"""An affine map of the last axis."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import DTypeLike
from jaxtyping import Array, Float, PRNGKeyArray


class Linear(eqx.Module):
    """`W x + b`, for one step or for a sequence of them."""

    weight: Float[Array, "out in"]
    bias: Float[Array, " out"]

    @classmethod
    def create(cls, d_in: int, d_out: int, key: PRNGKeyArray, dtype: DTypeLike) -> "Linear":
        """Weights truncated normal with standard deviation `1/sqrt(d_in)`; the bias zero."""
        weight = jax.nn.initializers.lecun_normal(in_axis=-1, out_axis=-2)(key, (d_out, d_in), dtype)
        return cls(weight, jnp.zeros(d_out, dtype))

    def __call__(self, x: Float[Array, "*step in"]) -> Float[Array, "*step out"]:
        """Apply to the last axis."""
        return x @ self.weight.T + self.bias
