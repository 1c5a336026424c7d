"""The figures of a run on a split, computed and saved."""

import time
from pathlib import Path
from typing import Any

from eventssm import _checks
from eventssm.datasets import SPLITS, Dataset
from eventssm.evaluate._evaluation import Evaluation
from eventssm.evaluate._infer import Progress, infer
from eventssm.evaluate._saved import model_digest, save_evaluation
from eventssm.train import Run, open_run

FOLDER = "evaluation"
OTHER = "other"


def evaluate(
    run: Run | str | Path,
    split: str = "test",
    *,
    which: str = "best",
    data: Dataset | None = None,
    name: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """The figures of a run's `best` or `last` model on every recording of a split, or of other `data`.

    They are saved, with pictures and what was said of each recording, in `evaluation_folder`, or in `out`.
    Other `data` are on the run's sensor with its classes, as `brought_to` makes them, and have a `name`.
    """
    run = run if isinstance(run, Run) else open_run(run)
    model = run.model(which)
    if data is None:
        _checks.check_choice(split, SPLITS, "split")
        data = run.dataset(split)
        _checks.check(len(data) > 0, f"split {split}", "at least one recording", "none")
    same = tuple(data.classes) == run.classes
    _checks.check(same, "classes", ", ".join(run.classes), ", ".join(data.classes))
    began = time.perf_counter()
    outcomes = infer(model, data, progress=progress)
    seconds = time.perf_counter() - began
    evaluation = Evaluation.of(outcomes)
    folder = evaluation_folder(run, split, which, name) if out is None else Path(out)
    place = run.place(which)
    origin: dict[str, Any] = {
        "split": split,
        "data": name or run.config.data.name,
        "which": which,
        "epoch": place.get("epoch"),
        "step": place.get("step"),
        "model": model_digest(model),
        "seed": run.config.seed,
        "seconds": seconds,
    }
    save_evaluation(evaluation, folder, origin)
    return evaluation


def evaluation_folder(run: Run, split: str, which: str = "best", name: str | None = None) -> Path:
    """Where figures are saved: `RUN/evaluation/SPLIT`; `NAME-SPLIT` for other data, `-last` behind it."""
    before = "" if name is None else f"{_plain(name)}-"
    return run.folder / FOLDER / f"{before}{split}{'' if which == 'best' else f'-{which}'}"


def _plain(name: str) -> str:
    return (
        "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name).strip("-.")
        or "other"
    )
