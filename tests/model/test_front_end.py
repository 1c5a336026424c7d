"""The front end as a table, states at the ends of groups only: against a row and a state for every event."""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm import Classifier, ModelConfig, presets
from eventssm.model import trainable
from tests.support import close, random_classifier, recording, tolerance

CONFIG = ModelConfig(
    channels=11, classes=3, d_model=6, d_state=8, block_size=4, stages=2, blocks_per_stage=2, stride=4,
    expansion=2, dropout=0.2,
)  # fmt: skip
COMBINATIONS = [
    dict(zip(("discretization", "norm", "norm_order"), words.split(), strict=True))
    for words in (
        "async layer pre", "dirac batch pre", "async batch post", "zoh layer post",
    )
]  # fmt: skip
OTHERS = [
    {"pooling": "time", "head": "time", "conjugate": True, "discretization": "zoh"},
    {"pooling": "last", "head": "last", "norm": "batch", "spectrum": "clipped"},
    {"time": "uniform", "discretization": "zoh", "pooling": "time"},
]


def loss_and_gradient(model: Classifier, channels, gaps, lengths):
    """A loss of a padded batch in training, batch norm's moments, and the gradient of every parameter."""
    learnt, fixed = eqx.partition(model, trainable(model))
    keys = jax.random.split(jax.random.key(3), len(lengths))

    def loss(learnt):
        whole = eqx.combine(learnt, fixed)

        def one(channels, gaps, length, key):
            return whole.training_logits(channels, gaps, length, key=key, batch_axis="batch")

        logits, moments = jax.vmap(one, axis_name="batch", out_axes=(0, None))(channels, gaps, lengths, keys)
        return jnp.sin(logits + jnp.arange(logits.shape[1], dtype=logits.dtype)).sum(), (logits, moments)

    return jax.jit(jax.value_and_grad(loss, has_aux=True))(learnt)


def compare_with_the_plain_form(rng, config: ModelConfig, dtype):
    model = random_classifier(config, dtype)
    plain = random_classifier(dataclasses.replace(config, scan="sequential"), dtype)
    recordings = [recording(rng, 75, 11, dtype) for _ in range(3)]
    columns = zip(*recordings, strict=True)
    channels, gaps = (jnp.stack([jnp.asarray(column) for column in of_all]) for of_all in columns)
    batch = channels, gaps, jnp.asarray([75, 34, 3], jnp.int32)
    (_, aux), gradient = loss_and_gradient(model, *batch)
    (_, want_aux), want = loss_and_gradient(plain, *batch)
    allowed = tolerance(dtype, 2e-4, 1e-10)
    for got, wanted in zip(jax.tree.leaves(aux), jax.tree.leaves(want_aux), strict=True):
        close(got, wanted, allowed)
    small = 1e-2 * max(float(jnp.abs(leaf).max()) for leaf in jax.tree.leaves(want))
    for got, wanted in zip(jax.tree.leaves(gradient), jax.tree.leaves(want), strict=True):
        scale = max(small, float(jnp.abs(wanted).max()))
        assert np.abs(got - wanted).max(initial=0.0) <= allowed * scale


@pytest.mark.parametrize("words", COMBINATIONS, ids=lambda words: "-".join(words.values()))
def test_equals_the_plain_form_in_training(rng, float64, words):
    compare_with_the_plain_form(rng, dataclasses.replace(CONFIG, **words, stages=1), float64)


@pytest.mark.parametrize("words", OTHERS, ids=lambda words: "-".join(map(str, words.values())))
def test_two_stages_equal_the_plain_form_in_training(rng, words):
    compare_with_the_plain_form(rng, dataclasses.replace(CONFIG, **words, blocks_per_stage=1), jnp.float32)


