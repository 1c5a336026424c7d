"""How training went, and which time scales it found."""

from typing import Any

import numpy as np

from eventssm.plots import Points, ScaleRow, plot_time_scales, plot_training
from eventssm.report._gather import Findings
from eventssm.report._html import paragraph, picture, table

_MOST = 600


def training(found: Findings) -> str:
    """Curves from `metrics.jsonl`; nothing where it has no lines."""
    epochs, steps = found.epochs, found.steps
    if not epochs and not steps:
        return ""
    per_epoch = _steps_per_epoch(epochs, steps)
    best = [line["epoch"] for line in epochs if line.get("best")]
    panels = {
        "loss": {
            "batches": _thinned([(line["step"] / per_epoch, float(line["loss"])) for line in steps]),
            "train": _of(epochs, "loss"),
            "validation": _of(epochs, "validation_loss"),
        },
        "accuracy": {
            "train": _of(epochs, "accuracy"),
            "validation": _of(epochs, "validation_accuracy"),
            "test": _of(epochs, "test_accuracy"),
        },
        "learning rate (of B and Λ)": {
            "rate": _thinned([(line["step"] / per_epoch, float(line["rate"])) for line in steps])
        },
    }
    filled = {
        name: {split: points for split, points in lines.items() if points} for name, lines in panels.items()
    }
    filled = {name: lines for name, lines in filled.items() if lines}
    caption = (
        "Training figures are with dropout and augmentation, those of an epoch over all its recordings. "
        "Dotted: the epoch whose model this is."
    )
    figure = plot_training(filled, best[-1] if best and found.which == "best" else None)
    return picture(figure, "curves", "Loss, accuracy and learning rate over epochs", caption) + _cost(epochs)


def times(found: Findings) -> str:
    """The time scales of all layers, as learnt and at the start."""
    unit = "steps" if found.run.config.model.time == "uniform" else "ms"
    rows = [
        ScaleRow(one.name, one.constants, one.periods, first.constants, first.periods)
        for one, first in zip(found.learnt, found.initial, strict=True)
    ]
    caption = (
        "Time constants 1 / (−Re Λ δ), in which a state falls to 37 %, and periods 2π / (|Im Λ| δ), of every "
        "state. In outline: the same at the start, made again from the seed."
    )
    head = (
        "layer",
        f"median time constant ({unit})",
        "at the start",
        f"median period ({unit})",
        "at the start",
    )
    medians = [
        (
            one.name,
            _median(one.constants),
            _median(first.constants),
            _median(one.periods),
            _median(first.periods),
        )
        for one, first in zip(found.learnt, found.initial, strict=True)
    ]
    growing = sum(one.states - len(one.constants) for one in found.learnt)
    note = paragraph(f"{growing:,} states do not decay and are left out.") if growing else ""
    figure = plot_time_scales(rows, unit)
    return picture(figure, "scales", "Histograms of time scales", caption) + table(head, medians) + note


def _cost(epochs: list[dict[str, Any]]) -> str:
    """What training took, in a sentence; from the lines of epochs."""
    if not epochs:
        return ""
    seconds = sum(line.get("seconds") or 0.0 for line in epochs)
    checking = sum(line.get("validation_seconds") or 0.0 for line in epochs)
    compiling = sum(line.get("compile_seconds") or 0.0 for line in epochs)
    events = sum(line.get("events") or 0 for line in epochs)
    rates = [line["events_per_s"] for line in epochs if line.get("events_per_s")]
    rate = f" at {np.median(rates):,.0f} events/s" if rates else ""
    return paragraph(
        f"{len(epochs)} epochs read {events:,} events in {_span(seconds)}{rate}, beside {_span(checking)} of "
        f"validation and {_span(compiling)} of compilation."
    )


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def _of(epochs: list[dict[str, Any]], key: str) -> Points:
    return [(float(line["epoch"]), float(line[key])) for line in epochs if line.get(key) is not None]


def _steps_per_epoch(epochs: list[dict[str, Any]], steps: list[dict[str, Any]]) -> float:
    if epochs:
        return max(epochs[-1]["step"] / epochs[-1]["epoch"], 1.0)
    return float(max(steps[-1]["step"], 1))


def _thinned(points: list[tuple[float, float]]) -> Points:
    """Means of neighbours, where there are more points than a picture can show."""
    if len(points) <= _MOST:
        return points
    parts = np.array_split(np.asarray(points), _MOST)
    return [(float(x), float(y)) for x, y in (part.mean(axis=0) for part in parts)]


def _median(values: np.ndarray) -> str:
    return f"{np.median(values):,.3g}" if len(values) else "–"
