"""Configurations: the published sizes, and what is refused."""

import dataclasses
import re

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm import Classifier, InputError, ModelConfig, presets
from eventssm.model import count_parameters
from tests.support import random_classifier

SMALL = ModelConfig(channels=3, classes=2, d_model=4, d_state=4, block_size=4, stages=1, blocks_per_stage=1)
SIZES = {
    "shd-tiny": (8_692, 11_200),
    "shd-medium": (356_756, 67_200),  # REFERENCE: 0.42 M together
    "ssc-small": (78_115, 44_800),  # 0.12 M together
    "ssc-medium": (530_915, 67_200),  # 0.60 M together
    "dvs-small": (1_239_435, 4_194_304),  # 1.24 M + 4.19 M
    "dvs-paper": (778_955, 4_194_304),  # the paper's 0.8 M + 4.2 M
}


@pytest.mark.parametrize("name", SIZES)
def test_presets_have_the_published_sizes(name):
    shapes = eqx.filter_eval_shape(lambda key: Classifier(presets[name], key=key), jax.random.key(0))
    assert count_parameters(shapes) == SIZES[name]


def test_there_is_a_size_for_every_preset_and_none_can_be_changed():
    assert SIZES.keys() == presets.keys()
    with pytest.raises(
        InputError, match=r"preset: expected one of .*, got 'shd-mediun' \(did you mean 'shd-medium'"
    ):
        presets["shd-mediun"]
    with pytest.raises(TypeError):
        presets["mine"] = presets["shd-tiny"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        presets["shd-tiny"].stride = 3


def test_running_averages_are_not_counted():
    layer, batch = (random_classifier(dataclasses.replace(SMALL, norm=norm)) for norm in ("layer", "batch"))
    assert count_parameters(layer) == count_parameters(batch)


def test_later_stages_are_wider():
    config = dataclasses.replace(presets["ssc-medium"], stages=3)
    assert config.stage_shapes() == [(96, 96, 128), (96, 192, 256), (192, 384, 512)]
    assert config.events_per_prediction == 512


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"channels": 0}, "channels: expected a whole number >= 1, got 0"),
        ({"stride": -2}, "stride: expected a whole number >= 1, got -2"),
        (
            {"discretization": "asinc"},
            "expected one of async, dirac, zoh, got 'asinc' (did you mean 'async'?)",
        ),
        ({"pooling": "max"}, "pooling: expected one of mean, last, time, got 'max'"),
        ({"head": "max"}, "head: expected one of mean, time, last, got 'max'"),
        ({"norm": "group"}, "norm: expected one of layer, batch, got 'group'"),
        ({"norm_order": "before"}, "norm_order: expected one of pre, post, got 'before'"),
        ({"time": "unform"}, "time: expected one of event, uniform, got 'unform' (did you mean 'uniform'?)"),
        ({"d_state": 100}, "d_state: expected a multiple of block_size = 8, got 100"),
        ({"block_size": 1, "conjugate": True}, "block_size: expected an even number with conjugate, got 1"),
        ({"dropout": 1.0}, "dropout: expected 0 <= dropout < 1, got 1.0"),
        ({"dropout": float("nan")}, "dropout: expected 0 <= dropout < 1, got nan"),
        ({"batch_momentum": 1.5}, "batch_momentum: expected 0 <= batch_momentum <= 1, got 1.5"),
        ({"dt_min": 0.2}, "dt_min, dt_max: expected 0 < dt_min <= dt_max, got 0.2, 0.1"),
        ({"dt_min": float("nan")}, "dt_min, dt_max: expected 0 < dt_min <= dt_max, got nan, 0.1"),
    ],
)
def test_what_is_refused(change, message, as_a_user):
    with pytest.raises(InputError, match=re.escape(message)):
        dataclasses.replace(presets["shd-medium"], **change)


@pytest.mark.parametrize(
    ("channels", "gaps", "length", "message"),
    [
        ([0, 3], [0, 1], None, "channels[1]: expected 0 <= channels < 3, got 3"),
        ([0, -1], [0, 1], None, "channels[1]: expected 0 <= channels < 3, got -1"),
        ([0, 1], [0, -1], None, "gaps[1]: expected a finite gap >= 0, got -1"),
        ([0, 1], [0, np.nan], None, "gaps[1]: expected a finite gap >= 0, got nan"),
        ([0, 1], ["a", "b"], None, "gaps: expected numbers (milliseconds), got dtype <U1"),
        ([0.0, 1.0], [0, 1], None, "channels: expected whole numbers, got dtype float64"),
        ([[0, 1]], [[0, 1]], None, "channels: expected one axis (jax.vmap makes batches), got shape (1, 2)"),
        ([0, 1], [0], None, "gaps: expected shape (2,), as channels, got shape (1,)"),
        ([0, 1], [0, 1], 3, "length: expected 0 <= length <= 2, got 3"),
        ([0, 1], [0, 1], -1, "length: expected 0 <= length <= 2, got -1"),
    ],
)
def test_wrong_recordings(channels, gaps, length, message, as_a_user):
    model = random_classifier(SMALL)
    with pytest.raises(InputError, match=re.escape(message)):
        model(np.array(channels), np.array(gaps), length)


def test_an_unknown_channel_inside_jit_gives_nan():
    model = random_classifier(dataclasses.replace(SMALL, stride=1))
    logits = jax.jit(lambda channels: model(channels, np.zeros(2, np.float32)))
    assert np.isfinite(logits(np.array([0, 2]))).all()
    assert np.isnan(logits(np.array([0, 3]))).all() and np.isnan(logits(np.array([-1, 0]))).all()


@pytest.mark.parametrize("length", [2.7, True, np.array([3]), float("nan")])
def test_a_length_is_one_whole_number(as_a_user, length):
    model = random_classifier(SMALL)
    with pytest.raises(InputError, match="length: expected one whole number, got"):
        model(np.zeros(5, np.int32), np.zeros(5), length)


def test_half_floats_are_refused():
    with pytest.raises(InputError, match="dtype: expected one of float32, float64, got 'bfloat16'"):
        Classifier(presets["shd-tiny"], key=jax.random.key(0), dtype=jnp.bfloat16)
