"""Which items stand in which batch: a function of lengths, seed and epoch alone."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from eventssm import _checks


class PlannedBatch(NamedTuple):
    """Items of a batch, and the length that is expected to hold them."""

    items: Int[np.ndarray, " row"]
    size: int


@dataclass(frozen=True)
class Plan:
    """Batches of items of similar length, every item once an epoch.

    Within a bucket the order is drawn anew each epoch, and so is that of the batches. What does not fill a
    bucket's last batch goes into the next longer bucket, so that only one batch of an epoch may be smaller.
    Without `shuffle` items go by length.
    """

    lengths: Int[np.ndarray, " item"]
    buckets: Int[np.ndarray, " bucket"]
    batch_size: int
    seed: int
    shuffle: bool

    def __post_init__(self) -> None:
        _checks.check_size(self.batch_size, "batch_size")
        _checks.check_size(self.seed, "seed", least=0)

    @property
    def steps(self) -> int:
        """Batches in an epoch."""
        return -(-len(self.lengths) // self.batch_size)

    def epoch(self, epoch: int) -> list[PlannedBatch]:
        """All batches of an epoch."""
        rng = np.random.default_rng([self.seed, epoch])
        order = (
            rng.permutation(len(self.lengths)) if self.shuffle else np.argsort(self.lengths, kind="stable")
        )
        bucket = np.searchsorted(self.buckets, self.lengths[order])
        batches, left = [], order[:0]
        for number, size in enumerate(self.buckets):
            items = np.concatenate((left, order[bucket == number]))
            whole = len(items) - len(items) % self.batch_size
            batches += [
                PlannedBatch(items[start : start + self.batch_size], int(size))
                for start in range(0, whole, self.batch_size)
            ]
            left = items[whole:]
        if len(left):
            batches.append(PlannedBatch(left, int(self.buckets[-1])))
        return [batches[number] for number in rng.permutation(len(batches))] if self.shuffle else batches

    @property
    def padding(self) -> float:
        """Share of the slots of an epoch's batches that hold no event, as expected."""
        slots = sum(batch.size * self.batch_size for batch in self.epoch(0))
        return 1.0 - float(self.lengths.sum()) / slots if slots else 0.0