@pytest.mark.parametrize("events", [0, 1, 3, 4, 15, 16, 17])
def test_short_recordings_equal_the_plain_form(rng, events):
    model = random_classifier(CONFIG)
    plain = eqx.tree_at(lambda tree: tree.stack, model, _sequential(model.stack))
    channels, gaps = recording(rng, events, 11)
    close(model(channels, gaps), plain(channels, gaps), 1e-5)
    got, want = model.anytime(channels, gaps), plain.anytime(channels, gaps)
    assert int(got.count) == int(want.count) == events // 16
    close(got.logits[: got.count], want.logits[: want.count], 1e-5)


def test_gradients_of_single_recordings_stay_apart(rng):
    model = random_classifier(dataclasses.replace(CONFIG, stages=1, blocks_per_stage=1))
    channels, gaps = recording(rng, 16, 11)
    gaps = jnp.stack((gaps, 3 * gaps))
    gradient = jax.grad(lambda model, gaps: model(channels, gaps).sum())
    together, alone = jax.vmap(gradient, (None, 0))(model, gaps), gradient(model, gaps[1])
    for got, want in zip(jax.tree.leaves(together), jax.tree.leaves(alone), strict=True):
        close(got[1], want, 1e-4)


@pytest.mark.parametrize("length", [-1, 41, 10**6])
def test_a_wrong_length_where_it_cannot_be_checked_gives_nan(rng, length):
    model = random_classifier(CONFIG)
    channels, gaps = recording(rng, 40, 11)
    lengths = jnp.asarray([40, length])
    logits = jax.vmap(lambda length: model(channels, gaps, length))(lengths)
    assert np.isfinite(logits[0]).all() and np.isnan(logits[1]).all()


@pytest.mark.optimised
def test_a_long_recording_equals_the_plain_form(rng):
    """The published camera model on 16,384 events: logits and gradients in float32 within 1e-4."""
    model = Classifier(presets["dvs-small"], key=jax.random.key(0))
    plain = eqx.tree_at(lambda tree: tree.stack, model, _sequential(model.stack))
    channels, gaps = recording(rng, 16_384, model.config.channels)
    batch = jnp.asarray(channels)[None], jnp.asarray(gaps)[None], jnp.asarray([16_384], jnp.int32)
    (_, (logits, _)), gradient = loss_and_gradient(model, *batch)
    (_, (want_logits, _)), want = loss_and_gradient(plain, *batch)
    close(logits, want_logits, 1e-4)
    scale = max(float(jnp.abs(leaf).max()) for leaf in jax.tree.leaves(want))
    for got, wanted in zip(jax.tree.leaves(gradient), jax.tree.leaves(want), strict=True):
        assert np.abs(got - wanted).max() <= 1e-4 * max(1e-2 * scale, float(jnp.abs(wanted).max()))


def test_nothing_of_the_size_events_times_states_is_made(rng):
    """The memory of a training step is below one number for every event and state."""
    config = dataclasses.replace(CONFIG, d_state=256, d_model=4, stride=16, expansion=1, stages=1)
    model, events = random_classifier(config), 1 << 16
    channels, gaps = recording(rng, events, 11)
    batch = jnp.asarray(channels)[None], jnp.asarray(gaps)[None], jnp.asarray([events], jnp.int32)
    learnt, fixed = eqx.partition(model, trainable(model))

    def loss(learnt, channels, gaps, lengths):
        def one(channels, gaps, length):
            whole = eqx.combine(learnt, fixed)
            return whole.training_logits(channels, gaps, length, key=jax.random.key(0))[0]

        return jax.vmap(one)(channels, gaps, lengths).sum()

    memory = jax.jit(jax.grad(loss)).lower(learnt, *batch).compile().memory_analysis()
    assert 0 < memory.temp_size_in_bytes < 4 * events * 256


def _sequential(stack):
    blocks = tuple(
        dataclasses.replace(block, layer=dataclasses.replace(block.layer, scan="sequential"))
        for block in stack.blocks
    )
    return dataclasses.replace(stack, blocks=blocks)
