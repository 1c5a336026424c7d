"""An evaluation in a run's folder: figures, pictures, and what was said of every recording.

evaluation.json    every figure, and whose it is: run, checkpoint, split, digest of the model
predictions.npz    `Outcomes`
confusion.png, anytime.png, calibration.png
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from eventssm import _checks, plots
from eventssm.evaluate._anytime import Curve
from eventssm.evaluate._evaluation import Evaluation
from eventssm.evaluate._outcomes import Outcomes
from eventssm.files import replacing
from eventssm.model import Classifier

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VERSION = 1
FIGURES, PREDICTIONS = "evaluation.json", "predictions.npz"


def save_evaluation(evaluation: Evaluation, folder: Path, origin: dict[str, Any]) -> None:
    """Writes everything; the figures last, so that an evaluation exists when they do."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FIGURES).unlink(missing_ok=True)
    evaluation.outcomes.save(folder / PREDICTIONS)
    for name, figure in evaluation_figures(evaluation, str(origin.get("split", ""))).items():
        plots.save(figure, folder / f"{name}.png")
    with replacing(folder / FIGURES) as part:
        record = {"version": VERSION, **origin, **evaluation.record()}
        part.write_text(json.dumps(record, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def load_evaluation(folder: Path) -> tuple[Evaluation, dict[str, Any]]:
    """A saved evaluation, and its record."""
    path = folder / FIGURES
    _checks.check(path.is_file(), str(folder), f"an evaluation, with {FIGURES}", "none")
    with _checks.about(path):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            _checks.refuse("it", "JSON", "something else")
        _checks.check(isinstance(record, dict), "it", "a JSON object", type(record).__name__)
        _checks.check(record.get("version") == VERSION, "version", str(VERSION), repr(record.get("version")))
    return Evaluation.of(Outcomes.load(folder / PREDICTIONS)), record


def evaluation_figures(evaluation: Evaluation, name: str) -> dict[str, "Figure"]:
    """The pictures of an evaluation, by what they show."""
    title = f"{name}: {100 * evaluation.accuracy.value:.1f} % of {evaluation.accuracy.of:,} right"
    bins = [plots.ReliabilityBin(**asdict(b)) for b in evaluation.calibration.bins]
    chance = 1 / len(evaluation.classes)
    return {
        "confusion": plots.plot_confusion(evaluation.confusion, evaluation.outcomes.classes, title),
        "anytime": plots.plot_anytime(
            _lines(evaluation.over_events, 1),
            _lines(evaluation.over_time, 1000),
            evaluation.accuracy.interval,
            chance,
            title,
        ),
        "calibration": plots.plot_reliability(
            bins, f"{name}: expected calibration error {100 * evaluation.calibration.error:.1f} %"
        ),
    }


def model_digest(model: Classifier) -> str:
    """A digest of every number of a model: two models with the same one say the same."""
    total = hashlib.blake2b(digest_size=16)
    for leaf in jax.tree.leaves(model):
        array = np.asarray(leaf)
        total.update(f"{array.dtype}{array.shape}".encode())
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()


def _lines(curve: Curve, unit: int) -> plots.AnytimeLines:
    return plots.AnytimeLines(curve.at / unit, curve.accuracy, curve.predicted, curve.ended)
