"""Recordings of different lengths as arrays of one shape."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float32, Int32, Int64

from eventssm.events import Events


class Batch(NamedTuple):
    """Padded recordings with soft labels.

    Rows that fill up the last batch of an epoch have the sample -1, no events and no label. `targets` of the
    others sum to one. `cut` counts events that augmentation added and that the longest bucket did not hold.
    """

    channels: Int32[np.ndarray, "row event"]
    gaps: Float32[np.ndarray, "row event"]
    lengths: Int32[np.ndarray, " row"]
    targets: Float32[np.ndarray, "row class"]
    samples: Int64[np.ndarray, " row"]
    cut: Int64[np.ndarray, ""]

    @property
    def padding(self) -> float:
        """Share of the slots that hold no event."""
        return 1.0 - float(self.lengths.sum()) / self.channels.size


def assemble(
    recordings: Sequence[Events],
    targets: Float32[np.ndarray, "item class"],
    samples: Int64[np.ndarray, " item"],
    rows: int,
    size: int,
) -> Batch:
    """A batch of `rows` rows of `size` events; the events of a longer recording from there on are cut."""
    batch = Batch(
        channels=np.zeros((rows, size), np.int32),
        gaps=np.zeros((rows, size), np.float32),
        lengths=np.zeros(rows, np.int32),
        targets=np.zeros((rows, targets.shape[1]), np.float32),
        samples=np.full(rows, -1, np.int64),
        cut=np.array(sum(max(len(events) - size, 0) for events in recordings), np.int64),
    )
    for row, events in enumerate(recordings):
        kept = events[:size]
        batch.lengths[row] = len(kept)
        batch.channels[row, : len(kept)] = kept.channel
        batch.gaps[row, : len(kept)] = kept.gaps_ms()
    batch.targets[: len(targets)] = targets
    batch.samples[: len(samples)] = samples
    return batch
