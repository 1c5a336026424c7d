"""Event pooling: `stride` consecutive steps become one.

The pooled value of a group is `sum(w * u) / sum(w)`, its gap the sum of its gaps. Steps that do not fill a
group wait in the state for more, in the whole-sequence call as in the step form.
"""

from typing import Literal

import equinox as eqx
import jax.numpy as jnp
from jax.typing import DTypeLike
from jaxtyping import Array, Bool, Float, Int, Int32

from eventssm.ssm._pooled_rows import pooled_rows
from eventssm.ssm._steps import Steps, real_steps, where_real

PoolingMode = Literal["mean", "last", "time"]
ReadOut = Literal["last", "first"]

GAP_EPSILON = 1e-6
"""Added to every gap that is a weight, so that a group of simultaneous events has its plain mean."""


class PoolingState(eqx.Module):
    """The group that is being filled: its weighted sum so far, and how many steps it has."""

    total: Float[Array, " width"]
    weight: Float[Array, ""]
    gap: Float[Array, ""]
    count: Int32[Array, ""]


class Pooling(eqx.Module):
    """Pools groups of `stride` steps with weights of one, of the gaps (`time`), or on the `last` step.

    `read_out` is the step of a group that stands for it: the last, as the state after it holds the whole
    group, or, to reproduce the published code, the first.
    """

    stride: int = eqx.field(static=True)
    mode: PoolingMode = eqx.field(static=True)
    read_out: ReadOut = eqx.field(static=True, default="last")

    def init_state(self, width: int, dtype: DTypeLike) -> PoolingState:
        """An empty group."""
        zero = jnp.zeros((), dtype)
        return PoolingState(jnp.zeros(width, dtype), zero, zero, jnp.zeros((), jnp.int32))

    def __call__(self, steps: Steps, state: PoolingState | None = None) -> tuple[Steps, PoolingState]:
        """Pool a sequence that goes on from `state`, or starts anew without one."""
        before = self.init_state(steps.rows.shape[1], steps.rows.dtype) if state is None else state
        if self.stride == 1:
            return steps.gathered(), before
        if state is None and steps.index is not None:
            return self._of_table(steps, steps.index)
        steps = steps.gathered()
        slot = (jnp.arange(steps.gaps.shape[0], dtype=jnp.int32) + before.count) % self.stride
        weights = where_real(steps.real, self._weights(steps.gaps, slot))
        weighted = where_real(steps.real, weights[:, None] * steps.rows)
        gaps = where_real(steps.real, steps.gaps)

        pending = None if state is None else state.count
        total, weight, gap = (self.groups(column, pending).sum(1) for column in (weighted, weights, gaps))
        if state is not None:
            total, weight = _add_first(total, state.total), _add_first(weight, state.weight)
            gap = _add_first(gap, state.gap)

        complete, left = jnp.divmod(before.count + steps.count, jnp.asarray(self.stride, jnp.int32))
        rest = PoolingState(_row(total, complete), _row(weight, complete), _row(gap, complete), left)
        real = real_steps(weight.shape[0], complete)
        pooled = total / jnp.where(real, weight, jnp.ones_like(weight))[:, None]
        return Steps(pooled, gap, complete), rest

    def add(self, value: Float[Array, " width"], gap: Float[Array, ""], state: PoolingState) -> PoolingState:
        """Put one step into the group."""
        weight = self._weights(gap, state.count)
        return PoolingState(
            state.total + weight * value, state.weight + weight, state.gap + gap, state.count + 1
        )

    def take(self, state: PoolingState) -> tuple[Float[Array, " width"], Float[Array, ""], PoolingState]:
        """Value and gap of the full group, and an empty one."""
        empty = self.init_state(state.total.shape[0], state.total.dtype)
        return state.total / state.weight, state.gap, empty

    def is_full(self, state: PoolingState) -> Bool[Array, ""]:
        """Whether the group can be taken."""
        return state.count >= self.stride

    def groups(self, values: Array, pending: Int32[Array, ""] | None) -> Array:
        """Rows of a sequence laid out as (group, slot), after `pending` empty slots.

        Without `pending` the first row is the first slot of a group, and nothing needs to be moved.
        """
        steps = values.shape[0]
        slots = steps if pending is None else steps + self.stride - 1
        padding = slots + -slots % self.stride - steps
        padded = jnp.concatenate((values, jnp.zeros((padding, *values.shape[1:]), values.dtype)))
        if pending is not None:
            padded = jnp.roll(padded, pending, axis=0)
        return padded.reshape(-1, self.stride, *values.shape[1:])

    def read(self, values: Array, pending: Int32[Array, ""] | None) -> Array:
        """The row of each group that stands for it."""
        return values if self.stride == 1 else self.groups(values, pending)[:, self._read_index]

    def _of_table(self, steps: Steps, index: Int32[Array, " step"]) -> tuple[Steps, PoolingState]:
        """Pool steps that are rows of a table, without a row for each."""
        complete, left = jnp.divmod(steps.count, jnp.asarray(self.stride, jnp.int32))
        gaps = self.groups(steps.gaps, None)
        gaps = where_real(real_steps(gaps.shape[0], complete), gaps)
        slot = jnp.broadcast_to(jnp.arange(self.stride, dtype=jnp.int32), gaps.shape)
        weights = self._weights(gaps, slot)
        weights = (weights / weights.sum(1, keepdims=True)).reshape(-1)[: index.shape[0]]
        pooled = pooled_rows(weights, index, steps.rows, steps.count, every=self.stride, shared=steps.shared)
        return Steps(pooled, gaps.sum(1), complete), self._rest(steps, index, complete, left)

    def _rest(
        self,
        steps: Steps,
        index: Int32[Array, " step"],
        complete: Int32[Array, ""],
        left: Int32[Array, ""],
    ) -> PoolingState:
        """The group that is left over."""
        slot = jnp.arange(self.stride, dtype=jnp.int32)
        at, real = complete * self.stride + slot, slot < left
        gaps = where_real(real, steps.gaps.at[at].get(mode="clip"))
        values = Steps(steps.rows, gaps, left, index.at[at].get(mode="clip")).values
        weights = where_real(real, self._weights(gaps, slot))
        total = where_real(real, weights[:, None] * values).sum(0)
        return PoolingState(total, weights.sum(), gaps.sum(), left)

    @property
    def _read_index(self) -> int:
        return self.stride - 1 if self.read_out == "last" else 0

    def _weights(self, gaps: Float[Array, "*step"], slot: Int[Array, "*step"]) -> Float[Array, "*step"]:
        if self.mode == "mean" or self.stride == 1:
            return jnp.ones_like(gaps)
        if self.mode == "time":
            return gaps + GAP_EPSILON
        return (slot == self._read_index).astype(gaps.dtype)


def _add_first(sums: Array, carried: Array) -> Array:
    """Put into the first group what it had before."""
    return jnp.concatenate((sums[:1] + carried, sums[1:]))


def _row(sums: Array, index: Int32[Array, ""]) -> Array:
    """One group's sums; zeros past the last group."""
    return sums.at[index].get(mode="fill", fill_value=0.0)
