"""Time scales in closed form, and those that a run begins with."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm.evaluate import time_scales
from eventssm.ssm import FreeSpectrum
from eventssm.train import initial_model
from tests.evaluate.made import classifier
from tests.runs import make_run


def test_in_closed_form():
    model = classifier()
    layer = model.stack.blocks[0].layer
    states = layer.log_delta.shape[0]
    delta, phi, theta = 0.02, np.log(0.5), np.linspace(-3, 4.1, states)
    model = eqx.tree_at(
        lambda tree: (
            tree.stack.blocks[0].layer.log_delta,
            tree.stack.blocks[0].layer.spectrum.phi,
            tree.stack.blocks[0].layer.spectrum.theta,
        ),
        model,
        (jnp.full(states, np.log(delta)), jnp.full(states, phi), jnp.asarray(theta)),
    )
    first, second = time_scales(model)
    assert (first.name, second.name) == ("stage 1, block 1", "stage 2, block 1")
    assert first.constants == pytest.approx(np.full(states, 1 / (0.5 * 0.02)), rel=1e-5)
    assert first.periods == pytest.approx(2 * np.pi / (np.abs(theta) * 0.02), rel=1e-4)
    assert first.states == states


def test_states_that_do_not_decay_or_swing_have_none():
    model = classifier(spectrum="free")
    states = model.stack.blocks[0].layer.log_delta.shape[0]
    real, imag = jnp.linspace(-1, 1, states), jnp.zeros(states).at[0].set(2.0)
    model = eqx.tree_at(
        lambda tree: tree.stack.blocks[0].layer.spectrum, model, FreeSpectrum(real, imag, False)
    )
    found = time_scales(model)[0]
    assert (len(found.constants), len(found.periods), found.states) == (
        (np.asarray(real) < 0).sum(),
        1,
        states,
    )


def test_the_initial_model_follows_from_the_seed(tmp_path):
    config = make_run(tmp_path).config
    one, same = initial_model(config), initial_model(config)
    assert eqx.tree_equal(one, same) and one.config == config.model
    scales = time_scales(one)
    assert 1 / (0.5 * config.model.dt_max) * 0.99 <= scales[0].constants.min()
    assert scales[0].constants.max() <= 1 / (0.5 * config.model.dt_min) * 1.01
