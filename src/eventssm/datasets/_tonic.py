"""Data sets of tonic, and any others that give a structured array and a label for an index."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from eventssm import _checks
from eventssm.datasets._collection import Collection, Entry
from eventssm.events import Events, Sensor


@runtime_checkable
class Indexable(Protocol):
    """Gives a structured array with fields `t`, `x`, `y`, `p` (or `t`, `x`) and a label for an index."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...


def from_indexable(
    name: str,
    splits: Mapping[str, Indexable],
    sensor: Sensor | None = None,
    classes: Sequence[str] | None = None,
) -> Collection:
    """A collection of such data sets, one for each split.

    `sensor` and `classes` come from tonic's `sensor_size` and `classes` where they are not given. Labels are
    read from `targets` where there is one, else with the recordings. Events are sorted by time, stably.
    """
    _checks.check(bool(splits), "splits", "a data set for at least one of train, validation, test", "none")
    some = next(iter(splits.values()))
    sensor = _sensor(some) if sensor is None else sensor
    labels = {split: _labels(dataset) for split, dataset in splits.items()}
    if classes is None:
        named = [_text(word) for word in getattr(some, "classes", ())]
        count = max((int(found.max(initial=-1)) for found in labels.values()), default=-1) + 1
        classes = named or [str(label) for label in range(count)]
    entries = {
        split: tuple(
            Entry(f"{split}/{number}", int(label), None, functools.partial(_read, dataset, number, sensor))
            for number, label in enumerate(labels[split])
        )
        for split, dataset in splits.items()
    }
    return Collection(name, sensor, tuple(classes), entries)


def _read(dataset: Indexable, number: int, sensor: Sensor) -> Events:
    array = np.asarray(dataset[number][0])
    if array.dtype.names and "t" in array.dtype.names:
        array = array[np.argsort(array["t"], kind="stable")]
    return Events.from_structured(array, sensor)


def _labels(dataset: Indexable) -> np.ndarray:
    targets = getattr(dataset, "targets", None)
    if targets is None or len(targets) != len(dataset):
        targets = [dataset[number][1] for number in range(len(dataset))]
    labels = np.asarray(targets)
    _checks.check(
        labels.ndim == 1 and (labels.dtype.kind in "iu" or not len(labels)),
        "labels",
        "a whole number for each recording",
        f"dtype {labels.dtype}, shape {labels.shape}",
    )
    return labels.astype(np.int64)


def _sensor(dataset: Indexable) -> Sensor:
    size = getattr(dataset, "sensor_size", None)
    if size is None or len(size) != 3:
        _checks.refuse("sensor", "one to be given, as the data set has no sensor_size of three", size)
    width, height, polarities = (int(side) for side in size)
    if height == 1:
        return Sensor(name=f"cochlea-{width}", channels=width)
    return Sensor(name=f"{width}x{height}", width=width, height=height, polarities=polarities)


def _text(word: object) -> str:
    return word.decode("utf-8") if isinstance(word, bytes) else str(word)
