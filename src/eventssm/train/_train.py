"""A run begun, and a run gone on with."""

import importlib.metadata
import os
import platform
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eventssm import _checks
from eventssm.datasets import FOLDER, Dataset, locked
from eventssm.train import _data
from eventssm.train._checkpoints import Checkpoints
from eventssm.train._config import DataConfig, RunConfig
from eventssm.train._loop import Loop, Splits
from eventssm.train._presets import load_config
from eventssm.train._run import RUN, Run, open_run, write_run
from eventssm.train._trackers import trackers
from eventssm.train._watchers import Watcher

RUNS = Path("runs")
_LOCK = "lock"
_PACKAGES = ("eventssm", "jax", "jaxlib", "equinox", "optax", "orbax-checkpoint", "grain", "numpy", "numba")


def train(
    config: RunConfig | str | Path,
    folder: str | Path | None = None,
    *,
    data_dir: str | Path | None = None,
    root: str | Path | None = None,
    watchers: Sequence[Watcher] = (),
) -> Run:
    """Train a model and return its run; `config` may be the name of a run in the package, or a TOML file.

    The run is kept in `folder`, which must be new (None: `runs/NAME-1`, or the next number that is free).
    `data_dir` and `root` say where the data are, as in `datasets.load`.
    """
    config = config if isinstance(config, RunConfig) else load_config(config)
    config = replace(config, data=_absolute(config.data))
    folder = new_folder(config.data.name) if folder is None else Path(folder)
    _check_new(folder)
    splits = _splits(config, data_dir, root)
    sensor, classes = splits.train.sensor, splits.train.classes
    model = replace(config.model, channels=sensor.channels, classes=len(classes))
    for transform in config.augment.transforms():
        transform.sensor(sensor)
    told = [*trackers(config.tracking), *watchers]
    run = write_run(folder, replace(config, model=model), sensor, classes, _facts(splits, root))
    return _run(run, splits, told)


def resume(
    folder: str | Path,
    *,
    data_dir: str | Path | None = None,
    root: str | Path | None = None,
    watchers: Sequence[Watcher] = (),
) -> Run:
    """Go on with a run from its last checkpoint, to the same numbers as if it had never stopped.

    A run that is finished stays as it is.
    """
    run = open_run(folder)
    if root is None and data_dir is None and run.facts.get("root"):
        root = run.facts["root"]
    splits = _splits(run.config, data_dir, root)
    for split, facts in _digests(splits).items():
        known = run.facts["data"].get(split)
        _checks.check(facts == known, f"{run.config.data.name} {split}", f"the run's data, {known}", facts)
    return _run(run, splits, [*trackers(run.config.tracking), *watchers])


def new_folder(name: str) -> Path:
    """The first of `runs/NAME-1`, `runs/NAME-2`, ... that is not there."""
    plain = Path(name.removeprefix(FOLDER)).name
    number = 1
    while (RUNS / f"{plain}-{number}").exists():
        number += 1
    return RUNS / f"{plain}-{number}"


def _run(run: Run, splits: Splits, watchers: Sequence[Watcher]) -> Run:
    with (
        locked(run.folder / _LOCK, run.folder, "nobody else training in it"),
        Checkpoints(run.folder) as checkpoints,
    ):
        Loop(run, splits, checkpoints, watchers).go()
    return run


def _splits(config: RunConfig, data_dir: str | Path | None, root: str | Path | None) -> Splits:
    def load(split: str) -> Dataset:
        return _data.load(config.data, split, _path(data_dir), _path(root))

    splits = Splits(
        train=load("train"),
        validation=load(config.selection.split) if config.selection.split != "none" else None,
        test=load("test") if config.report_test_selected else None,
    )
    for split, dataset in splits._asdict().items():
        hint = "; --selection.split none does without" if split == "validation" else ""
        ok = dataset is None or len(dataset) > 0
        _checks.check(ok, f"{config.data.name} {split}", f"at least one recording{hint}", "none")
    return splits


def _facts(splits: Splits, root: str | Path | None) -> dict[str, Any]:
    return {
        "id": uuid.uuid4().hex[:12],
        "root": None if root is None else str(Path(root).resolve()),
        "data": _digests(splits),
        "versions": {name: importlib.metadata.version(name) for name in _PACKAGES},
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs",
    }


def _digests(splits: Splits) -> dict[str, Any]:
    return {split: _data.facts(dataset) for split, dataset in splits._asdict().items() if dataset is not None}


def _absolute(data: DataConfig) -> DataConfig:
    if not data.name.startswith(FOLDER):
        return data
    return replace(data, name=f"{FOLDER}{Path(data.name.removeprefix(FOLDER)).resolve()}")


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _check_new(folder: Path) -> None:
    if (folder / RUN).exists():
        _checks.refuse(
            str(folder), "a new folder", f"a run (`eventssm train --resume {folder}` goes on with it)"
        )
    if folder.exists():
        _checks.check(folder.is_dir(), str(folder), "a new folder", "a file")
        _checks.check(not any(folder.iterdir()), str(folder), "a new folder", "one with other files in it")
