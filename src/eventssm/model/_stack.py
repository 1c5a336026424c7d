"""All blocks, one after the other, with their two drivers."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Bool, Float

from eventssm.model._config import TimeUse
from eventssm.ssm import Block, BlockState, Moments, Steps, Training

States = tuple[BlockState, ...]


class Stack(eqx.Module):
    """The blocks of all stages. With `time="uniform"` every step that a block sees has the gap 1."""

    blocks: tuple[Block, ...]
    time: TimeUse = eqx.field(static=True)

    @property
    def width(self) -> int:
        """Width of the last block's steps."""
        return self.blocks[-1].gate.bias.shape[0]

    def init_state(self) -> States:
        """The states before the first step."""
        return tuple(block.init_state() for block in self.blocks)

    def __call__(
        self, steps: Steps, states: States | None = None, training: Training | None = None
    ) -> tuple[Steps, States, tuple[Moments | None, ...]]:
        """The last block's steps, the states after the sequence, and in training batch norm's moments."""
        steps = self._timed(steps)
        after, moments = [], []
        for index, block in enumerate(self.blocks):
            before = None if states is None else states[index]
            steps, state, found = block(steps, before, _own_key(training, index))
            steps = self._timed(steps)
            after.append(state)
            moments.append(found)
        return steps, tuple(after), tuple(moments)

    def step(
        self, value: Float[Array, " width"], gap: Float[Array, ""], states: States
    ) -> tuple[Float[Array, " out"], Float[Array, ""], Bool[Array, ""], States]:
        """One step as far as it completes groups: what comes out, its gap, whether it is real, the states."""
        return self._step_from(0, value, gap, states)

    def _step_from(
        self, index: int, value: Array, gap: Array, states: States
    ) -> tuple[Array, Array, Array, States]:
        gap = jnp.ones_like(gap) if self.time == "uniform" else gap
        if index == len(self.blocks):
            return value, gap, jnp.asarray(True), ()
        block = self.blocks[index]
        state = block.step(value, gap, states[0])

        def go_on(state: BlockState, later: States) -> tuple[Array, Array, Array, States]:
            value, gap, state = block.emit(state)
            value, gap, ready, later = self._step_from(index + 1, value, gap, later)
            return value, gap, ready, (state, *later)

        def wait(state: BlockState, later: States) -> tuple[Array, Array, Array, States]:
            nothing = jnp.zeros(self.width, value.dtype)
            return nothing, jnp.zeros_like(gap), jnp.asarray(False), (state, *later)

        if block.layer.pooling.stride == 1:
            return go_on(state, states[1:])
        return lax.cond(block.is_full(state), go_on, wait, state, states[1:])

    def _timed(self, steps: Steps) -> Steps:
        return steps.with_unit_gaps() if self.time == "uniform" else steps


def _own_key(training: Training | None, index: int) -> Training | None:
    if training is None:
        return None
    return Training(jax.random.fold_in(training.key, index), training.batch_axis)
