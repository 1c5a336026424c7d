"""Models, data sets and outcomes that the tests of evaluation make."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from eventssm import Classifier, Events, ModelConfig, Sensor
from eventssm.datasets import MemoryDataset, Sample
from eventssm.evaluate import Outcomes
from tests.support import random_classifier

SENSOR = Sensor(name="cochlea-7", channels=7)
CLASSES = ("a", "b", "c")
CONFIG = ModelConfig(
    channels=7, classes=3, d_model=8, d_state=8, block_size=8, stages=2, blocks_per_stage=1, stride=2
)


def classifier(**changes: object) -> Classifier:
    """A small one, with a prediction for every four events."""
    return random_classifier(replace(CONFIG, **changes), seed=3)


def dataset(lengths: Sequence[int], seed: int = 0) -> MemoryDataset:
    """Recordings of these lengths in events, with ties, from different times on."""
    rng = np.random.default_rng(seed)
    samples = []
    for number, length in enumerate(lengths):
        t = 1000 * number + np.cumsum(rng.integers(0, 3, length) * 700)
        events = Events(SENSOR, t=t, channel=rng.integers(0, 7, length))
        samples.append(Sample(events, int(rng.integers(0, 3))))
    return MemoryDataset(SENSOR, CLASSES, samples, [f"r{number}" for number in range(len(lengths))])


def outcomes(
    labels: Sequence[int],
    said: Sequence[Sequence[int]],
    events: Sequence[int],
    times: Sequence[Sequence[int]] | None = None,
    *,
    prior: int = 0,
    per: int = 10,
    classes: int = 3,
) -> Outcomes:
    """Outcomes in which these classes were said, one after the other, each with the logit 1."""
    counts = np.array([len(row) for row in said])
    moments = [[per * (at + 1) for at in range(len(row))] for row in said] if times is None else times
    final = [row[-1] if row else prior for row in said]
    return Outcomes(
        classes=tuple("abcdefgh"[:classes]),
        keys=tuple(f"r{number}" for number in range(len(labels))),
        labels=np.array(labels, np.int64),
        events=np.array(events, np.int64),
        durations=np.array(events, np.int64),
        logits=np.eye(classes, dtype=np.float32)[final],
        counts=counts.astype(np.int64),
        times=np.array([moment for row in moments for moment in row], np.int64),
        said=np.array([one for row in said for one in row], np.int64),
        prior=prior,
        events_per_prediction=per,
    )
