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
    bucket's last batch goes into the next longer bucket, so that only one batch of an epoch may be smaller,
    and that is one of the shortest items. Without `shuffle` items go by length.
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
        # Places of the incomplete batch that stay empty: first, so that they are of the shortest bucket.
        batches, left = [], np.full(-len(order) % self.batch_size, -1)
        for number, size in enumerate(self.buckets):
            items = np.concatenate((left, order[bucket == number]))
            whole = len(items) - len(items) % self.batch_size
            for start in range(0, whole, self.batch_size):
                chosen = items[start : start + self.batch_size]
                batches.append(PlannedBatch(chosen[chosen >= 0], int(size)))
            left = items[whole:]
        return [batches[number] for number in rng.permutation(len(batches))] if self.shuffle else batches

    @property
    def padding(self) -> float:
        """Share of the slots of an epoch's batches that hold no event, as expected."""
        slots = sum(batch.size * self.batch_size for batch in self.epoch(0))
        return 1.0 - float(self.lengths.sum()) / slots if slots else 0.0


def longest_of_batches(lengths: Int[np.ndarray, " item"], batch_size: int) -> Int[np.ndarray, " batch"]:
    """The longest item of each batch when items go by length: buckets of these split no batch."""
    _checks.check_size(batch_size, "batch_size")
    empty = np.zeros(-len(lengths) % batch_size, lengths.dtype)
    return np.sort(np.concatenate((empty, lengths))).reshape(-1, batch_size)[:, -1]
