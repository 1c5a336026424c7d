"""The step: its loss by hand, empty rows, accumulation, batch norm, dropout, what is not finite."""

from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from eventssm.batching import Batch
from eventssm.train import batch_loss, cross_entropy, init_state, make_step
from tests.support import close, random_classifier
from tests.train.small import MODEL, batch

KEY = jax.random.key(7)
STILL = replace(MODEL, dropout=0.0)
loss_of = jax.jit(batch_loss)


def first(batch: Batch, rows: slice) -> Batch:
    return Batch(*(column[rows] for column in batch[:-1]), batch.cut)


def same(one: object, other: object) -> None:
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


def test_the_loss_by_hand(rng):
    given = batch(rng, 3, empty=1)
    logits = rng.normal(size=(4, 2)).astype(np.float32)
    loss, correct = cross_entropy(jnp.asarray(logits), given)
    shares = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    want = -(given.targets[:3] * np.log(shares[:3])).sum()
    assert float(loss) == pytest.approx(want, rel=1e-5)
    assert int(correct) == (logits.argmax(1) == given.targets.argmax(1))[:3].sum()
    smooth, _ = cross_entropy(jnp.asarray(logits), given, 0.2)
    want = -((0.8 * given.targets[:3] + 0.1) * np.log(shares[:3])).sum()
    assert float(smooth) == pytest.approx(want, rel=1e-5)


@pytest.mark.parametrize("norm", ["layer", "batch"])
def test_rows_without_a_recording_change_nothing(rng, norm):
    model = random_classifier(replace(STILL, norm=norm))
    full, seed = batch(rng, 3, empty=2), jax.random.key(0)
    found = [loss_of(model, part, seed) for part in (full, first(full, slice(3)))]
    assert float(found[0][0]) == pytest.approx(float(found[1][0]), rel=1e-5)
    for got, want in zip(*(jax.tree.leaves(moments) for _, (_, moments) in found), strict=True):
        close(got, want, 1e-5)


def test_accumulated_batches_are_one_large_batch(rng):
    optimizer = optax.sgd(0.1)
    given = batch(rng, 5)
    model = random_classifier(STILL)
    whole, result = make_step(optimizer, KEY)(init_state(model, optimizer, 1), given, True)
    step, state = make_step(optimizer, KEY), init_state(model, optimizer, 2)
    state, early = step(state, first(given, slice(0, 4)), False)
    same(state.model, model)
    assert float(state.rows) == 4.0
    state, late = step(state, first(given, slice(4, 5)), True)
    assert float(early.loss + late.loss) == pytest.approx(float(result.loss), rel=1e-5)
    assert float(state.rows) == 0.0 and not any(leaf.any() for leaf in jax.tree.leaves(state.gradients))
    for got, want, before in zip(*map(jax.tree.leaves, (state.model, whole.model, model)), strict=True):
        close(got - before, want - before, 1e-3)
    assert float(jnp.abs(whole.model.decoder.weight - model.decoder.weight).max()) > 1e-4


def test_batch_norm_follows_the_batches(rng):
    model = random_classifier(replace(STILL, norm="batch", batch_momentum=0.5))
    optimizer, given = optax.sgd(0.0), batch(rng)
    state, _ = make_step(optimizer, KEY)(init_state(model, optimizer, 1), given, True)
    _, (_, moments) = loss_of(model, given, KEY)
    norm, before = state.model.stack.blocks[0].norm, model.stack.blocks[0].norm
    close(norm.mean, 0.5 * (before.mean + moments[0].mean), 1e-5)
    close(norm.scale, before.scale, 0.0)


def test_dropout_is_new_in_every_step_and_the_same_in_every_run(rng):
    optimizer, given = optax.sgd(0.0), batch(rng)
    losses = []
    for _ in range(2):
        step, state = make_step(optimizer, KEY), init_state(random_classifier(MODEL), optimizer, 1)
        for _ in range(2):
            state, result = step(state, given, True)
            losses.append(float(result.loss))
    assert losses[:2] == losses[2:] and losses[0] != losses[1]


@pytest.mark.parametrize(("where", "accumulation"), [("loss", 1), ("loss", 2), ("update", 1)])
def test_what_is_not_finite_changes_nothing(rng, where, accumulation):
    model, given = random_classifier(replace(STILL, norm="batch")), batch(rng)
    rate = np.inf if where == "update" else 0.1
    optimizer = optax.sgd(rate)
    if where == "loss":
        model = eqx.tree_at(lambda m: m.decoder.bias, model, jnp.array([np.inf, 0.0], jnp.float32))
    state = init_state(model, optimizer, accumulation)
    before = jax.tree.map(np.array, state)
    after, result = make_step(optimizer, KEY)(state, given, True)
    assert not result.finite
    same(after, before)
