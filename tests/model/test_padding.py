"""Padding changes nothing: not a logit, not a gradient, not a batch-norm statistic."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventssm import ModelConfig
from eventssm.model import trainable, updated_norms
from tests.support import close, random_classifier

SLOTS = 24
CONFIG = ModelConfig(
    channels=7,
    classes=3,
    d_model=4,
    d_state=4,
    block_size=4,
    stages=2,
    blocks_per_stage=1,
    stride=2,
    conjugate=True,
    expansion=2,
)
VARIANTS = {
    "batch-pre": dataclasses.replace(CONFIG, norm="batch", pooling="time", head="time"),
    "batch-post": dataclasses.replace(CONFIG, norm="batch", norm_order="post", pooling="last", head="last"),
    "layer-pre": dataclasses.replace(CONFIG, discretization="zoh", pooling="mean", head="mean"),
}


def outcome(model, channels, gaps, lengths):
    """Loss, logits, gradient and updated norms of one training call on a padded batch."""

    def loss(model):
        def one(channels, gaps, length):
            return model.training_logits(channels, gaps, length, key=jax.random.key(0), batch_axis="batch")

        logits, moments = jax.vmap(one, axis_name="batch", out_axes=(0, None))(channels, gaps, lengths)
        return jnp.sum(jnp.sin(logits)), (logits, moments)

    (_, (logits, moments)), gradient = jax.value_and_grad(loss, has_aux=True, allow_int=True)(model)
    return logits, gradient, updated_norms(model, moments), jax.vmap(model)(channels, gaps, lengths)


COMPILED = jax.jit(outcome)


@pytest.mark.parametrize("variant", list(VARIANTS))
@given(data=st.data())
@settings(max_examples=12)
def test_what_the_padding_holds_changes_nothing(variant, data):
    with jax.enable_x64(True):
        model = random_classifier(VARIANTS[variant], jnp.float64)
        rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
        lengths = np.array(data.draw(st.lists(st.integers(0, SLOTS), min_size=2, max_size=2)), np.int32)
        channels = rng.integers(0, 7, (2, SLOTS)).astype(np.int32)
        gaps = rng.exponential(1.0, (2, SLOTS))
        want = COMPILED(model, channels, gaps, lengths)
        padding = np.arange(SLOTS) >= lengths[:, None]
        rubbish = st.sampled_from([-1, 6, 7, 2**31 - 1])
        channels = np.where(padding, np.int32(data.draw(rubbish)), channels)
        gaps = np.where(padding, data.draw(st.sampled_from([-1.0, 1e30, np.nan, np.inf])), gaps)
        got = COMPILED(model, channels, gaps, lengths)
        for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
            assert np.array_equal(a, b)
            assert np.isfinite(a).all()


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_how_much_padding_there_is_changes_nothing(variant, rng, float64):
    model = random_classifier(VARIANTS[variant], float64)
    lengths = np.array([13, 6], np.int32)
    channels, gaps = rng.integers(0, 7, (2, 13)).astype(np.int32), rng.exponential(1.0, (2, 13))
    want = COMPILED(model, channels, gaps, lengths)
    wider = ((0, 0), (0, SLOTS - 13))
    got = COMPILED(model, np.pad(channels, wider), np.pad(gaps, wider, constant_values=5.0), lengths)
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        close(a, b, 1e-12)


def test_batches_equal_single_recordings(rng, float64):
    model = random_classifier(VARIANTS["batch-pre"], float64)
    lengths = np.array([24, 5, 0, 17], np.int32)
    channels, gaps = rng.integers(0, 7, (4, SLOTS)).astype(np.int32), rng.exponential(1.0, (4, SLOTS))
    together = jax.vmap(model)(channels, gaps, lengths)
    alone = [model(channels[i], gaps[i], int(lengths[i])) for i in range(4)]
    close(together, jnp.stack(alone), 1e-13)


def test_only_parameters_are_trainable():
    model = random_classifier(VARIANTS["batch-pre"])
    mask = trainable(model)
    assert jax.tree.structure(mask) == jax.tree.structure(model)
    norm = mask.stack.blocks[0].norm
    assert (norm.scale, norm.bias, norm.mean, norm.variance) == (True, True, False, False)
    assert jax.tree.leaves(mask).count(False) == 4


def test_running_averages_get_no_gradient(rng):
    model = random_classifier(VARIANTS["batch-pre"])
    channels, gaps = rng.integers(0, 7, 24).astype(np.int32), rng.exponential(1.0, 24).astype(np.float32)
    gradient = jax.jit(jax.grad(lambda model: model(channels, gaps).sum()))(model)
    assert not gradient.stack.blocks[0].norm.mean.any()
    assert not gradient.stack.blocks[0].norm.variance.any()
    assert gradient.stack.blocks[0].norm.scale.any()
