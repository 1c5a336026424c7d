"""Exact scores of a model over a whole split."""

from collections.abc import Callable
from typing import NamedTuple

import jax
from jaxtyping import Array

from eventssm.batching import Batch, BatchConfig, Batches, BatchStream
from eventssm.datasets import Dataset
from eventssm.model import Classifier
from eventssm.train._config import BatchesConfig
from eventssm.train._step import cross_entropy


class SplitScores(NamedTuple):
    """Means over every recording of a split."""

    loss: float
    accuracy: float


class Validation:
    """Scores of models over all recordings of a split, whole and as they are."""

    def __init__(self, dataset: Dataset, config: BatchesConfig) -> None:
        longest = max(int(dataset.lengths.max(initial=1)), 1)
        size = min(max(config.evaluation_events // longest, 1), config.size, len(dataset))
        self._batches = Batches(dataset, BatchConfig(batch_size=size, shuffle=False, buckets=config.buckets))
        self._ahead = config.ahead

    def __call__(self, model: Classifier, keep_on: Callable[[], bool] = lambda: True) -> SplitScores | None:
        """The scores; None when `keep_on` said no between two batches."""
        loss, correct, rows = 0.0, 0, 0
        with BatchStream(self._batches, ahead=self._ahead) as stream:
            for batch in stream.epoch():
                if not keep_on():
                    return None
                found = _scores(model, batch)
                loss += float(found[0])
                correct += int(found[1])
                rows += int((batch.samples >= 0).sum())
        return SplitScores(loss / rows, correct / rows)


@jax.jit
def _scores(model: Classifier, batch: Batch) -> tuple[Array, Array]:
    logits = jax.vmap(model)(batch.channels, batch.gaps, batch.lengths)
    return cross_entropy(logits, batch)
