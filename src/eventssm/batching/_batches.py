"""From a data set to padded batches, each a function of the seed, the epoch and its number alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Int64

from eventssm import _checks
from eventssm.batching._batch import Batch, assemble
from eventssm.batching._buckets import choose_buckets
from eventssm.batching._plan import Plan, PlannedBatch, longest_of_batches
from eventssm.batching._slices import slice_table
from eventssm.datasets import Dataset
from eventssm.events import Events, Sensor
from eventssm.transforms import Compose, Transform, cut_mix

_PROBES, _DRAWS = 17, 3
_OF_SAMPLES, _OF_BATCHES, _OF_PROBES = range(3)


@dataclass(frozen=True, kw_only=True)
class BatchConfig:
    """How batches are made.

    For evaluation: `shuffle=False` and no augmentation; every recording is then seen whole and once.
    """

    batch_size: int = 32
    seed: int = 0
    shuffle: bool = True
    buckets: int = 4
    """Different lengths of batches, each of which is a program to compile."""
    transforms: Sequence[Transform] = ()
    cut_mix: float = 0.0
    """Probability with which a recording is mixed with another of its batch."""
    slice_events: int | None = None
    """Longer recordings are cut into slices of so many events, each an item of its own."""
    overlap: int = 0
    """Events that neighbouring slices share."""


class Batches:
    """A data set's batches, of any epoch and in any order.

    An item is a recording, or a slice of one. Its augmentation depends on the seed, the epoch and the item's
    number, a batch's CutMix on the seed, the epoch and the batch's number: neither on who makes it nor when.
    """

    def __init__(self, dataset: Dataset, config: BatchConfig = BatchConfig()) -> None:
        self.dataset, self.config = dataset, config
        self._transform = Compose(tuple(config.transforms))
        self.sensor: Sensor = self._transform.sensor(dataset.sensor)
        self._items = _items(dataset.lengths, config)
        lengths = self._expected(self._items[:, 2] - self._items[:, 1])
        buckets = choose_buckets(longest_of_batches(lengths, config.batch_size), config.buckets)
        self._plan = Plan(lengths, buckets, config.batch_size, config.seed, config.shuffle)
        self._planned: tuple[int, list[PlannedBatch]] | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes, in the order of `Batch.targets`."""
        return self.dataset.classes

    @property
    def steps(self) -> int:
        """Batches in an epoch."""
        return self._plan.steps

    @property
    def lengths(self) -> tuple[int, ...]:
        """Lengths that batches are padded to."""
        return tuple(int(size) for size in self._plan.buckets)

    @cached_property
    def padding(self) -> float:
        """Share of the slots of an epoch's batches that hold no event, as expected."""
        return self._plan.padding

    def epoch(self, epoch: int) -> Iterator[Batch]:
        """All batches of an epoch."""
        return (self.batch(epoch, step) for step in range(self.steps))

    def batch(self, epoch: int, step: int) -> Batch:
        """One batch."""
        _checks.check(0 <= step < self.steps, "step", f"0 <= step < {self.steps}", step)
        planned = self._epoch_plan(epoch)[step]
        samples = self._items[planned.items, 0]
        drawn = [self._drawn(item, self._rng(_OF_SAMPLES, epoch, item)) for item in planned.items.tolist()]
        size = self._size(max(planned.size, *map(len, drawn)))
        recordings, targets = self._mixed(drawn, self.dataset.labels[samples], size, epoch, step)
        return assemble(recordings, targets, samples, self.config.batch_size, size)

    def _size(self, longest: int) -> int:
        """The smallest bucket that holds so many events, or the last one."""
        buckets = self._plan.buckets
        return int(buckets[min(int(np.searchsorted(buckets, longest)), len(buckets) - 1)])

    def _epoch_plan(self, epoch: int) -> list[PlannedBatch]:
        planned = self._planned
        if planned is None or planned[0] != epoch:
            planned = self._planned = epoch, self._plan.epoch(epoch)
        return planned[1]

    def _drawn(self, item: int, rng: np.random.Generator) -> Events:
        sample, start, stop = self._items[item].tolist()
        events = self.dataset.read(sample, start, stop)
        return self._transform(events, rng) if self.config.transforms else events

    def _mixed(
        self, drawn: list[Events], labels: np.ndarray, size: int, epoch: int, step: int
    ) -> tuple[list[Events], np.ndarray]:
        if not self.config.cut_mix:
            return drawn, np.eye(len(self.classes), dtype=np.float32)[labels]
        pairs = [(events, int(label)) for events, label in zip(drawn, labels, strict=True)]
        rng = self._rng(_OF_BATCHES, epoch, step)
        mixed = cut_mix(pairs, len(self.classes), self.config.cut_mix, rng, longest=size)
        return [pair.events for pair in mixed], np.stack([pair.target for pair in mixed])

    def _expected(self, lengths: Int64[np.ndarray, " item"]) -> Int64[np.ndarray, " item"]:
        """Lengths after the transforms, judged by what becomes of some items, shortest to longest."""
        if not self.config.transforms or not len(lengths):
            return lengths
        order = np.argsort(lengths, kind="stable")
        probes = order[np.linspace(0, len(order) - 1, min(_PROBES, len(order))).astype(np.int64)]
        found = [
            max(len(self._drawn(item, self._rng(_OF_PROBES, draw, item))) for draw in range(_DRAWS))
            for item in probes.tolist()
        ]
        return np.ceil(np.interp(lengths, lengths[probes], np.maximum.accumulate(found))).astype(np.int64)

    def _rng(self, of: int, epoch: int, number: int) -> np.random.Generator:
        return np.random.default_rng([of, self.config.seed, epoch, number])


def _items(lengths: np.ndarray, config: BatchConfig) -> Int64[np.ndarray, "item 3"]:
    """Recording, start and stop of every item; whole recordings, empty ones too, without slices."""
    if config.slice_events is not None:
        return slice_table(lengths, config.slice_events, config.overlap)
    return np.stack((np.arange(len(lengths)), np.zeros_like(lengths), lengths), axis=1)
