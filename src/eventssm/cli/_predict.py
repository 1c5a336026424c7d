"""`eventssm predict`: what a trained model says of recordings."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console

from eventssm import _checks
from eventssm.cli._compilation import use_compilation_cache
from eventssm.cli._evaluate import Every, Which
from eventssm.cli._predictor import Predictor, open_predictor
from eventssm.cli._recording import FileFormat, RecordingIndex, SensorSize, sensor_of
from eventssm.files import Backwards, open_file


@dataclass(frozen=True)
class Predict:
    """Say what recordings are, by a trained model: one line for each file.

    A line has the class, its probability and the next likely ones; then the recording's events and duration,
    and after how many events the answer stood for good. A file of any format that `eventssm info` knows will
    do, if it is of the sensor that the model was trained on.

    Try `eventssm predict runs/digits one.npz two.npz`, `eventssm predict runs/digits shd.h5 --index 3
    --every 5`, or with --json for programs.
    """

    model: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="RUN")]
    """The run's folder, as `eventssm train` made it."""
    files: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FILE...")]
    """Recordings."""
    which: Which = "best"
    """The model of the best epoch, or that of the last checkpoint."""
    every: Every = 1
    """Keep every N-th channel, column and row only: 5 of 700 for a model of `digits`."""
    next: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """How many of the next likely classes to tell of."""
    from_format: FileFormat = None
    """The files' format, where neither their content nor their suffix says it."""
    sensor: SensorSize = None
    """Their sensor, where they do not say: 640x480, or a number of channels."""
    index: RecordingIndex = None
    """One recording of a file that holds several."""
    backwards: Backwards = "error"
    """What to do with events whose time goes backwards: fail, or drop and count them."""
    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """One line of JSON for each file."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Predict, one file after the other; one that cannot be used does not keep the others from it."""
        _checks.check(bool(self.files), "FILE", "at least one recording", "none")
        _checks.check_size(self.every, "--every")
        _checks.check_size(self.next, "--next", least=0)
        use_compilation_cache()
        predictor = open_predictor(self.model, self.which)
        failed = 0
        for path in self.files:
            try:
                facts = self._facts(predictor, path)
            except (_checks.InputError, OSError) as problem:
                if len(self.files) == 1 or self.debug:
                    raise
                failed += 1
                words = (
                    f"{path}: {str(problem.strerror).lower()}" if isinstance(problem, OSError) else problem
                )
                Console(stderr=True, soft_wrap=True, highlight=False, markup=False).print(
                    f"eventssm: {words}"
                )
                continue
            console.print(json.dumps(facts) if self.json else _line(facts))
        _checks.check(not failed, "files", f"{len(self.files)} that can be used", len(self.files) - failed)

    def _facts(self, predictor: Predictor, path: Path) -> dict[str, Any]:
        file = open_file(
            path, self.from_format, sensor_of(self.sensor), index=self.index, backwards=self.backwards
        )
        whole = file.read()
        with _checks.about(path):
            events = predictor.adapt(whole, self.every)
            logits = predictor.logits(events)
            _checks.check(bool(np.isfinite(logits).all()), "logits", "finite numbers", "others")
        facts = {"file": str(path), "events": len(events), "duration_ms": events.duration / 1000}
        facts |= {"dropped": file.dropped} if file.dropped else {}
        per = predictor.events_per_prediction
        return facts | _answer(logits, predictor.classes, per, self.next)


def _answer(logits: np.ndarray, classes: tuple[str, ...], per: int, others: int) -> dict[str, Any]:
    """The last prediction, and the events after which it stood for good; without one, what one takes."""
    facts: dict[str, Any] = {"predictions": len(logits), "events_per_prediction": per}
    if not len(logits):
        return {"label": None, "probability": None, "runners_up": []} | facts
    last = logits[-1].astype(np.float64)
    chances = np.exp(last - last.max())
    chances /= chances.sum()
    order = np.argsort(-chances, kind="stable")
    unlike = np.flatnonzero(logits.argmax(axis=1) != order[0])
    ranked = [{"label": classes[at], "probability": float(chances[at])} for at in order[: others + 1]]
    stood = per * (int(unlike[-1]) + 2 if len(unlike) else 1)
    return {**ranked[0], "runners_up": ranked[1:], "settled_after_events": stood} | facts


def _line(facts: dict[str, Any]) -> str:
    size = f"{facts['events']:,} events in {facts['duration_ms'] / 1000:.3g} s"
    if facts.get("dropped"):
        size += f", {facts['dropped']:,} dropped as their time went backwards"
    if facts["label"] is None:
        per = facts["events_per_prediction"]
        return (
            f"{facts['file']}: too short to say: {size}, and a prediction takes {per} on the model's sensor"
        )
    ranked = [f"{other['label']} {100 * other['probability']:.1f} %" for other in facts["runners_up"]]
    then = f" (then {', '.join(ranked)})" if ranked else ""
    answer = f"{facts['label']} {100 * facts['probability']:.1f} %{then}"
    return f"{facts['file']}: {answer}; {size}, settled after {facts['settled_after_events']:,}"
