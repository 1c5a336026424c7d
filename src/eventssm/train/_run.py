"""A run's folder.

run.json           what it is: configuration, sensor, classes, versions, data; written when it begins
config.toml        the same configuration, to begin another run with
metrics.jsonl      a line for every step and every epoch
checkpoints/N/     the best and the last
tensorboard/       where it was asked for
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import equinox as eqx
import jax

from eventssm import _checks
from eventssm.datasets import Dataset, sensor_record
from eventssm.events import Events, Sensor
from eventssm.files import replacing
from eventssm.model import Classifier
from eventssm.train import _data
from eventssm.train._checkpoints import FOLDER, Checkpoints
from eventssm.train._config import RunConfig
from eventssm.train._presets import config_toml
from eventssm.train._records import Record, from_record, to_record

VERSION = 1
RUN, CONFIG, METRICS, FAILURE = "run.json", "config.toml", "metrics.jsonl", "failure.json"


@dataclass(frozen=True)
class Run:
    """A training run on disk, going on or finished."""

    folder: Path
    config: RunConfig
    """All of it, with the data's channels and classes in the model."""
    sensor: Sensor
    """What the model reads; recordings are brought to it by `adapt`."""
    classes: tuple[str, ...]
    facts: Record
    """Everything that `run.json` holds: versions, digests of the data, and where the data were."""

    def model(self, which: str = "best") -> Classifier:
        """The model of the best epoch or of the last checkpoint, batch norm's averages included."""
        with self._checkpoints() as checkpoints:
            return checkpoints.model(which, self.shapes())

    def place(self, which: str = "best") -> dict[str, Any]:
        """Where in training that model is from: epoch, step, and its scores."""
        with self._checkpoints() as checkpoints:
            return checkpoints.place(which)

    def dataset(self, split: str, *, data_dir: Path | None = None, root: Path | None = None) -> Dataset:
        """One split of the data that the run was trained on, on `sensor`."""
        if root is None and self.facts.get("root") is not None:
            root = Path(self.facts["root"])
        return _data.load(self.config.data, split, data_dir, root)

    def adapt(self, events: Events) -> Events:
        """A recording as the model reads it; refuses one of another sensor."""
        adapted = _data.adapted(events, self.config.data.downsample)
        _checks.check(
            adapted.sensor.shape == self.sensor.shape,
            "sensor",
            f"that of the run, {self.sensor.name}",
            adapted.sensor.name,
        )
        return adapted

    def metrics(self) -> list[Record]:
        """The lines of `metrics.jsonl`: of `kind` `step` and `epoch`."""
        path = self.folder / METRICS
        whole, _, _ = path.read_text(encoding="utf-8").rpartition("\n")  # a kill may leave part of a line
        lines = whole.splitlines()
        with _checks.about(path):
            return [_json(line, f"line {number}") for number, line in enumerate(lines, 1)]

    def shapes(self) -> Classifier:
        """A model like the run's, of shapes instead of arrays."""
        return eqx.filter_eval_shape(lambda key: Classifier(self.config.model, key=key), jax.random.key(0))

    def _checkpoints(self) -> Checkpoints:
        _checks.check((self.folder / FOLDER).is_dir(), str(self.folder), "a checkpoint", "none yet")
        return Checkpoints(self.folder, read_only=True)


def open_run(folder: str | Path) -> Run:
    """The run in a folder that `eventssm train` made."""
    folder = Path(folder)
    _checks.check((folder / RUN).is_file(), str(folder), f"a run's folder, with {RUN}", "none")
    with _checks.about(folder / RUN):
        record = _json((folder / RUN).read_text(encoding="utf-8"), "it")
        _checks.check(record.get("version") == VERSION, "version", str(VERSION), repr(record.get("version")))
        try:
            config, sensor = record["config"], Sensor(**record["sensor"])
            classes = tuple(record["classes"])
        except (KeyError, TypeError):
            _checks.refuse("keys", "config, sensor and classes", ", ".join(record))
        return Run(folder, from_record(RunConfig, config), sensor, classes, record)


def write_run(
    folder: Path, config: RunConfig, sensor: Sensor, classes: tuple[str, ...], facts: Record
) -> Run:
    """Begin a run's folder; `run.json` is written last, so that a run exists when that does."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "version": VERSION,
        "config": to_record(config),
        "sensor": sensor_record(sensor),
        "classes": list(classes),
        **facts,
    }
    (folder / METRICS).touch()
    with replacing(folder / CONFIG) as part:
        part.write_text(config_toml(config), encoding="utf-8")
    with replacing(folder / RUN) as part:
        part.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return open_run(folder)


def _json(text: str, name: str) -> Record:
    try:
        record = json.loads(text)
    except ValueError:
        _checks.refuse(name, "JSON", repr(text[:40]))
    _checks.check(isinstance(record, dict), name, "a JSON object", type(record).__name__)
    return dict(record)
