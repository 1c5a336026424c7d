"""From the last block's steps to one vector: their mean, their mean over time, or the last one."""

from typing import Literal

import equinox as eqx
import jax.numpy as jnp
from jax.typing import DTypeLike
from jaxtyping import Array, Float

from eventssm.ssm import GAP_EPSILON, Steps, where_real

HeadMode = Literal["mean", "time", "last"]


class HeadState(eqx.Module):
    """The weighted sum of the steps so far (of `last`: the last step, with weight 1)."""

    total: Float[Array, " width"]
    weight: Float[Array, ""]


class Head(eqx.Module):
    """`sum(w * u) / sum(w)` over all steps, with `w` one (`mean`) or the step's gap (`time`); or the `last`.

    Before the first step the features are zero, so that the logits are the decoder's bias.
    """

    mode: HeadMode = eqx.field(static=True)

    def init_state(self, width: int, dtype: DTypeLike) -> HeadState:
        """No steps yet."""
        return HeadState(jnp.zeros(width, dtype), jnp.zeros((), dtype))

    def __call__(self, steps: Steps, state: HeadState) -> HeadState:
        """The state after a sequence."""
        if self.mode == "last":
            last = jnp.maximum(steps.count - 1, 0)
            return self._choose(steps.count > 0, HeadState(steps.values[last], _one(state)), state)
        weights = self._weights(steps)
        total = state.total + (weights[:, None] * steps.values).sum(0)
        return HeadState(total, state.weight + weights.sum())

    def running(self, steps: Steps, state: HeadState) -> Float[Array, "step width"]:
        """Features after each step of a sequence: what a prediction at that moment reads."""
        if self.mode == "last":
            return where_real(steps.real, steps.values)
        weights = self._weights(steps)
        totals = state.total + jnp.cumsum(weights[:, None] * steps.values, axis=0)
        sums = state.weight + jnp.cumsum(weights)
        return totals / jnp.where(sums > 0, sums, jnp.ones_like(sums))[:, None]

    def step(self, value: Float[Array, " width"], gap: Float[Array, ""], state: HeadState) -> HeadState:
        """The state after one more step."""
        if self.mode == "last":
            return HeadState(value, _one(state))
        weight = gap + GAP_EPSILON if self.mode == "time" else _one(state)
        return HeadState(state.total + weight * value, state.weight + weight)

    def features(self, state: HeadState) -> Float[Array, " width"]:
        """The vector that the decoder reads."""
        return state.total / jnp.where(state.weight > 0, state.weight, _one(state))

    def _weights(self, steps: Steps) -> Float[Array, " step"]:
        weights = steps.gaps + GAP_EPSILON if self.mode == "time" else jnp.ones_like(steps.gaps)
        return where_real(steps.real, weights)

    def _choose(self, condition: Array, yes: HeadState, no: HeadState) -> HeadState:
        return HeadState(
            jnp.where(condition, yes.total, no.total), jnp.where(condition, yes.weight, no.weight)
        )


def _one(state: HeadState) -> Float[Array, ""]:
    return jnp.ones_like(state.weight)
