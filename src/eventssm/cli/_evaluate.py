"""`eventssm evaluate`: what a trained model is worth."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro
from rich.console import Console
from rich.table import Table

from eventssm import _checks
from eventssm.cli._compilation import use_compilation_cache
from eventssm.cli._count import counter

if TYPE_CHECKING:
    from eventssm.datasets import Dataset
    from eventssm.evaluate import Evaluation

RunFolder = Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="RUN")]
"""The argument RUN."""
Which = Literal["best", "last"]
"""The option `--which`."""
Every = Annotated[int, tyro.conf.arg(metavar="N")]
"""The option `--every`."""

_MISTAKES, _BAR = 5, 20


@dataclass(frozen=True)
class Evaluate:
    """Evaluate a trained model on every recording of a split: none is lost, none counted twice.

    Prints accuracy with Wilson's 95 % interval, loss, a row for each class, the commonest mistakes, how soon
    the answer is there and how far its confidence can be trusted. RUN/evaluation/SPLIT then has all of it as
    evaluation.json, what was said of each recording as predictions.npz, and pictures: confusion.png,
    anytime.png (accuracy over events seen and over time) and calibration.png.

    Try `eventssm evaluate runs/digits`, `eventssm evaluate runs/digits --split validation`, or
    `eventssm evaluate runs/digits --data folder:my-recordings`.
    """

    folder: RunFolder
    """The run's folder, as `eventssm train` made it."""
    split: Literal["train", "validation", "test"] = "test"
    """Which recordings."""
    which: Which = "best"
    """The model of the best epoch, or that of the last checkpoint."""
    data: Annotated[str | None, tyro.conf.arg(metavar="NAME|folder:PATH|STORE|FILE.h5")] = None
    """Other recordings than the run's; of an HDF5 file (as SHD's or audiomnist's) all. Classes go by name."""
    data_dir: Path | None = None
    """Folder with the data set's files, where its store is still to be made."""
    root: Path | None = None
    """Folder for stores [default: that of training]."""
    sensor: Annotated[str | None, tyro.conf.arg(metavar="WIDTHxHEIGHT|CHANNELS")] = None
    """The sensor of --data, where its files do not say."""
    every: Every = 1
    """Of --data keep every N-th channel, column and row only: 5 of 700 for a model of `digits`."""
    out: Path | None = None
    """Folder for the results [default: RUN/evaluation/SPLIT]."""
    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Print evaluation.json instead of tables."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Evaluate, save, and print."""
        from eventssm.evaluate import FIGURES, brought_to, evaluate, evaluation_folder, other_data
        from eventssm.train import open_run

        _checks.check_size(self.every, "--every")
        alone = self.every == 1 and self.sensor is None
        _checks.check(self.data is not None or alone, "--every, --sensor", "--data beside it", "none")
        use_compilation_cache()
        run, name = open_run(self.folder), None
        data: Dataset | None = None
        if self.data is not None:
            places = {"data_dir": self.data_dir, "root": self.root}
            data = brought_to(
                run, other_data(self.data, self.split, sensor=self.sensor, **places), self.every
            )
            name = Path(self.data.rpartition(":")[2]).stem
        elif self.data_dir is not None or self.root is not None:
            data = run.dataset(self.split, data_dir=self.data_dir, root=self.root)
        folder = evaluation_folder(run, self.split, self.which, name) if self.out is None else self.out
        with counter("evaluating") as progress:
            evaluation = evaluate(
                run, self.split, which=self.which, data=data, name=name, out=folder, progress=progress
            )
        if self.json:
            console.print((folder / FIGURES).read_text(encoding="utf-8"), end="")
            return
        said = self.data or run.config.data.name
        show_evaluation(evaluation, f"{said} {self.split}, {self.which} model", console)
        console.print(f"saved in {folder}")


def show_evaluation(evaluation: "Evaluation", name: str, console: Console) -> None:
    """Prints the figures as a headline, a table and a few lines."""
    from eventssm.evaluate import most_confused

    accuracy, outcomes = evaluation.accuracy, evaluation.outcomes
    low, high = accuracy.interval
    console.print(
        f"{name}: {100 * accuracy.value:.1f} % right ({accuracy.right:,} of {accuracy.of:,}, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f}), loss {evaluation.loss:.3f}"
    )
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("class")
    for column in ("recordings", "recall", "precision"):
        table.add_column(column, justify="right")
    table.add_column("")
    for row in evaluation.classes:
        bar = "━" * round(_BAR * (row.recall or 0))
        table.add_row(row.name, f"{row.count:,}", _percent(row.recall), _percent(row.precision), bar)
    console.print(table)
    mistakes = most_confused(evaluation.confusion, outcomes.classes, _MISTAKES)
    if mistakes:
        said = ", ".join(f"{true} for {wrong} {count}" for wrong, true, count in mistakes)
        console.print(f"commonest mistakes: {said}")
    soon, ms = evaluation.near_final(evaluation.over_events), evaluation.near_final(evaluation.over_time)
    if soon is not None and ms is not None:
        console.print(f"95 % of that accuracy from {soon:,} events on, and from {ms / 1000:,.0f} ms on")
    console.print(f"expected calibration error {100 * evaluation.calibration.error:.1f} %")
    if evaluation.too_short:
        per = outcomes.events_per_prediction
        console.print(f"shorter than the {per} events of a prediction: {evaluation.too_short:,}")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
