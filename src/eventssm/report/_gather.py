"""Everything that a report tells of a run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eventssm import _checks
from eventssm.datasets import SPLITS, Dataset
from eventssm.evaluate import (
    FIGURES,
    Evaluation,
    Progress,
    TimeScales,
    evaluate,
    evaluation_folder,
    load_evaluation,
    model_digest,
    time_scales,
)
from eventssm.events import Events
from eventssm.model import count_parameters
from eventssm.train import Run, initial_model

HARD = 8


@dataclass(frozen=True)
class Example:
    """A recording, and what was said of it on the way."""

    key: str
    true: str
    said: str
    probability: float
    """Of the class that was said."""
    true_probability: float
    loss: float
    events: int
    duration_us: int
    prediction_us: np.ndarray
    """When each prediction was made, from the first event on."""
    prediction_right: np.ndarray
    recording: Events | None


@dataclass(frozen=True)
class Findings:
    """What a report's page is a function of."""

    run: Run
    which: str
    place: dict[str, Any]
    digest: str
    parameters: tuple[int, int]
    epochs: list[dict[str, Any]]
    steps: list[dict[str, Any]]
    split: str
    evaluation: Evaluation
    others: dict[str, Evaluation]
    """Other splits that this model was evaluated on."""
    learnt: tuple[TimeScales, ...]
    initial: tuple[TimeScales, ...]
    hard: list[Example]
    missing: str | None
    """Why recordings cannot be shown, where they cannot."""


def gather(run: Run, split: str = "test", which: str = "best", progress: Progress | None = None) -> Findings:
    """Reads a run; what was not evaluated yet with this very model is evaluated first."""
    _checks.check_choice(split, SPLITS, "split")
    model = run.model(which)
    digest = model_digest(model)
    evaluation = _saved(evaluation_folder(run, split, which), digest)
    if evaluation is None:
        evaluation = evaluate(run, split, which=which, progress=progress)
    others = {
        other: _saved(evaluation_folder(run, other, which), digest) for other in SPLITS if other != split
    }
    lines = run.metrics()
    dataset, missing = _dataset(run, split)
    return Findings(
        run=run,
        which=which,
        place=run.place(which),
        digest=digest,
        parameters=count_parameters(model),
        epochs=[line for line in lines if line.get("kind") == "epoch"],
        steps=[line for line in lines if line.get("kind") == "step"],
        split=split,
        evaluation=evaluation,
        others={name: found for name, found in others.items() if found is not None},
        learnt=time_scales(model),
        initial=time_scales(initial_model(run.config)),
        hard=_hardest(evaluation, dataset),
        missing=missing,
    )


def _saved(folder: Path, digest: str) -> Evaluation | None:
    """An evaluation of this very model, if there is one that can be read."""
    if not (folder / FIGURES).is_file():
        return None
    try:
        evaluation, record = load_evaluation(folder)
    except (_checks.InputError, OSError):
        return None
    return evaluation if record.get("model") == digest else None


def _dataset(run: Run, split: str) -> tuple[Dataset | None, str | None]:
    try:
        return run.dataset(split), None
    except (_checks.InputError, OSError) as problem:
        return None, str(problem)


def _hardest(evaluation: Evaluation, dataset: Dataset | None) -> list[Example]:
    """The recordings with the greatest loss, greatest first."""
    outcomes = evaluation.outcomes
    order = np.argsort(-outcomes.losses, kind="stable")[:HARD]
    starts = np.cumsum(outcomes.counts) - outcomes.counts
    chances = np.exp(outcomes.log_probabilities)
    examples = []
    for item in order.tolist():
        part = slice(int(starts[item]), int(starts[item] + outcomes.counts[item]))
        label, said = int(outcomes.labels[item]), int(outcomes.predicted[item])
        same = dataset is not None and item < len(dataset) and dataset.keys[item] == outcomes.keys[item]
        examples.append(
            Example(
                key=outcomes.keys[item],
                true=outcomes.classes[label],
                said=outcomes.classes[said],
                probability=float(chances[item, said]),
                true_probability=float(chances[item, label]),
                loss=float(outcomes.losses[item]),
                events=int(outcomes.events[item]),
                duration_us=int(outcomes.durations[item]),
                prediction_us=outcomes.times[part],
                prediction_right=outcomes.said[part] == label,
                recording=dataset.read(item) if dataset is not None and same else None,
            )
        )
    return examples
