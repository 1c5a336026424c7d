"""One step of training: loss, gradients, AdamW and batch norm's averages, as one compiled program."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from jax import lax
from jax.typing import ArrayLike
from jaxtyping import Array, Bool, Float, Float32, Int32, PRNGKeyArray

from eventssm.batching import Batch
from eventssm.model import Classifier, trainable, updated_norms
from eventssm.ssm import Moments
from eventssm.train._optimizer import parameters

AXIS = "recording"


class TrainState(eqx.Module):
    """All that changes from step to step.

    `step` counts batches, and the optimizer's own count updates. `gradients` is the sum over the `rows` since
    the last update, or None where every batch makes one.
    """

    model: Classifier
    optimizer: optax.OptState
    step: Int32[Array, ""]
    gradients: Classifier | None
    rows: Float32[Array, ""]


class StepResult(NamedTuple):
    """Sums over a batch's real rows. Without `finite`, the step changed nothing."""

    loss: Float[Array, ""]
    correct: Int32[Array, ""]
    rows: Int32[Array, ""]
    finite: Bool[Array, ""]


def init_state(model: Classifier, optimizer: optax.GradientTransformation, accumulation: int) -> TrainState:
    """The state before the first step, in buffers of its own, as a step uses them up."""
    learnt = parameters(model)
    state = TrainState(
        model=model,
        optimizer=optimizer.init(learnt),
        step=jnp.zeros((), jnp.int32),
        gradients=None if accumulation == 1 else jax.tree.map(jnp.zeros_like, learnt),
        rows=jnp.zeros((), jnp.float32),
    )
    return jax.tree.map(lambda leaf: jnp.array(leaf, copy=True), state)


def batch_loss(
    model: Classifier, batch: Batch, key: PRNGKeyArray, label_smoothing: float = 0.0
) -> tuple[Float[Array, ""], tuple[Int32[Array, ""], tuple[Moments | None, ...]]]:
    """Sum over the real rows of the cross-entropy `-Σ target log softmax(logits)`, with dropout.

    Beside it: rows whose most likely class is that of the largest target, and batch norm's moments. Row r
    draws its dropout from the r-th of the keys that `key` splits into. Smoothing spreads a share of each
    target evenly over the classes.
    """
    keys = jax.random.split(key, batch.lengths.shape[0])

    def one(
        channels: Array, gaps: Array, length: Array, key: PRNGKeyArray
    ) -> tuple[Array, tuple[Moments | None, ...]]:
        return model.training_logits(channels, gaps, length, key=key, batch_axis=AXIS)

    rows = jax.tree.map(jnp.asarray, (batch.channels, batch.gaps, batch.lengths, keys))
    logits, moments = jax.vmap(one, axis_name=AXIS)(*rows)
    loss, correct = cross_entropy(logits, batch, label_smoothing)
    return loss, (correct, jax.tree.map(lambda leaf: leaf[0], moments))


def cross_entropy(
    logits: Float[Array, "row class"], batch: Batch, label_smoothing: float = 0.0
) -> tuple[Float[Array, ""], Int32[Array, ""]]:
    """Sum of the cross-entropy over a batch's real rows, and how many are right."""
    classes = logits.shape[1]
    targets = jnp.asarray(batch.targets).astype(logits.dtype)
    smooth = (1.0 - label_smoothing) * targets + label_smoothing / classes
    losses = -(smooth * jax.nn.log_softmax(logits)).sum(1)
    real = jnp.asarray(batch.samples) >= 0
    right = logits.argmax(1) == targets.argmax(1)
    return jnp.where(real, losses, 0.0).sum(), (real & right).sum(dtype=jnp.int32)


Step = Callable[[TrainState, Batch, ArrayLike], tuple[TrainState, StepResult]]


def make_step(
    optimizer: optax.GradientTransformation, key: PRNGKeyArray, label_smoothing: float = 0.0
) -> Step:
    """`step(state, batch, update)`: the state after a batch, and what was found in it.

    The gradient is that of the mean over the real rows since the last update; where batches are accumulated
    and `update` is false, it is only added up. Dropout's key is `key` with the step's number folded in. The
    state that is passed in is used up: its buffers hold the new one. Where loss, gradients or new parameters
    are not finite, the state stays what it was.
    """

    def apply(state: TrainState) -> TrainState:
        learnt, fixed = eqx.partition(state.model, trainable(state.model))
        rows = jnp.maximum(state.rows, 1.0)
        mean = jax.tree.map(lambda leaf: leaf / rows.astype(leaf.dtype), state.gradients)
        changes, after = optimizer.update(mean, state.optimizer, learnt)
        model = eqx.combine(optax.apply_updates(learnt, changes), fixed)
        zeros = jax.tree.map(jnp.zeros_like, state.gradients)
        return TrainState(model, after, state.step, zeros, jnp.zeros_like(rows))

    def advance(state: TrainState, batch: Batch, update: ArrayLike) -> tuple[TrainState, StepResult]:
        learnt, fixed = eqx.partition(state.model, trainable(state.model))

        def loss_of(learnt: Classifier) -> tuple[Array, tuple[Array, tuple[Moments | None, ...]]]:
            own = jax.random.fold_in(key, state.step)
            return batch_loss(eqx.combine(learnt, fixed), batch, own, label_smoothing)

        (loss, (correct, moments)), gradients = jax.value_and_grad(loss_of, has_aux=True)(learnt)
        real = (jnp.asarray(batch.samples) >= 0).sum(dtype=jnp.int32)
        every = state.gradients is None
        new = TrainState(
            model=updated_norms(state.model, moments),
            optimizer=state.optimizer,
            step=state.step + 1,
            gradients=gradients if every else jax.tree.map(jnp.add, state.gradients, gradients),
            rows=state.rows + real.astype(jnp.float32),
        )
        new = apply(new) if every else lax.cond(update, apply, lambda state: state, new)
        finite = jnp.isfinite(loss) & _all_finite(gradients) & _all_finite(new.model)
        if every:
            new = dataclasses.replace(new, gradients=None)
        kept = jax.tree.map(lambda after, before: jnp.where(finite, after, before), new, state)
        return kept, StepResult(loss, correct, real, finite)

    return jax.jit(advance, donate_argnums=0)


def _all_finite(tree: Classifier) -> Bool[Array, ""]:
    return jnp.stack([jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(tree)]).all()
