"""The classifier of event streams, as whole sequences, in pieces and one event at a time."""

import math
from collections.abc import Hashable

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import ArrayLike, DTypeLike
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from eventssm import _checks
from eventssm.model._config import ModelConfig
from eventssm.model._create import create_blocks
from eventssm.model._head import Head, HeadState
from eventssm.model._inputs import Recording, checked, embed
from eventssm.model._stack import Stack
from eventssm.ssm import BlockState, Linear, Moments, Training


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
    batches of padded recordings with their `length`. The same mathematics runs over whole sequences
    (`__call__`, `anytime`), over pieces (`advance`) and one event at a time (`step`).

    Arguments are checked where their values are known. Inside `jax.jit` they are not, and there a channel
    that the sensor does not have gives NaN.
    """

    embedding: Float[Array, "channel width"]
    stack: Stack
    head: Head
    decoder: Linear
    config: ModelConfig = eqx.field(static=True)

    @classmethod
    def assemble(cls, config: ModelConfig, embedding: Array, stack: Stack, decoder: Linear) -> "Classifier":
        """A classifier of given parts."""
        model = object.__new__(cls)
        for name, part in (
            ("embedding", embedding),
            ("stack", stack),
            ("head", Head(config.head)),
            ("decoder", decoder),
            ("config", config),
        ):
            object.__setattr__(model, name, part)
        return model

    def __init__(self, config: ModelConfig, *, key: PRNGKeyArray, dtype: DTypeLike = jnp.float32) -> None:
        """Random parameters: embedding rows normal with variance `1/d_model`, the rest as its modules say."""
        _checks.check_choice(jnp.dtype(dtype).name, ("float32", "float64"), "dtype")
        to_embedding, to_decoder, to_blocks = jax.random.split(key, 3)
        rows = jax.random.normal(to_embedding, (config.channels, config.d_model), dtype)
        self.embedding = rows * jnp.asarray(1 / math.sqrt(config.d_model), dtype)
        self.stack = Stack(create_blocks(config, to_blocks, dtype), config.time)
        self.head = Head(config.head)
        self.decoder = Linear.create(self.stack.width, config.classes, to_decoder, dtype)
        self.config = config

    def __call__(
        self,
        channels: Int[ArrayLike, " event"],
        gaps: Float[ArrayLike, " event"],
        length: int | Int[ArrayLike, ""] | None = None,
    ) -> Float[Array, " class"]:
        """Logits of one recording, of which the first `length` events are real (None: all).

        With fewer events than one step of the head takes, they are the decoder's bias.
        """
        return _evaluate(self, self._checked(channels, gaps, length))

    def anytime(
        self,
        channels: Int[ArrayLike, " event"],
        gaps: Float[ArrayLike, " event"],
        length: int | Int[ArrayLike, ""] | None = None,
    ) -> Predictions:
        """Logits at every moment at which the stream had a new prediction."""
        return _advance(self, self._checked(channels, gaps, length), None)[0]

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
        name of the surrounding `jax.vmap`. With it, gradients are to be taken of the batch, outside of that
        `jax.vmap`: inside of it every recording would get the whole batch's.
        """
        recording = self._checked(channels, gaps, length)
        steps = embed(self.embedding, *recording, shared=batch_axis is not None)
        steps, _, moments = self.stack(steps, training=Training(key, batch_axis))
        return self._logits(self.head(steps, self._init_head())), moments

    def init_state(self) -> ClassifierState:
        """The state before the first event."""
        return ClassifierState(self.stack.init_state(), self._init_head())

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
        return _advance(self, self._checked(channels, gaps, length), state)

    def step(
        self, channel: Int[ArrayLike, ""], gap: Float[ArrayLike, ""], state: ClassifierState
    ) -> tuple[Float[Array, " class"], Bool[Array, ""], ClassifierState]:
        """The next event of a stream: logits, whether it completed a step of the head, state after it.

        Between such events the logits stay what they were.
        """
        event = self._checked(jnp.atleast_1d(channel), jnp.atleast_1d(gap), None)
        return _step(self, event, state)

    def _checked(self, channels: ArrayLike, gaps: ArrayLike, length: ArrayLike | None) -> Recording:
        return checked(channels, gaps, length, self.embedding.shape[0])

    def _init_head(self) -> HeadState:
        return self.head.init_state(self.stack.width, self.embedding.dtype)

    def _logits(self, head: HeadState) -> Float[Array, " class"]:
        return self.decoder(self.head.features(head))


@eqx.filter_jit
def _evaluate(model: Classifier, recording: Recording) -> Float[Array, " class"]:
    steps, _, _ = model.stack(embed(model.embedding, *recording))
    return model._logits(model.head(steps, model._init_head()))


@eqx.filter_jit
def _advance(
    model: Classifier, recording: Recording, state: ClassifierState | None
) -> tuple[Predictions, ClassifierState]:
    steps = embed(model.embedding, *recording)
    steps, blocks, _ = model.stack(steps, None if state is None else state.blocks)
    head = model._init_head() if state is None else state.head
    logits = model.decoder(model.head.running(steps, head))
    return Predictions(logits, steps.count), ClassifierState(blocks, model.head(steps, head))


@eqx.filter_jit
def _step(
    model: Classifier, event: Recording, state: ClassifierState
) -> tuple[Float[Array, " class"], Bool[Array, ""], ClassifierState]:
    steps = embed(model.embedding, *event)
    value, gap, ready, blocks = model.stack.step(steps.values[0], steps.gaps[0], state.blocks)
    moved = model.head.step(value, gap, state.head)
    head = jax.tree.map(lambda new, old: jnp.where(ready, new, old), moved, state.head)
    return model._logits(head), ready, ClassifierState(blocks, head)
