"""A small data set, a small model, and short runs of them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import eventssm as es
from eventssm import Events, ModelConfig, Sensor
from eventssm.batching import Batch
from eventssm.train import (
    AugmentConfig,
    BatchesConfig,
    DataConfig,
    OptimizerConfig,
    RunConfig,
    ScheduleConfig,
    Watcher,
)

COCHLEA = Sensor(name="cochlea-8", channels=8)
MODEL = ModelConfig(
    channels=8,
    classes=2,
    d_model=4,
    d_state=4,
    block_size=2,
    stages=1,
    blocks_per_stage=1,
    stride=4,
    dropout=0.3,
    conjugate=True,
)


def make_folder(folder: Path) -> None:
    """Low and high channels: 10 recordings for training, 4 for validation, 4 for testing."""
    rng = np.random.default_rng(0)
    for split, recordings in (("train", 5), ("validation", 2), ("test", 2)):
        for label, name in enumerate(("high", "low")):
            place = folder / split / name
            place.mkdir(parents=True)
            for number in range(recordings):
                t = np.cumsum(rng.integers(0, 2000, 20 + 3 * number))
                events = Events(COCHLEA, t=t, channel=3 * (1 - label) + rng.integers(0, 5, len(t)))
                es.write(events, place / f"{number}.npz")


def config(data: Path, **changes: Any) -> RunConfig:
    """Three steps an epoch, the last of them of two recordings."""
    small = RunConfig(
        data=DataConfig(name=f"folder:{data}"),
        model=MODEL,
        batches=BatchesConfig(size=4, buckets=1),
        augment=AugmentConfig(event_drop=0.2, cut_mix=0.5),
        optimizer=OptimizerConfig(base_lr=1e-3),
        schedule=ScheduleConfig(warm_up_epochs=0.5),
        epochs=2,
    )
    return replace(small, **changes)


def batch(rng: np.random.Generator, rows: int = 4, empty: int = 0, classes: int = 2) -> Batch:
    """Random recordings with soft labels, and rows without one."""
    lengths = rng.integers(8, 20, rows).astype(np.int32)
    targets = rng.dirichlet(np.ones(classes), rows).astype(np.float32)
    samples = np.arange(rows, dtype=np.int64)
    channels = rng.integers(0, 8, (rows, 20)).astype(np.int32)
    gaps = rng.exponential(1.0, (rows, 20)).astype(np.float32)
    fill = [(0, empty)]
    return Batch(
        channels=np.pad(channels, [*fill, (0, 0)]),
        gaps=np.pad(gaps, [*fill, (0, 0)]),
        lengths=np.pad(lengths, fill),
        targets=np.pad(targets, [*fill, (0, 0)]),
        samples=np.pad(samples, fill, constant_values=-1),
        cut=np.array(0, np.int64),
    )


class Called(Watcher):
    """Calls a function after each step."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def step(self, record: Any, pace: Any) -> None:
        self._function(record)


TIMES = ("seconds", "events_per_s", "waiting", "validation_seconds", "compile_seconds")


def untimed(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Lines of metrics without what depends on the machine."""
    return [{key: value for key, value in line.items() if key not in TIMES} for line in lines]
