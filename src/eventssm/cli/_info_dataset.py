"""What `eventssm info` tells of a data set: the paper's table row, and events of each class."""

from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from eventssm import datasets

_BAR = 28


def dataset_splits(subject: Path) -> dict[str, datasets.Dataset] | None:
    """All splits of the store at a path, or of a data set of that name; None where it is neither."""
    name = str(subject)
    if (subject / datasets.MANIFEST).exists():
        return {
            split: datasets.StoreDataset(subject, split) for split in datasets.Manifest.read(subject).splits
        }
    if subject.exists() or not (name in datasets.KNOWN or name.startswith(datasets.FOLDER)):
        return None
    return {split: datasets.load(name, split) for split in datasets.SPLITS}


def dataset_facts(subject: Path, splits: dict[str, datasets.Dataset]) -> dict[str, Any]:
    """Classes, recordings and events; quartiles of events for each split and for each class."""
    some = next(iter(splits.values()))
    lengths = np.concatenate([dataset.lengths for dataset in splits.values()])
    labels = np.concatenate([dataset.labels for dataset in splits.values()])
    return {
        "path": str(subject),
        "sensor": {"name": some.sensor.name, "channels": some.sensor.channels},
        "classes": len(some.classes),
        "splits": {split: _spread(dataset.lengths) for split, dataset in splits.items()},
        "all": _spread(lengths),
        "events_per_class": {
            name: _spread(lengths[labels == label]) for label, name in enumerate(some.classes)
        },
    }


def show_dataset(facts: dict[str, Any], console: Console) -> None:
    """Prints the facts as two tables."""
    sensor = facts["sensor"]
    console.print(f"{facts['path']}: {facts['classes']} classes, {sensor['name']}")
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("split")
    for column in ("recordings", "events", "median", "fewest", "most"):
        table.add_column(column, justify="right")
    for split, spread in [*facts["splits"].items(), ("all", facts["all"])]:
        keys = ("events", "median", "fewest", "most")
        table.add_row(split, f"{spread['recordings']:,}", *(f"{spread[key]:,.0f}" for key in keys))
    console.print(table)
    most = max(spread["upper"] for spread in facts["events_per_class"].values()) or 1.0
    classes = Table(box=None, padding=(0, 2, 0, 0), title="events of a recording", title_justify="left")
    classes.add_column("class")
    for column in ("recordings", "median", "middle half"):
        classes.add_column(column, justify="right")
    classes.add_column("")
    for name, spread in facts["events_per_class"].items():
        half = f"{spread['lower']:,.0f} to {spread['upper']:,.0f}"
        bar = _bar(spread, most)
        classes.add_row(name, f"{spread['recordings']:,}", f"{spread['median']:,.0f}", half, bar)
    console.print(classes)


def _bar(spread: dict[str, int | float], most: float) -> str:
    """A line from the lower to the upper quartile, with a mark at the median."""
    lower, median, upper = (round(spread[key] / most * (_BAR - 1)) for key in ("lower", "median", "upper"))
    cells = ["━" if lower <= cell <= upper else " " for cell in range(_BAR)]
    cells[median] = "●"
    return "".join(cells)


def _spread(lengths: np.ndarray) -> dict[str, int | float]:
    if not len(lengths):
        return {"recordings": 0, "events": 0} | dict.fromkeys(
            ("fewest", "lower", "median", "upper", "most"), 0.0
        )
    quartiles = np.quantile(lengths, [0, 0.25, 0.5, 0.75, 1])
    names = ("fewest", "lower", "median", "upper", "most")
    return {"recordings": len(lengths), "events": int(lengths.sum())} | dict(
        zip(names, quartiles.tolist(), strict=True)
    )
