"""Whether a model that is sure to 80 % is right in 80 of 100 cases."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float64

from eventssm import _checks

BINS = 15


@dataclass(frozen=True)
class Bin:
    """The recordings whose confidence is above `low` and at most `high`; means are None without any."""

    low: float
    high: float
    count: int
    confidence: float | None
    accuracy: float | None

    @property
    def gap(self) -> float | None:
        """How much more often right than sure; negative where it is too sure of itself."""
        if self.accuracy is None or self.confidence is None:
            return None
        return self.accuracy - self.confidence


@dataclass(frozen=True)
class Calibration:
    """Confidence against accuracy in bins of equal width."""

    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """Expected calibration error: `sum(count |accuracy - confidence|) / sum(count)`."""
        gaps = [b.count * abs(b.gap) for b in self.bins if b.gap is not None]
        return sum(gaps) / sum(b.count for b in self.bins)

    def record(self) -> dict[str, Any]:
        """As plain values."""
        return {"expected_error": self.error, "bins": [asdict(b) for b in self.bins]}


def calibrate(
    confidences: Float64[np.ndarray, " recording"], right: Bool[np.ndarray, " recording"], bins: int = BINS
) -> Calibration:
    """Sorts recordings by the probability of their predicted class into `bins` bins `(low, high]`."""
    _checks.check_size(bins, "bins")
    _checks.check_every((confidences >= 0) & (confidences <= 1), "confidences", "a probability", confidences)
    edges = np.linspace(0, 1, bins + 1)
    number = np.clip(np.searchsorted(edges, confidences, side="left") - 1, 0, bins - 1)
    return Calibration(
        tuple(
            _bin(float(edges[at]), float(edges[at + 1]), confidences[number == at], right[number == at])
            for at in range(bins)
        )
    )


def _bin(low: float, high: float, confidences: np.ndarray, right: np.ndarray) -> Bin:
    if not len(confidences):
        return Bin(low, high, 0, None, None)
    return Bin(low, high, len(confidences), float(confidences.mean()), float(right.mean()))
