"""What a data set is to the rest of the package: labelled recordings of one sensor."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Int64

from eventssm import _checks
from eventssm.datasets._collection import Collection
from eventssm.events import Events, Sensor


class Sample(NamedTuple):
    """A recording and the index of its class."""

    events: Events
    label: int


@runtime_checkable
class Dataset(Protocol):
    """One split of a data set, read by index in any order."""

    @property
    def sensor(self) -> Sensor:
        """What made every recording."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes; a label is an index into them."""

    @property
    def keys(self) -> tuple[str, ...]:
        """What each recording is called, the same on every machine."""

    @property
    def lengths(self) -> Int64[np.ndarray, " sample"]:
        """Events of every recording, known without reading it."""

    @property
    def labels(self) -> Int64[np.ndarray, " sample"]:
        """The label of every recording."""

    def read(self, index: int, start: int = 0, stop: int | None = None) -> Events:
        """Events `start:stop` of a recording; no others are read."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Sample: ...


class MemoryDataset:
    """Recordings held in memory."""

    def __init__(
        self,
        sensor: Sensor,
        classes: Sequence[str],
        samples: Sequence[Sample],
        keys: Sequence[str] | None = None,
    ) -> None:
        self.sensor = sensor
        self.classes = tuple(classes)
        self.keys = tuple(str(number) for number in range(len(samples))) if keys is None else tuple(keys)
        _checks.check(
            len(self.keys) == len(samples), "keys", f"{len(samples)}, as many as samples", len(self.keys)
        )
        self.lengths = np.array([len(sample.events) for sample in samples], np.int64)
        self.labels = np.array([sample.label for sample in samples], np.int64)
        _checks.check_range(self.labels, len(self.classes), "label")
        for number, sample in enumerate(samples):
            _checks.check(
                sample.events.sensor.shape == sensor.shape,
                f"samples[{number}]",
                f"events of {sensor.name!r}",
                f"of {sample.events.sensor.name!r}",
            )
        self._samples = tuple(samples)

    @classmethod
    def of(cls, collection: Collection, split: str) -> "MemoryDataset":
        """One split of a collection, read whole."""
        _checks.check_choice(split, collection.splits, "split")
        entries = collection.splits[split]
        samples = [Sample(entry.read(), entry.label) for entry in entries]
        return cls(collection.sensor, collection.classes, samples, [entry.key for entry in entries])

    def read(self, index: int, start: int = 0, stop: int | None = None) -> Events:
        """A view of events `start:stop` of a recording."""
        return self._samples[index].events[start:stop]

    def __len__(self) -> int:
        return len(self._samples)

    def __getitem__(self, index: int) -> Sample:
        return self._samples[index]
