"""A run's recordings: a split by name, on the sensor that the model reads."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Int64

from eventssm import datasets, files
from eventssm.datasets import Dataset, Sample, StoreDataset
from eventssm.events import Events, Sensor
from eventssm.train._config import DataConfig
from eventssm.transforms import Downsample


class DownsampledDataset:
    """A data set on a smaller sensor; every event stays."""

    def __init__(self, dataset: Dataset, factor: int) -> None:
        self._dataset, self._transform = dataset, Downsample(factor)
        self.sensor: Sensor = self._transform.sensor(dataset.sensor)

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""
        return self._dataset.classes

    @property
    def keys(self) -> tuple[str, ...]:
        """What each recording is called."""
        return self._dataset.keys

    @property
    def lengths(self) -> Int64[np.ndarray, " sample"]:
        """Events of every recording."""
        return self._dataset.lengths

    @property
    def labels(self) -> Int64[np.ndarray, " sample"]:
        """The label of every recording."""
        return self._dataset.labels

    def read(self, index: int, start: int = 0, stop: int | None = None) -> Events:
        """Events `start:stop` of a recording."""
        return adapted(self._dataset.read(index, start, stop), self._transform.factor)

    def __len__(self) -> int:
        return len(self._dataset)

    def __getitem__(self, index: int) -> Sample:
        return Sample(self.read(index), int(self.labels[index]))


def load(config: DataConfig, split: str, data_dir: Path | None = None, root: Path | None = None) -> Dataset:
    """One split of a run's data; see `datasets.load` for `data_dir` and `root`."""
    sensor = None if config.sensor is None else files.parse_sensor(config.sensor)
    dataset = datasets.load(config.name, split, data_dir=data_dir, root=root, sensor=sensor)
    return dataset if config.downsample == 1 else DownsampledDataset(dataset, config.downsample)


def adapted(events: Events, downsample: int) -> Events:
    """A recording on the sensor that a model of this run reads."""
    return events if downsample == 1 else Downsample(downsample)(events, np.random.default_rng(0))


def digest(dataset: Dataset) -> str:
    """A digest of a split's recordings and labels, the same for the same data wherever they are kept."""
    total = hashlib.blake2b(digest_size=16)
    if isinstance(dataset, StoreDataset):
        total.update(dataset.index.total_digest().encode())
        return total.hexdigest()
    for number, key in enumerate(dataset.keys):
        events, label = dataset[number]
        total.update(f"{key} {label} {len(events)} ".encode())
        total.update(np.ascontiguousarray(events.t).tobytes())
        total.update(np.ascontiguousarray(events.channel).tobytes())
    return total.hexdigest()


def facts(dataset: Dataset) -> dict[str, Any]:
    """What a run remembers of a split."""
    return {"recordings": len(dataset), "events": int(dataset.lengths.sum()), "digest": digest(dataset)}
