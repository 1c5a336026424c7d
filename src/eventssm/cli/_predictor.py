"""What predicts: a run today; a bundle will be another class here, chosen by `open_predictor`."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from eventssm import _checks
from eventssm.events import Events

if TYPE_CHECKING:
    from eventssm.train import Run


@runtime_checkable
class Predictor(Protocol):
    """A trained model that reads recordings of the sensor it was made for."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of what it tells apart."""

    @property
    def events_per_prediction(self) -> int:
        """Events that one prediction takes."""

    def adapt(self, events: Events, every: int) -> Events:
        """The recording as the model reads it, with only every `every`-th channel; refuses another sensor."""

    def logits(self, events: Events) -> np.ndarray:
        """A row after each prediction's last event of such a recording."""


class RunPredictor:
    """The model of a training run."""

    def __init__(self, run: "Run", which: str) -> None:
        self._run, self._model = run, run.model(which)
        self.classes = run.classes
        self.events_per_prediction = self._model.config.events_per_prediction

    def adapt(self, events: Events, every: int) -> Events:
        """The recording as the model reads it."""
        from eventssm.evaluate import adapted

        return adapted(self._run, events, every)

    def logits(self, events: Events) -> np.ndarray:
        """A row after each prediction's last event."""
        from eventssm.evaluate import read_recording

        return read_recording(self._model, events).logits


def open_predictor(path: Path, which: str) -> Predictor:
    """The model in a run's folder."""
    from eventssm.train import open_run

    _checks.check(path.exists(), str(path), "a run's folder", "nothing there")
    return RunPredictor(open_run(path), which)
