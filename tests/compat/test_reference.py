"""The published code's quirks, which the golden cases show only in part."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm import InputError, compat
from tests.compat.test_parameters import CONFIG
from tests.support import close, random_classifier

SMALL = {**CONFIG, "batchnorm": False, "num_layers_per_stage": 1}


def case(rng, steps=18, **changes):
    config = {**SMALL, **changes}
    params = compat.dump_parameters(random_classifier(compat.model_config(config)))
    tokens = rng.integers(0, 24, (2, steps)).astype(np.int32)
    return params, config, tokens, rng.exponential(size=(2, steps)).astype(np.float32)


def test_token_minus_one_is_the_last_embedding_row(rng):
    params, config, tokens, gaps = case(rng)
    tokens[0, 3] = -1
    other = np.where(tokens == -1, 23, tokens)
    got = compat.reference_logits(params, config, tokens, gaps, np.array([18, 18]))
    close(got, compat.reference_logits(params, config, other, gaps, np.array([18, 18])), 0)


def test_steps_that_fill_no_group_have_no_influence(rng):
    params, config, tokens, gaps = case(rng, steps=20)
    got = compat.reference_logits(params, config, tokens, gaps, np.array([18, 18]))
    want = compat.reference_logits(params, config, tokens[:, :18], gaps[:, :18], np.array([18, 18]))
    close(got, want, 1e-6)


def test_the_time_head_counts_the_gaps_of_padding_in_its_denominator(rng):
    params, config, tokens, gaps = case(rng, classification_mode="timepool")
    bias = params["decoder/bias"]
    full = compat.reference_logits(params, config, tokens, gaps, np.array([9, 9]))
    gaps[:, 9:] = 0.0
    alone = compat.reference_logits(params, config, tokens, gaps, np.array([9, 9]))
    assert (np.abs(full - bias) < 0.9 * np.abs(alone - bias)).all()


def test_too_short_a_recording_has_no_mean(rng):
    params, config, tokens, gaps = case(rng)
    logits = compat.reference_logits(params, config, tokens, gaps, np.array([8, 18]))
    assert np.isnan(logits[0]).all() and np.isfinite(logits[1]).all()


def test_step_rescale_multiplies_every_time_scale(rng):
    params, config, tokens, gaps = case(rng, discretization="zoh")
    twice = compat.reference_logits(params, {**config, "step_rescale": 2.0}, tokens, gaps, np.array([18, 18]))
    longer = {name: a + np.log(2) if name.endswith("log_step") else a for name, a in params.items()}
    close(twice, compat.reference_logits(longer, config, tokens, gaps, np.array([18, 18])), 1e-6)


def test_dropout_cannot_be_reproduced(rng):
    params, config, tokens, gaps = case(rng)
    config = {**config, "train": True, "dropout": 0.25}
    with pytest.raises(InputError, match="dropout: expected 0 with train"):
        compat.reference_logits(params, config, tokens, gaps, np.array([18, 18]))


def test_it_computes_in_the_widest_type_that_is_on(rng):
    params, config, tokens, gaps = case(rng)
    assert compat.reference_logits(params, config, tokens, gaps, np.array([18, 18])).dtype == jnp.float32
    with jax.enable_x64(True):
        assert compat.reference_logits(params, config, tokens, gaps, np.array([18, 18])).dtype == jnp.float64
