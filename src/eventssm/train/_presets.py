"""Whole runs by name, or from a TOML file.

A file may begin with `base = "NAME or FILE"`, and then says only what is different; `preset = "shd-medium"`
in its table `[model]` does the same for the model. The model's channels and classes are the data's and stand
in no file.
"""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from eventssm import _checks
from eventssm.datasets import FOLDER
from eventssm.model import ModelConfig
from eventssm.model import presets as model_presets
from eventssm.train._config import RunConfig
from eventssm.train._records import Record, from_record, to_record, to_toml

_OF_DATA = ("channels", "classes")
_SUFFIX = ".toml"


def preset_names() -> tuple[str, ...]:
    """The runs that are in the package, each named after its data set."""
    return tuple(_found())


def load_config(name: str | Path) -> RunConfig:
    """A run in the package by its name, or a TOML file by its path."""
    known = _found()
    if str(name) in known:
        return _parsed(known[str(name)].encode(), str(name), Path())
    path = Path(name)
    if path.suffix == _SUFFIX or path.is_file():
        return _parsed(path.read_bytes(), str(path), path.parent)
    if str(name).startswith(FOLDER):
        _checks.refuse(
            str(name), f"a run to begin with, as `eventssm train audiomnist --data.name {name}`", "none"
        )
    _checks.refuse_choice(str(name), [*known, f"FILE{_SUFFIX}"], "run")


def config_toml(config: RunConfig) -> str:
    """A configuration as a file that `load_config` reads."""
    record = to_record(config)
    for key in _OF_DATA:
        del record["model"][key]
    return to_toml(record)


def _found() -> dict[str, str]:
    """The texts of all runs in the package, by name."""
    folder = resources.files("eventssm.train").joinpath("configs")
    files = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(_SUFFIX))
    return {name.removesuffix(_SUFFIX): file.read_text(encoding="utf-8") for name, file in files}


def _parsed(text: bytes, name: str, folder: Path) -> RunConfig:
    try:
        record = tomllib.loads(text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        _checks.refuse(name, "TOML", str(problem))
    with _checks.about(name):
        base = _base(record.pop("base", None), folder)
        model = record.get("model")
        if isinstance(model, dict):
            record["model"] = _with_preset(dict(model), base)
        elif model is None and base is None:
            record["model"] = _with_preset({}, None)
        return from_record(RunConfig, record, base)


def _base(name: Any, folder: Path) -> RunConfig | None:
    if name is None:
        return None
    _checks.check(isinstance(name, str), "base", "a name or a file", repr(name))
    return load_config(folder / name if name.endswith(_SUFFIX) else name)


def _with_preset(model: Record, base: RunConfig | None) -> Record:
    """The table `[model]` with what it does not say: its preset's values, or those of a run without one."""
    for key in _OF_DATA:
        _checks.check(key not in model, f"model: {key}", "nothing, as the data say it", model.get(key))
    preset = model.pop("preset", None)
    if preset is not None:
        _checks.check_choice(preset, model_presets, "model: preset")
        return to_record(model_presets[preset]) | model
    return model if base is not None else to_record(ModelConfig(channels=1, classes=1)) | model
