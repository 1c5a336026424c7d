"""Configurations: what they refuse, what is in the package, and that files hold all of them."""

import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import eventssm as es
from eventssm import InputError
from eventssm.train import (
    AugmentConfig,
    OptimizerConfig,
    RunConfig,
    config_toml,
    load_config,
    preset_names,
)
from eventssm.train._records import from_record, to_record
from tests.train.small import MODEL, config

NAMES = ("audiomnist", "digits", "dvs128-gesture", "n-mnist", "shd", "ssc")


def test_every_data_set_has_a_run():
    assert preset_names() == NAMES
    for name in NAMES:
        assert load_config(name).data.name == name
        works_on = {transform.works_on for transform in load_config(name).augment.transforms()}
        assert not {"camera", "cochlea"} <= works_on


def test_the_published_recipes():
    shd, ssc, dvs = map(load_config, ("shd", "ssc", "dvs128-gesture"))
    assert [run.epochs for run in (shd, ssc, dvs)] == [30, 200, 100]
    assert [run.batches.size for run in (shd, ssc, dvs)] == [32, 64, 16]
    assert [run.optimizer.base_lr for run in (shd, ssc, dvs)] == [1.7e-5, 5e-6, 1.2e-5]
    assert [run.optimizer.lr_factor for run in (shd, ssc, dvs)] == [10, 5, 6]
    assert [run.optimizer.weight_decay for run in (shd, ssc, dvs)] == [0.03, 0.05, 0.02]
    assert [run.schedule.warm_up_epochs for run in (shd, ssc, dvs)] == [3, 20, 10]
    assert [run.augment.cut_mix for run in (shd, ssc, dvs)] == [0.3, 0.3, 0.4]
    assert [run.augment.time_skew for run in (shd, ssc, dvs)] == [1.2, 1.05, 1.12]
    assert [run.augment.channel_jitter for run in (shd, ssc)] == [0.55, 1.0]
    assert (dvs.batches.accumulation, dvs.batches.slice_events, dvs.augment.roll) == (4, 65536, 32)
    assert all(run.optimizer.weight_decay_ssm == 0 for run in (shd, ssc, dvs))
    for run, model in ((shd, "shd-medium"), (ssc, "ssc-medium"), (dvs, "dvs-small")):
        assert run.model == es.presets[model]


def test_nothing_asked_for_is_nothing_done():
    assert AugmentConfig().transforms() == ()
    kinds = [type(transform).__name__ for transform in load_config("dvs128-gesture").augment.transforms()]
    assert kinds == [
        "EventDrop",
        "ChunkDrop",
        "TimeSkew",
        "TimeJitter",
        "SpatialJitter",
        "Roll",
        "Rotate",
        "Scale",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("eopchs = 3", r"run.toml: key: expected one of data, .*got 'eopchs' \(did you mean 'epochs'\?\)"),
        (
            "[model]\nd_sate = 3",
            r"run.toml: model: key: expected .*got 'd_sate' \(did you mean 'd_state'\?\)",
        ),
        ('[model]\npreset = "shd-medum"', "model: preset: expected one of .*did you mean 'shd-medium'"),
        ("[model]\nchannels = 3", "model: channels: expected nothing, as the data say it, got 3"),
        ('epochs = "3"', "epochs: expected a whole number, got '3'"),
        ("epochs = true", "epochs: expected a whole number, got True"),
        ("epochs = 0", "epochs: expected a whole number >= 1, got 0"),
        ("seed = 4294967296", "seed: expected a seed below 2"),
        ("data = 3", "data: expected a table, got 3"),
        ("[data]\ndownsample = 2", "data: name: expected a value, got none"),
        ("epochs =", "run.toml: expected TOML, got Invalid value"),
        ("base = 3", "base: expected a name or a file, got 3"),
        ('base = "digts"', r"run: expected one of .*, got 'digts' \(did you mean 'digits'\?\)"),
        ('precision = "bfloat16"', "precision: expected 'float32' .*bfloat16 is not in the model yet"),
        ('precision = "float16"', "precision: expected one of float32, bfloat16, got 'float16'"),
        ("[optimizer]\nbase_lr = nan", "optimizer: base_lr: expected 0 < base_lr < inf, got nan"),
        ("[optimizer]\nclip_norm = 0", "optimizer: clip_norm: expected 0 < clip_norm < inf, got 0.0"),
        ("[optimizer]\nlabel_smoothing = 2", "label_smoothing: expected 0 <= label_smoothing <= 1, got 2.0"),
        ("[augment]\nevent_drop = 2.0", "augment: event_drop: rate: expected 0 <= rate <= 1, got 2.0"),
        ("[augment]\ncut_mix = nan", "augment: cut_mix: expected 0 <= cut_mix <= 1, got nan"),
        ("[batches]\nslice_events = 4\noverlap = 4", "overlap: expected fewer events than slice_events = 4"),
        ('[selection]\nsplit = "tets"', "selection: split: expected one of validation, none, got 'tets'"),
        ('[selection]\nsplit = "none"\npatience = 3', "patience: expected a split to select on"),
        ("[checkpoints]\nevery_steps = 0", "every_steps: expected a whole number >= 1"),
        ("[schedule]\nwarm_up_epochs = 31", "schedule.warm_up_epochs: expected 0 <= .* <= 30, got 31.0"),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path, text, complaint, as_a_user):
    path = tmp_path / "run.toml"
    base = "" if "base =" in text or "data" in text else 'base = "shd"\n'
    path.write_text(base + text)
    with pytest.raises(InputError, match=complaint) as found:
        load_config(path)
    assert "\n" not in str(found.value)


