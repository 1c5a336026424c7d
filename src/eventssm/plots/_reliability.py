"""Confidence against accuracy, as a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eventssm.plots._figure import INK, MUTED, OFF, ON, new_figure, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class ReliabilityBin:
    """Recordings of similar confidence; their means are None where there are none."""

    low: float
    high: float
    count: int
    confidence: float | None
    accuracy: float | None


def plot_reliability(bins: Sequence[ReliabilityBin], title: str) -> "Figure":
    """Above, the accuracy of each bin, red where it is below the confidence; below, how many are in it."""
    figure = new_figure(4.2, 4.4)
    upper, lower = figure.subplots(2, 1, height_ratios=[3, 1], sharex=True)
    upper.plot([0, 1], [0, 1], color=MUTED, linewidth=0.9, linestyle=(0, (4, 2)))
    for b in bins:
        width = 0.9 * (b.high - b.low)
        middle = (b.low + b.high) / 2
        if b.accuracy is not None and b.confidence is not None:
            short = b.confidence > b.accuracy
            upper.bar(middle, b.accuracy, width, color=OFF, alpha=0.85, linewidth=0)
            upper.bar(
                middle, abs(b.confidence - b.accuracy), width, min(b.accuracy, b.confidence),
                color=ON if short else "none", alpha=0.35 if short else None,
                edgecolor="none" if short else "white", linewidth=0 if short else 0.9,
            )  # fmt: skip
        lower.bar(middle, b.count, width, color=MUTED, linewidth=0)
    for axes in (upper, lower):
        quiet(axes)
    upper.set(xlim=(0, 1), ylim=(0, 1.02), ylabel="accuracy")
    lower.set(xlabel="confidence: probability of the predicted class", ylabel="recordings")
    lower.set_ylim(0, 1.1 * max(1, *(b.count for b in bins)))
    lower.yaxis.get_major_locator().set_params(integer=True, nbins=3)
    upper.set_title(title, loc="left", fontsize=10, color=INK)
    return figure
