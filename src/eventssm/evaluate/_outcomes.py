"""What a model said of every recording of a split: all that the figures of an evaluation are made of."""

import zipfile
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float32, Float64, Int64

from eventssm import _checks
from eventssm.files import replacing


@dataclass(frozen=True)
class Outcomes:
    """Logits of every recording, in the order of its split, and each prediction that was made on the way.

    The predictions of all recordings stand in a row, `counts` of each. A recording's first one comes after
    `events_per_prediction` events; until then, and for good where it is shorter, its logits are those of no
    step at all (the decoder's bias), whose class is `prior`.
    """

    classes: tuple[str, ...]
    keys: tuple[str, ...]
    labels: Int64[np.ndarray, " recording"]
    events: Int64[np.ndarray, " recording"]
    durations: Int64[np.ndarray, " recording"]
    """Microseconds from the first event to the last."""
    logits: Float32[np.ndarray, "recording class"]
    counts: Int64[np.ndarray, " recording"]
    times: Int64[np.ndarray, " prediction"]
    """Microseconds from the recording's first event to the one that completed this prediction."""
    said: Int64[np.ndarray, " prediction"]
    """The class with the largest logit at that moment."""
    prior: int
    events_per_prediction: int

    @property
    def predicted(self) -> Int64[np.ndarray, " recording"]:
        """The class with the largest logit, of several the first."""
        return self.logits.argmax(axis=1)

    @property
    def right(self) -> np.ndarray:
        """Whether each recording's class was found."""
        return np.asarray(self.predicted == self.labels)

    @cached_property
    def log_probabilities(self) -> Float64[np.ndarray, "recording class"]:
        """The logarithm of the softmax, in float64."""
        logits = self.logits.astype(np.float64)
        shifted = logits - logits.max(axis=1, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

    @property
    def losses(self) -> Float64[np.ndarray, " recording"]:
        """Cross entropy of each recording, in nats."""
        return -self.log_probabilities[np.arange(len(self.labels)), self.labels]

    @property
    def confidences(self) -> Float64[np.ndarray, " recording"]:
        """Probability of the predicted class."""
        return np.exp(self.log_probabilities.max(axis=1))

    def __len__(self) -> int:
        return len(self.labels)

    def save(self, path: Path) -> None:
        """Writes everything to an `.npz`, whole or not at all."""
        columns: Any = {field.name: np.asarray(getattr(self, field.name)) for field in fields(self)}
        with replacing(path) as part, part.open("wb") as file:
            np.savez_compressed(file, **columns)

    @classmethod
    def load(cls, path: Path) -> "Outcomes":
        """What `save` wrote."""
        names = {field.name for field in fields(cls)}
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
                columns = {name: found[name] for name in names}
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as problem:
            _checks.refuse(str(path), "predictions that evaluate wrote", " ".join(str(problem).split()))
        words: Any = {name: tuple(columns.pop(name).tolist()) for name in ("classes", "keys")}
        numbers: Any = {name: int(columns.pop(name)) for name in ("prior", "events_per_prediction")}
        others: Any = columns
        return cls(**words, **numbers, **others)
