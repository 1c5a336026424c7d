"""AdamW in two groups, against optax's own; the schedule, against its closed form."""

import itertools
import math
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from eventssm import Classifier
from eventssm.train import OptimizerConfig
from eventssm.train._optimizer import create_optimizer, groups, learning_rate, parameters
from tests.support import close, random_classifier
from tests.train.small import MODEL

CONFIG = OptimizerConfig(lr_factor=3.0, weight_decay_ssm=0.01, weight_decay=0.1)


def test_the_rate_rises_then_falls_to_nothing_after_the_last_update():
    rates = [float(learning_rate(update, 2.0, 4, 10)) for update in range(11)]
    assert rates[:5] == pytest.approx([0.5, 1.0, 1.5, 2.0, 2.0])
    assert rates[7] == pytest.approx(1 + math.cos(math.pi / 2)) and rates[10] == pytest.approx(0.0, abs=1e-6)
    assert all(a > b for a, b in itertools.pairwise(rates[4:]))


def test_without_warm_up_the_first_rate_is_the_peak():
    assert float(learning_rate(0, 2.0, 0, 10)) == 2.0
    assert math.isfinite(float(learning_rate(9, 2.0, 10, 10)))


def test_b_and_lambda_are_in_a_group_of_their_own():
    model = random_classifier(replace(MODEL, norm="batch"))
    layer = groups(model, CONFIG).stack.blocks[0].layer
    assert {layer.B.factor, *(leaf.factor for leaf in jax.tree.leaves(layer.spectrum))} == {1.0}
    assert layer.B.weight_decay == 0.01
    assert (layer.log_delta.factor, layer.log_delta.weight_decay) == (3.0, 0.1)
    assert layer.C.factor == layer.D.factor == 3.0
    switched = groups(model, replace(CONFIG, decay_log_delta=False)).stack.blocks[0]
    assert (switched.layer.log_delta.factor, switched.layer.log_delta.weight_decay) == (3.0, 0.0)
    assert switched.layer.C.weight_decay == switched.gate.bias.weight_decay == 0.1


def test_it_is_adamw_of_each_group(rng):
    model = random_classifier(replace(MODEL, norm="batch"))
    learnt = parameters(model)
    assert learnt.stack.blocks[0].norm.mean is None and learnt.stack.blocks[0].norm.scale is not None
    labels = jax.tree.map(
        lambda group, _: "ssm" if group.factor == 1.0 else "rest", groups(model, CONFIG), learnt
    )
    peak, warm_up, updates = 0.1, 2, 6

    def adamw(factor: float, decay: float) -> optax.GradientTransformation:
        rate = lambda update: factor * learning_rate(update, peak, warm_up, updates)  # noqa: E731
        return optax.adamw(rate, 0.9, 0.999, 1e-8, weight_decay=decay)

    plain = optax.partition({"ssm": adamw(1.0, 0.01), "rest": adamw(3.0, 0.1)}, lambda _: labels)
    ours = create_optimizer(model, CONFIG, peak, warm_up, updates)
    several = [
        jax.tree.map(lambda leaf: jnp.asarray(rng.normal(size=leaf.shape), leaf.dtype), learnt)
        for _ in range(3)
    ]

    def after(optimizer: optax.GradientTransformation) -> Classifier:
        state, tree = optimizer.init(learnt), learnt
        for gradients in several:
            changes, state = optimizer.update(gradients, state, tree)
            tree = optax.apply_updates(tree, changes)
        return tree

    ours_after = jax.jit(lambda: after(ours))()
    with jax.numpy_dtype_promotion("standard"):
        plain_after = jax.jit(lambda: after(plain))()
    moved = 0.0
    for got, want, before in zip(*map(jax.tree.leaves, (ours_after, plain_after, learnt)), strict=True):
        close(got, want, 1e-6)
        moved = max(moved, float(np.abs(want - before).max()))
    assert moved > 0.1


def test_long_gradients_are_shortened():
    model = random_classifier(MODEL)
    learnt = parameters(model)
    found = []
    for scale in (1.0, 100.0):
        optimizer = create_optimizer(model, replace(CONFIG, clip_norm=1.0), 0.1, 0, 5)
        gradients = jax.tree.map(lambda leaf, scale=scale: scale * jnp.ones_like(leaf), learnt)
        _, state = jax.jit(optimizer.update)(gradients, optimizer.init(learnt), learnt)
        found.append(optax.tree.norm(state[1].mu))
    assert float(found[0]) == pytest.approx(0.1) and float(found[1]) == pytest.approx(0.1)
