"""The twin of the measurements is the same model."""

import dataclasses

import jax
import jax.numpy as jnp
import pytest

from eventssm import presets
from eventssm.bench._model import model_cases
from eventssm.bench._published import PublishedForm
from tests.support import close, random_classifier, recording


@pytest.mark.parametrize("name", ["shd-medium", "ssc-medium", "dvs-small"])
def test_both_forms_are_one_model(rng, name):
    config = dataclasses.replace(presets[name], channels=30, d_model=12, d_state=16, block_size=8)
    model = random_classifier(config)
    published = PublishedForm.of(model)
    columns = zip(*(recording(rng, 512, 30) for _ in range(2)), strict=True)
    channels, gaps = (jnp.stack([jnp.asarray(column) for column in of_all]) for of_all in columns)
    close(jax.jit(jax.vmap(published))(channels, gaps), jax.jit(jax.vmap(model))(channels, gaps), 1e-4)

    def loss(model):
        def one(channels, gaps, key):
            return model.training_logits(channels, gaps, key=key, batch_axis="batch")

        keys = jax.random.split(jax.random.key(1), 2)
        logits, moments = jax.vmap(one, axis_name="batch", out_axes=(0, None))(channels, gaps, keys)
        return jnp.sin(logits).sum(), moments

    grad = jax.jit(jax.value_and_grad(loss, has_aux=True))
    (got, moments), gradient = grad(published)
    (want, want_moments), wanted = grad(model)
    close(jnp.asarray(got), jnp.asarray(want), 1e-4)
    for one, other in zip(jax.tree.leaves(moments), jax.tree.leaves(want_moments), strict=True):
        close(one, other, 1e-4)
    scale = max(float(jnp.abs(leaf).max()) for leaf in jax.tree.leaves(wanted))
    for one, other in zip(jax.tree.leaves(gradient), jax.tree.leaves(wanted), strict=True):
        assert float(jnp.abs(one - other).max()) <= 1e-4 * scale


def test_every_case_of_the_issue_is_there():
    names = {case.name for case in model_cases()}
    assert {"train/shd-medium", "train/ssc-medium", "train/dvs-small", "train/dvs-small-1.5M"} <= names
    assert {"evaluate/shd-medium", "evaluate/dvs-small", "scaling/dvs-small/1048576"} <= names
