"""The published parameter tree into a classifier and back, and what is refused."""

import dataclasses
import re

import jax.numpy as jnp
import numpy as np
import pytest

from eventssm import InputError, ModelConfig, compat
from tests.support import close, random_classifier, recording

CONFIG = {
    "num_classes": 5, "num_embeddings": 24, "d_model": 8, "d_ssm": 8, "ssm_block_size": 4, "num_stages": 2,
    "num_layers_per_stage": 2, "pooling_stride": 3, "state_expansion_factor": 2, "discretization": "async",
    "pooling_mode": "avgpool", "classification_mode": "pool", "conj_sym": True, "prenorm": True,
    "batchnorm": True, "clip_eigs": True,
}  # fmt: skip


def published(**changes):
    """A parameter tree in the published layout, made from a random classifier."""
    config = compat.model_config({**CONFIG, **changes})
    params = compat.dump_parameters(random_classifier(config))
    return config, {name: -abs(array) if "Lambda_re" in name else array for name, array in params.items()}


def test_names_and_shapes_are_the_published_codes():
    _, params = published()
    layer = "encoder/stages_1/SequenceLayer_0"
    shapes = {name: array.shape for name, array in params.items()}
    assert shapes["encoder/encoder/embedding"] == (24, 8)
    assert shapes[f"{layer}/S5SSM_0/B"] == (8, 8, 2)
    assert shapes[f"{layer}/S5SSM_0/C"] == (16, 8, 2)
    assert shapes[f"{layer}/S5SSM_0/D"] == (16, 8)
    assert shapes[f"{layer}/S5SSM_0/log_step"] == (8, 1)
    assert shapes[f"{layer}/Dense_1/kernel"] == (8, 16)
    assert shapes[f"batch_stats/{layer}/BatchNorm_0/var"] == (8,)
    assert shapes["decoder/kernel"] == (16, 5)


@pytest.mark.parametrize("batchnorm", [True, False])
def test_there_and_back_is_the_same_to_the_bit(batchnorm):
    config, params = published(batchnorm=batchnorm, prenorm=batchnorm)
    back = compat.dump_parameters(compat.load_parameters(params, config))
    assert back.keys() == params.keys()
    assert all(np.array_equal(back[name], params[name]) for name in params)


def test_a_nested_tree_is_the_same_tree():
    config, params = published()
    nested = {"params": {}, "batch_stats": {}}
    for name, array in params.items():
        collection, path = ("batch_stats", name[12:]) if name.startswith("batch_stats/") else ("params", name)
        *folders, leaf = path.split("/")
        place = nested[collection]
        for folder in folders:
            place = place.setdefault(folder, {})
        place[leaf] = array
    back = compat.dump_parameters(compat.load_parameters(nested, config))
    assert all(np.array_equal(back[name], params[name]) for name in params)


def test_a_published_model_can_go_on_in_this_packages_conventions(rng):
    config, params = published()
    ours = dataclasses.replace(config, spectrum="stable", read_out="last")
    model = compat.load_parameters(params, ours)
    channels, gaps = recording(rng, 30, 24)
    same = compat.load_parameters(params, dataclasses.replace(config, read_out="last"))
    close(model(channels, gaps), same(channels, gaps), 1e-5)
    assert model.init_state() is not None


def test_a_third_stage_of_the_published_width_loads():
    """There the states grow with every stage, but the width only once."""
    config = ModelConfig(channels=24, classes=5, d_model=8, d_state=8, block_size=4, stages=2, expansion=2)
    wide = compat.dump_parameters(random_classifier(config))
    third = dataclasses.replace(config, d_model=16, d_state=32, expansion=1, stages=1)
    last = compat.dump_parameters(random_classifier(third))
    moved = {
        name.replace("stages_0", "stages_2"): array for name, array in last.items() if "stages_0" in name
    }
    model = compat.load_parameters({**wide, **moved}, dataclasses.replace(config, stages=3))
    assert [block.gate.bias.shape[0] for block in model.stack.blocks[::3]] == [8, 16, 16]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda params: params.pop("decoder/bias"),
            "params: expected an array 'decoder/bias', got 52 others",
        ),
        (
            lambda params: params.update({"decoder/kernel": jnp.zeros((3, 5))}),
            "decoder/kernel: expected shape (16, 5), got shape (3, 5)",
        ),
        (
            lambda params: params.update({"encoder/extra": jnp.zeros(3)}),
            "params: expected only arrays that the configuration names, got encoder/extra",
        ),
    ],
)
def test_a_wrong_tree_is_refused(change, message):
    config, params = published()
    change(params)
    with pytest.raises(InputError, match=re.escape(message)):
        compat.load_parameters(params, config)


def test_a_real_part_that_cannot_be_stable_is_refused():
    config, params = published()
    name = "encoder/stages_0/SequenceLayer_0/S5SSM_0/Lambda_re"
    params[name] = params[name].at[1].set(0.25)
    compat.load_parameters(params, config)
    with pytest.raises(
        InputError, match=re.escape(f"{name}[1]: expected a number < 0 for spectrum 'stable'")
    ):
        compat.load_parameters(params, dataclasses.replace(config, spectrum="stable"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pooling_mode": "avg"}, "pooling_mode: expected one of avgpool, timepool, last, got 'avg'"),
        ({"classification_mode": "pol"}, "one of pool, timepool, last, got 'pol' (did you mean 'pool'?)"),
        ({"droput": 0.1}, "config: expected known keys, got 'droput' (did you mean 'dropout'?)"),
        ({"num_stages": 0}, "stages: expected a whole number >= 1, got 0"),
    ],
)
def test_a_wrong_configuration_is_refused(changes, message):
    with pytest.raises(InputError, match=re.escape(message)):
        compat.model_config({**CONFIG, **changes})


def test_a_missing_key_is_named_and_other_keys_may_stand_beside():
    without = {key: value for key, value in CONFIG.items() if key != "d_ssm"}
    with pytest.raises(InputError, match="config: expected a key 'd_ssm'"):
        compat.model_config(without)
    assert compat.model_config({**CONFIG, "seed": 3, "note": "x"}) == compat.model_config(CONFIG)
