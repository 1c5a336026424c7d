"""The classifier of event streams, and its two drivers: whole sequences and single events."""

import math
from collections.abc import Hashable
from typing import Self

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike, DTypeLike
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from eventssm import _checks
from eventssm.model import _inputs
from eventssm.model._config import ModelConfig
from eventssm.model._head import Head, HeadState
from eventssm.ssm import BatchNorm, Block, BlockState, LayerNorm, Linear, Moments, Pooling
from eventssm.ssm import StateSpaceLayer, Steps
from eventssm.ssm._block import Training


class Predictions(eqx.Module):
    """Logits after each step of the head; the first `count` rows are real."""

    logits: Float[Array, "step class"]
    count: Int[Array, ""]


class ClassifierState(eqx.Module):
    """A stream so far: the states of all blocks and of the head."""

    blocks: tuple[BlockState, ...]
    head: HeadState


class Classifier(eqx.Module):
    """Class logits of an event stream, read event by event.

    A call takes one recording, `channels` and the gaps BEFORE its events in milliseconds; `jax.vmap` makes
    batches of padded recordings with their `length`. The same mathematics runs as whole sequences
    (`__call__`), in pieces (`advance`) and one event at a time (`step`).
    """

    embedding: Float[Array, "channel width"]
    blocks: tuple[Block, ...]
    decoder: Linear
    head: Head
    config: ModelConfig = eqx.field(static=True)

    def __init__(self, config: ModelConfig, *, key: PRNGKeyArray, dtype: DTypeLike = jnp.float32) -> None:
        """Random parameters: embedding rows normal with variance `1/d_model`, the rest as its modules say."""
        to_embedding, to_decoder, to_blocks = jax.random.split(key, 3)
        width = config.stage_shapes()[-1][1]
        scale = jnp.asarray(1 / math.sqrt(config.d_model), dtype)
        self.embedding = scale * jax.random.normal(to_embedding, (config.channels, config.d_model), dtype)
        self.blocks = _create_blocks(config, to_blocks, dtype)
        self.decoder = Linear.create(width, config.classes, to_decoder, dtype)
        self.head = Head(config.head)
        self.config = config

    @classmethod
    def assemble(
        cls, config: ModelConfig, embedding: Array, blocks: tuple[Block, ...], decoder: Linear
    ) -> Self:
        """A classifier of given parts."""
        model = object.__new__(cls)
        parts = (
            ("embedding", embedding),
            ("blocks", blocks),
            ("decoder", decoder),
            ("head", Head(config.head)),
            ("config", config),
        )
        for name, part in parts:
            object.__setattr__(model, name, part)
        return model

    def __call__(
        self,
        channels: Int[ArrayLike, " event"],
        gaps: Float[ArrayLike, " event"],
        length: int | Int[ArrayLike, ""] | None = None,
    ) -> Float[Array, " class"]:
        """Logits of one recording, of which the first `length` events are real (None: all).

        With fewer events than one step of the head takes, they are the decoder's bias.
        """
        steps, _, _ = self.encode(self.embed(channels, gaps, length))
        return self._logits(self.head(steps, self._init_head()))

    def training_logits(
        self,
        channels: Int[ArrayLike, " event"],
        gaps: Float[ArrayLike, " event"],
        length: int | Int[ArrayLike, ""] | None = None,
        *,
        key: PRNGKeyArray,
        batch_axis: Hashable | None = None,
    ) -> tuple[Float[Array, " class"], tuple[Moments | None, ...]]:
        """Logits with dropout, and the moments that batch norm used, for `updated_norms`.

        Batch norm takes its moments over the real steps of all recordings along `batch_axis`, the axis
        name of the surrounding `jax.vmap`.
        """
        training = Training(key, batch_axis)
        steps, _, moments = self.encode(self.embed(channels, gaps, length), training=training)
        return self._logits(self.head(steps, self._init_head())), moments

    def anytime(
        self,
        channels: Int[ArrayLike, " event"],
        gaps: Float[ArrayLike, " event"],
        length: int | Int[ArrayLike, ""] | None = None,
    ) -> Predictions:
        """Logits at every moment at which the stream had a new prediction."""
        steps, _, _ = self.encode(self.embed(channels, gaps, length))
        return Predictions(self.decoder(self.head.running(steps, self._init_head())), steps.count)

    def init_state(self) -> ClassifierState:
        """The state before the first event."""
        return ClassifierState(tuple(block.init_state() for block in self.blocks), self._init_head())

    def advance(
        self,
        channels: Int[ArrayLike, " event"],
        gaps: Float[ArrayLike, " event"],
        state: ClassifierState,
        length: int | Int[ArrayLike, ""] | None = None,
    ) -> tuple[Predictions, ClassifierState]:
        """The next piece of a stream: its predictions and the state after it.

        `gaps[0]` is the time since the last event of the piece before.
        """
        steps, blocks, _ = self.encode(self.embed(channels, gaps, length), state.blocks)
        predictions = Predictions(self.decoder(self.head.running(steps, state.head)), steps.count)
        return predictions, ClassifierState(blocks, self.head(steps, state.head))

    def step(
        self, channel: Int[ArrayLike, ""], gap: Float[ArrayLike, ""], state: ClassifierState
    ) -> tuple[Float[Array, " class"], Bool[Array, ""], ClassifierState]:
        """The next event of a stream: logits, whether it completed a step of the head, state after it.

        Between such events the logits stay what they were.
        """
        steps = self.embed(jnp.atleast_1d(channel), jnp.atleast_1d(gap), None)
        value, gap = steps.values[0], steps.gaps[0]
        blocks, value, gap, ready = self._step_blocks(value, gap, state.blocks, 0)
        moved = self.head.step(value, gap, state.head)
        head = jax.tree.map(lambda new, old: jnp.where(ready, new, old), moved, state.head)
        return self._logits(head), ready, ClassifierState(blocks, head)

    def embed(
        self,
        channels: Int[ArrayLike, " event"],
        gaps: Float[ArrayLike, " event"],
        length: int | Int[ArrayLike, ""] | None,
    ) -> Steps:
        """The embedding rows of events, with zeros for padding."""
        channels, gaps, count = _inputs.checked(channels, gaps, length, self.embedding)
        values = self.embedding.at[channels].get(mode="fill", fill_value=np.nan)
        steps = Steps(values, gaps, count)
        return steps.with_unit_gaps() if self.config.time == "uniform" else steps

    def encode(
        self,
        steps: Steps,
        states: tuple[BlockState, ...] | None = None,
        training: Training | None = None,
    ) -> tuple[Steps, tuple[BlockState, ...], tuple[Moments | None, ...]]:
        """All blocks over a sequence: the last one's steps, the blocks' states and batch-norm moments."""
        after, moments = [], []
        keys = [None] * len(self.blocks) if training is None else jax.random.split(training.key, len(self.blocks))
        for index, block in enumerate(self.blocks):
            block_training = None if training is None else Training(keys[index], training.batch_axis)
            block_state = None if states is None else states[index]
            steps, block_state, block_moments = block(steps, block_state, block_training)
            if self.config.time == "uniform":
                steps = steps.with_unit_gaps()
            after.append(block_state)
            moments.append(block_moments)
        return steps, tuple(after), tuple(moments)

    def _step_blocks(
        self, value: Array, gap: Array, states: tuple[BlockState, ...], index: int
    ) -> tuple[tuple[BlockState, ...], Array, Array, Array]:
        """One step through the blocks from `index` on, as far as it completes groups."""
        if index == len(self.blocks):
            return (), value, gap, jnp.asarray(True)
        block = self.blocks[index]
        state = block.step(value, gap, states[0])

        def go_on(state: BlockState, later: tuple[BlockState, ...]) -> tuple[tuple[BlockState, ...], Array, Array, Array]:
            value, gap, state = block.emit(state)
            if self.config.time == "uniform":
                gap = jnp.ones_like(gap)
            later, value, gap, ready = self._step_blocks(value, gap, later, index + 1)
            return (state, *later), value, gap, ready

        def wait(state: BlockState, later: tuple[BlockState, ...]) -> tuple[tuple[BlockState, ...], Array, Array, Array]:
            nothing = jnp.zeros_like(self.decoder.weight[0])
            return (state, *later), nothing, jnp.zeros_like(gap), jnp.asarray(False)

        if block.layer.pooling.stride == 1:
            return go_on(state, states[1:])
        return lax.cond(block.is_full(state), go_on, wait, state, states[1:])

    def _init_head(self) -> HeadState:
        return self.head.init_state(self.decoder.weight.shape[1], self.decoder.weight.dtype)

    def _logits(self, head: HeadState) -> Float[Array, " class"]:
        return self.decoder(self.head.features(head))


