"""The file of metrics, and the two trackers, against stand-ins for their packages."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from eventssm import InputError
from eventssm.train import EpochRecord, Outline, Pace, StepRecord, TrackingConfig, train
from eventssm.train._run import write_run
from eventssm.train._trackers import trackers
from eventssm.train._watchers import MetricsFile
from tests.train.small import COCHLEA, config

STEP = StepRecord(step=7, epoch=2, loss=0.5, accuracy=0.25, rate=0.01, rows=4, events=99)
EPOCH = EpochRecord(
    epoch=2,
    step=8,
    loss=0.5,
    accuracy=0.25,
    validation_loss=0.75,
    validation_accuracy=0.5,
    test_loss=None,
    test_accuracy=None,
    best=True,
    events=99,
    seconds=1.5,
    events_per_s=66.0,
    waiting=0.0,
    validation_seconds=0.5,
    compile_seconds=0.0,
)
PACE = Pace(None, None)
OUTLINE = Outline(epochs=3, steps_per_epoch=4, step=6, parameters=10, recordings=14)


def test_lines_after_the_checkpoint_are_cut(tmp_path):
    path = tmp_path / "metrics.jsonl"
    path.touch()
    file = MetricsFile(tmp_path, 0)
    file.step(STEP, PACE)
    size = file.sync()
    assert size == path.stat().st_size == file.size
    file.epoch(EPOCH)
    file.close()
    again = MetricsFile(tmp_path, size)
    again.step(replace(STEP, step=8), PACE)
    again.close()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["kind"], line["step"]) for line in lines] == [("step", 7), ("step", 8)]
    with pytest.raises(InputError, match=r"metrics.jsonl: expected at least 9999 bytes, got"):
        MetricsFile(tmp_path, 9999)


def test_a_full_disk_is_named(tmp_path):
    (tmp_path / "metrics.jsonl").touch()
    file = MetricsFile(tmp_path, 0)
    with Path("/dev/full").open("wb") as full:
        os.dup2(full.fileno(), file._file.fileno())
    with pytest.raises(OSError, match=r"No space left on device: '.*metrics.jsonl'"):
        file.step(STEP, PACE)
    file.close()


def a_run(tmp_path: Path, **tracking: object):
    given = config(tmp_path, tracking=TrackingConfig(**tracking))
    return write_run(tmp_path / "run", given, COCHLEA, ("a", "b"), {"id": "abc"})


def told(run) -> None:
    (watcher,) = trackers(run.config.tracking)
    watcher.begin(run, OUTLINE)
    watcher.step(STEP, PACE)
    watcher.epoch(EPOCH)
    watcher.close()


def test_tensorboard(tmp_path, monkeypatch):
    calls = []

    class Writer:
        def __init__(self, folder: str, purge_step: int | None) -> None:
            calls.append((folder, purge_step))

        def add_scalar(self, name: str, value: float, step: int) -> None:
            calls.append((name, value, step))

        def flush(self) -> None: ...

        def close(self) -> None:
            calls.append("closed")

    module = ModuleType("tensorboardX")
    module.SummaryWriter = Writer
    monkeypatch.setitem(sys.modules, "tensorboardX", module)
    told(a_run(tmp_path, tensorboard=True))
    assert calls[0] == (str(tmp_path / "run" / "tensorboard"), 7) and calls[-1] == "closed"
    assert calls[1:4] == [("step/loss", 0.5, 7), ("step/accuracy", 0.25, 7), ("step/rate", 0.01, 7)]
    assert ("epoch/validation_accuracy", 0.5, 8) in calls
    assert not [call for call in calls if call[0].startswith("epoch/test")]


def test_weights_and_biases(tmp_path, monkeypatch):
    calls = []
    run = SimpleNamespace(
        log=lambda values, step: calls.append((values, step)), finish=lambda: calls.append("finished")
    )
    module = ModuleType("wandb")
    module.init = lambda **options: calls.append(options) or run
    monkeypatch.setitem(sys.modules, "wandb", module)
    told(a_run(tmp_path, wandb="events"))
    assert calls[0]["project"] == "events" and calls[0]["id"] == "abc" and calls[0]["resume"] == "allow"
    assert calls[0]["config"]["epochs"] == 2
    assert calls[1] == ({"step/loss": 0.5, "step/accuracy": 0.25, "step/rate": 0.01}, 7)
    assert calls[2][1] == 8 and calls[2][0]["epoch/validation_loss"] == 0.75 and calls[3] == "finished"


@pytest.mark.parametrize(
    ("tracking", "complaint"),
    [
        (
            {"tensorboard": True},
            r"tracking.tensorboard: expected tensorboardX, as `pip install 'eventssm\[track",
        ),
        ({"wandb": "events"}, r"tracking.wandb: expected wandb, as `pip install 'eventssm\[tracking\]'`"),
    ],
)
def test_a_tracker_that_is_not_installed(tmp_path, monkeypatch, data, tracking, complaint):
    for module in ("tensorboardX", "wandb"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=complaint):
        train(config(data, tracking=TrackingConfig(**tracking)), tmp_path / "run")
    assert not (tmp_path / "run").exists()