def test_a_run_that_is_not_there(tmp_path):
    with pytest.raises(
        InputError, match=r"run: expected one of .*FILE.toml, got 'shdd' \(did you mean 'shd'"
    ):
        load_config("shdd")
    with pytest.raises(
        InputError, match="folder:here: expected a run to begin with, as `eventssm train audio"
    ):
        load_config("folder:here")
    with pytest.raises(FileNotFoundError):
        load_config(tmp_path / "none.toml")


def test_a_file_on_another_one(tmp_path):
    (tmp_path / "base.toml").write_text('base = "shd"\n[model]\nd_state = 64\n')
    (tmp_path / "run.toml").write_text('base = "base.toml"\nepochs = 4\n[augment]\ncut_mix = 0\n')
    found, shd = load_config(tmp_path / "run.toml"), load_config("shd")
    model, augment = replace(shd.model, d_state=64), replace(shd.augment, cut_mix=0.0)
    assert found == replace(shd, epochs=4, model=model, augment=augment)


def test_sizes_without_base_or_preset(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text('[data]\nname = "shd"\n[model]\nd_model = 7\n')
    assert load_config(path).model.d_model == 7
    path.write_text('[data]\nname = "shd"\n')
    assert load_config(path).model.d_model == MODEL.__class__(channels=1, classes=1).d_model


positive = some.floats(1e-12, 1e12, allow_subnormal=False)
changes = some.fixed_dictionaries(
    {
        "data": some.fixed_dictionaries(
            {"name": some.text('ab:/\\" é', min_size=1), "sensor": some.none() | some.just("34x34")}
        ),
        "batches": some.fixed_dictionaries({"slice_events": some.none() | some.integers(1, 99)}),
        "augment": some.fixed_dictionaries({"time_skew": some.floats(1, 100), "roll": some.integers(0, 9)}),
        "optimizer": some.fixed_dictionaries({"base_lr": positive, "clip_norm": some.none() | positive}),
        "tracking": some.fixed_dictionaries({"tensorboard": some.booleans()}),
        "epochs": some.integers(30, 10**6),
        "seed": some.integers(0, 2**32 - 1),
    }
)


@given(changes)
@settings(max_examples=30)
def test_a_file_holds_all_of_a_run(tmp_path_factory, changes):
    run = from_record(RunConfig, changes, load_config("shd"))
    path = tmp_path_factory.getbasetemp() / "held.toml"
    path.write_text(config_toml(run), encoding="utf-8")
    assert to_record(load_config(path)) == to_record(run) | {
        "model": to_record(run.model) | {"channels": 1, "classes": 1}
    }
    assert from_record(RunConfig, json.loads(json.dumps(to_record(run)))) == run
    assert run.augment.roll == changes["augment"]["roll"] and run.data.sensor == changes["data"]["sensor"]


def test_numbers_are_numbers(as_a_user):
    for wrong in (math.nan, math.inf, -1.0, "1", True, None):
        with pytest.raises(InputError, match="base_lr: expected 0 < base_lr < inf"):
            OptimizerConfig(base_lr=wrong)
    assert asdict(config(Path("x")))["data"]["downsample"] == 1
