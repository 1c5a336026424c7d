"""How many events the recordings of each class have: the paper's figure of its largest data set."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from eventssm.plots._figure import INK, MUTED, OFF, new_figure, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROW = 0.28


def plot_events_per_class(
    lengths: np.ndarray, labels: np.ndarray, classes: Sequence[str], title: str
) -> "Figure":
    """A row for each class: a dot for each recording, a box over the middle half, a line at the median."""
    figure = new_figure(6.4, 1.3 + _ROW * len(classes))
    axes = figure.subplots()
    rng = np.random.default_rng(0)
    for label in range(len(classes)):
        found = lengths[labels == label]
        row = len(classes) - 1 - label
        spread = row + rng.uniform(-0.28, 0.28, len(found))
        axes.plot(found, spread, ".", color=OFF, markersize=2.5, alpha=0.35, markeredgewidth=0)
        if len(found):
            lower, median, upper = np.quantile(found, [0.25, 0.5, 0.75])
            axes.barh(row, upper - lower, 0.62, lower, facecolor="none", edgecolor=INK, linewidth=0.9)
            axes.plot([median, median], [row - 0.31, row + 0.31], color=INK, linewidth=1.6)
    if len(lengths):
        axes.axvline(float(np.median(lengths)), color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
    quiet(axes)
    axes.set_yticks(range(len(classes)), list(reversed(classes)))
    axes.set_ylim(-0.7, len(classes) - 0.3)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("events of a recording")
    axes.set_title(title, loc="left", fontsize=10, color=INK)
    return figure
