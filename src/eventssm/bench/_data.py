"""How fast batches are made: from real speech where its store is prepared, else from events like it."""

import functools
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from eventssm import datasets
from eventssm.batching import BatchConfig, Batches, BatchStream
from eventssm.bench._case import Case, Work
from eventssm.datasets import Collection, Dataset, Entry
from eventssm.events import Events, Sensor
from eventssm.files import camera, cochlea
from eventssm.transforms import (
    ChannelJitter,
    ChannelShift,
    ChunkDrop,
    EventDrop,
    Flip,
    Roll,
    Rotate,
    Scale,
    SpatialJitter,
    TimeJitter,
    TimeSkew,
    Transform,
    UniformNoise,
)

AUDIO = (
    EventDrop(0.1), ChunkDrop(0.02, 0.3), ChannelJitter(0.55), ChannelShift(20), TimeSkew(1.2),
    TimeJitter(1.0), UniformNoise(35),
)  # fmt: skip
CAMERA = (
    ChunkDrop(0.02, 0.3), EventDrop(0.05), TimeSkew(1.12), TimeJitter(5.0), SpatialJitter(0.55),
    Roll(32, 0.3), Rotate(10.0, 0.3), Scale(1.2, 0.3), Flip(horizontal=0.5),
)  # fmt: skip


def data_cases() -> list[Case]:
    """Batches as they are, and with every augmentation."""
    audio = functools.partial(_work, _speech, 32, 50)
    pictures = functools.partial(_work, _gestures, 4, 10)
    return [
        Case("data/audio-plain", "batches of 32 recordings", functools.partial(audio, (), 0.0)),
        Case("data/audio", "the same, all audio augmentations", functools.partial(audio, AUDIO, 0.3)),
        Case("data/camera-plain", "batches of 4 long recordings", functools.partial(pictures, (), 0.0)),
        Case("data/camera", "the same, all camera augmentations", functools.partial(pictures, CAMERA, 0.4)),
    ]


def _work(
    load: Callable[[], Dataset], rows: int, steps: int, transforms: Sequence[Transform], cut_mix: float
) -> Work:
    batches = Batches(load(), BatchConfig(batch_size=rows, transforms=transforms, cut_mix=cut_mix))
    stream = BatchStream(batches)
    place = stream.get_state()

    def run() -> int:
        stream.set_state(place)
        return sum(int(next(stream).lengths.sum()) for _ in range(steps))

    return Work(run(), run)


def _speech() -> Dataset:
    """AudioMNIST's training recordings, or as many events on as many channels."""
    if (datasets.store_path("audiomnist") / datasets.MANIFEST).exists():
        return datasets.load("audiomnist", "train")
    return _generated(cochlea(700), 200, 9_000, 600_000)


def _gestures() -> Dataset:
    """Recordings as long as those of DVS128 Gesture."""
    return _generated(camera(128, 128), 24, 300_000, 6_000_000)


def _generated(sensor: Sensor, recordings: int, events: int, microseconds: int) -> Dataset:
    def read(number: int) -> Events:
        rng = np.random.default_rng(number)
        count = int(events * rng.uniform(0.7, 1.3))
        t = np.sort(rng.integers(0, microseconds, count))
        return Events(sensor, t=t, channel=rng.integers(0, sensor.channels, count))

    entries = tuple(Entry(str(n), 0, None, functools.partial(read, n)) for n in range(recordings))
    with tempfile.TemporaryDirectory() as folder:
        place = datasets.prepare_store(
            Collection("bench", sensor, ("one",), {"train": entries}), Path(folder, "s")
        )
        return datasets.StoreDataset(place, "train")
