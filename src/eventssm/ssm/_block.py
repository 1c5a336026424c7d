"""A block: state-space layer, gate, norm and skip."""

from collections.abc import Hashable
from typing import Literal, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from eventssm.ssm._gate import gate
from eventssm.ssm._layer import StateSpaceLayer, StateSpaceState
from eventssm.ssm._linear import Linear
from eventssm.ssm._norm import BatchNorm, LayerNorm, Moments, batch_moments
from eventssm.ssm._pooling import PoolingState
from eventssm.ssm._steps import Steps

NormOrder = Literal["pre", "post"]


class Training(NamedTuple):
    """What a training call needs and an evaluation does not.

    The key draws this recording's dropout; `batch_axis` names the `jax.vmap` axis over which batch norm
    takes its moments (None: over this recording alone).
    """

    key: PRNGKeyArray
    batch_axis: Hashable | None


class BlockState(eqx.Module):
    """The states of a block's two paths."""

    layer: StateSpaceState
    skip: PoolingState


class Block(eqx.Module):
    """`z = y * sigmoid(W gelu(y))` with y the layer's output; then `skip + dropout(z)`.

    The norm stands before the layer (`pre`) or after the sum (`post`). The skip is pooled like the layer's
    input and, where the block changes the width, mapped by a matrix.
    """

    norm: LayerNorm | BatchNorm
    layer: StateSpaceLayer
    gate: Linear
    widen: Linear | None
    order: NormOrder = eqx.field(static=True)
    dropout: float = eqx.field(static=True)

    def init_state(self) -> BlockState:
        """The state before the first step."""
        width = self.layer.B.shape[2]
        return BlockState(self.layer.init_state(), self.layer.pooling.init_state(width, self.layer.B.dtype))

    def __call__(
        self, steps: Steps, state: BlockState | None = None, training: Training | None = None
    ) -> tuple[Steps, BlockState, Moments | None]:
        """One step for each group, the state after them, and in training the batch norm's moments."""
        if self.layer.scan != "auto":
            steps = steps.gathered()
        inner, moments = self._normalised(steps, "pre", training)
        hidden, layer_state = self.layer(inner, None if state is None else state.layer)
        skip, skip_state = self.layer.pooling(steps, None if state is None else state.skip)
        out = skip.with_rows(self._combine(hidden.rows, skip.rows, training))
        out, after = self._normalised(out, "post", training)
        return out, BlockState(layer_state, skip_state), after if moments is None else moments

    def step(self, value: Float[Array, " in"], gap: Float[Array, ""], state: BlockState) -> BlockState:
        """The state after one more step."""
        inner = self.norm(value) if self.order == "pre" else value
        return BlockState(
            self.layer.step(inner, gap, state.layer), self.layer.pooling.add(value, gap, state.skip)
        )

    def is_full(self, state: BlockState) -> Bool[Array, ""]:
        """Whether the steps so far complete a group, so that `emit` has an output."""
        return self.layer.pooling.is_full(state.skip)

    def emit(self, state: BlockState) -> tuple[Float[Array, " out"], Float[Array, ""], BlockState]:
        """Output and gap of the full group, and the state with an empty one."""
        hidden, layer_state = self.layer.emit(state.layer)
        skip, gap, skip_state = self.layer.pooling.take(state.skip)
        out = self._combine(hidden, skip, None)
        if self.order == "post":
            out = self.norm(out)
        return out, gap, BlockState(layer_state, skip_state)

    def _normalised(
        self, steps: Steps, order: NormOrder, training: Training | None
    ) -> tuple[Steps, Moments | None]:
        if self.order != order:
            return steps, None
        if isinstance(self.norm, LayerNorm):
            return steps.with_rows(self.norm(steps.rows)), None
        moments = None if training is None else batch_moments(steps, training.batch_axis)
        return steps.with_rows(self.norm(steps.rows, moments)), moments

    def _combine(
        self,
        hidden: Float[Array, "*step out"],
        skip: Float[Array, "*step in"],
        training: Training | None,
    ) -> Float[Array, "*step out"]:
        kept = jnp.ones_like(self.gate.bias)
        if training is not None and self.dropout > 0.0:
            kept = _dropout(self.dropout, training.key, kept)
        gated = gate(hidden, self.gate.weight, self.gate.bias, kept)
        return (skip if self.widen is None else self.widen(skip)) + gated


def _dropout(rate: float, key: PRNGKeyArray, like: Float[Array, " width"]) -> Float[Array, " width"]:
    """What features are multiplied by for the whole sequence: zero, or `1 / (1 - rate)`."""
    kept = jax.random.bernoulli(key, 1.0 - rate, like.shape)
    return jnp.where(kept, like / (1.0 - rate), jnp.zeros_like(like))
