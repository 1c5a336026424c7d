"""Runs that tests find as if they had been trained."""

from pathlib import Path

import numpy as np

from eventssm import Events, ModelConfig, Sensor, write
from eventssm.model import Classifier
from eventssm.train import DataConfig, RunConfig, init_state
from eventssm.train._checkpoints import Checkpoints, Scores
from eventssm.train._optimizer import create_optimizer
from eventssm.train._run import Run, write_run
from tests.support import random_classifier

CLASSES = ("high", "low", "mid")
SENSOR = Sensor(name="cochlea-7", channels=7)


def write_recordings(folder: Path, classes: tuple[str, ...] = CLASSES, each: int = 4) -> None:
    """Recordings of 0 to some 100 events, `SPLIT/CLASS/NUMBER.npz`."""
    rng = np.random.default_rng(7)
    for split in ("train", "test"):
        for name in classes:
            place = folder / split / name
            place.mkdir(parents=True)
            for number in range(each):
                events = 0 if split == "test" and name == "mid" and not number else 9 + 31 * number
                t = np.cumsum(rng.integers(0, 3000, events))
                write(Events(SENSOR, t=t, channel=rng.integers(0, 7, events)), place / f"{number}.npz")


def make_run(folder: Path, *, model: Classifier | None = None, **changes: object) -> Run:
    """A run on recordings of its own, with a best checkpoint of random parameters, and metrics."""
    write_recordings(folder / "recordings")
    shape = {"d_model": 8, "d_state": 8, "block_size": 8, "stages": 2, "blocks_per_stage": 1, "stride": 2}
    config = RunConfig(
        data=DataConfig(name=f"folder:{folder / 'recordings'}"),
        model=ModelConfig(channels=7, classes=3, **{**shape, **changes}),
        epochs=2,
        seed=11,
    )
    run = write_run(folder / "run", config, SENSOR, CLASSES, {"root": str(folder / "root")})
    save_checkpoint(run, random_classifier(config.model, seed=5) if model is None else model, 0.25)
    return run


def save_checkpoint(run: Run, model: Classifier, accuracy: float) -> None:
    """One more checkpoint, with this accuracy on validation."""
    optimizer = create_optimizer(model, run.config.optimizer, 1e-3, 0, 1)
    with Checkpoints(run.folder) as checkpoints:
        state = init_state(model, optimizer, 1)
        checkpoints.save(state, {"epoch": 1, "step": 3}, Scores(accuracy, 1.0, 1))