def _create_blocks(config: ModelConfig, key: PRNGKeyArray, dtype: DTypeLike) -> tuple[Block, ...]:
    blocks = []
    keys = iter(jax.random.split(key, config.stages * config.blocks_per_stage))
    for d_in, d_out, d_state in config.stage_shapes():
        for position in range(config.blocks_per_stage):
            stride, width = (config.stride, d_in) if position == 0 else (1, d_out)
            blocks.append(_create_block(config, width, d_out, d_state, stride, next(keys), dtype))
    return tuple(blocks)


def _create_block(
    config: ModelConfig, d_in: int, d_out: int, d_state: int, stride: int, key: PRNGKeyArray, dtype: DTypeLike
) -> Block:
    to_layer, to_gate, to_skip = jax.random.split(key, 3)
    normed = d_in if config.norm_order == "pre" else d_out
    return Block(
        norm=LayerNorm.create(normed, dtype)
        if config.norm == "layer"
        else BatchNorm.create(normed, config.batch_momentum, dtype),
        layer=StateSpaceLayer.create(
            d_in,
            d_out,
            d_state,
            Pooling(stride, config.pooling, config.read_out),
            to_layer,
            block_size=config.block_size,
            conjugate=config.conjugate,
            dt_min=config.dt_min,
            dt_max=config.dt_max,
            discretization=config.discretization,
            c_init=config.c_init,
            spectrum=config.spectrum,
            scan=config.scan,
            dtype=dtype,
        ),
        gate=Linear.create(d_out, d_out, to_gate, dtype),
        widen=None if d_in == d_out else Linear.create(d_in, d_out, to_skip, dtype),
        order=config.norm_order,
        dropout=config.dropout,
    )
