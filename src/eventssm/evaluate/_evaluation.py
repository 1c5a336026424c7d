"""All figures of one evaluation, as one record."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Int64

from eventssm.evaluate._anytime import Curve, over_events, over_time
from eventssm.evaluate._calibration import Calibration, calibrate
from eventssm.evaluate._confusion import ClassRow, class_table, confusion_matrix
from eventssm.evaluate._outcomes import Outcomes
from eventssm.evaluate._proportion import Proportion

_NEAR_FINAL = 0.95


@dataclass(frozen=True)
class Evaluation:
    """What a model is worth on one split; `docs/design/evaluation.md` states every convention."""

    outcomes: Outcomes
    accuracy: Proportion
    loss: float
    """Mean cross entropy of all recordings, in nats."""
    classes: tuple[ClassRow, ...]
    confusion: Int64[np.ndarray, "true predicted"]
    calibration: Calibration
    over_events: Curve
    over_time: Curve

    @classmethod
    def of(cls, outcomes: Outcomes) -> "Evaluation":
        """The figures that outcomes give."""
        matrix = confusion_matrix(outcomes.labels, outcomes.predicted, len(outcomes.classes))
        return cls(
            outcomes=outcomes,
            accuracy=Proportion(int(outcomes.right.sum()), len(outcomes)),
            loss=float(outcomes.losses.mean()),
            classes=class_table(matrix, outcomes.classes),
            confusion=matrix,
            calibration=calibrate(outcomes.confidences, outcomes.right),
            over_events=over_events(outcomes),
            over_time=over_time(outcomes),
        )

    @property
    def too_short(self) -> int:
        """Recordings with fewer events than one prediction takes."""
        return int((self.outcomes.counts == 0).sum())

    @property
    def balanced_accuracy(self) -> float:
        """Mean recall of the classes that have recordings."""
        return float(np.mean([row.recall for row in self.classes if row.recall is not None]))

    def near_final(self, curve: Curve) -> int | None:
        """The moment from which on accuracy stays at 95 % of the final one or above."""
        return curve.reaches(_NEAR_FINAL * self.accuracy.value)

    def record(self) -> dict[str, Any]:
        """As plain values, for JSON; times in milliseconds."""
        return {
            "recordings": len(self.outcomes),
            "events": int(self.outcomes.events.sum()),
            "too_short": self.too_short,
            "accuracy": self.accuracy.record(),
            "balanced_accuracy": self.balanced_accuracy,
            "loss": self.loss,
            "classes": [row.record() for row in self.classes],
            "confusion": self.confusion.tolist(),
            "calibration": self.calibration.record(),
            "anytime": {
                "events_per_prediction": self.outcomes.events_per_prediction,
                "over_events": _curve_record(self.over_events, "events", 1),
                "over_time": _curve_record(self.over_time, "ms", 1000),
                "events_to_95_percent_of_final": self.near_final(self.over_events),
                "ms_to_95_percent_of_final": _scaled(self.near_final(self.over_time), 1000),
            },
        }


def _curve_record(curve: Curve, name: str, unit: int) -> dict[str, list[int | float]]:
    return {
        name: [at if unit == 1 else at / unit for at in curve.at.tolist()],
        "accuracy": curve.accuracy.tolist(),
        "predicted": curve.predicted.tolist(),
        "ended": curve.ended.tolist(),
    }


def _scaled(moment: int | None, unit: int) -> float | None:
    return None if moment is None else moment / unit
