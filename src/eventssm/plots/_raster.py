"""Channels over time: a dot where there was an event."""

from typing import TYPE_CHECKING

import numpy as np

from eventssm.plots._counts import TimeCounts
from eventssm.plots._figure import quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_raster(axes: "Axes", counts: TimeCounts, fold: int = 1) -> None:
    """Draws a row for every `fold` channels, the first below, darker where a cell has more events."""
    cells = counts.counts
    if not cells.size:  # no picture is of no width
        cells = np.zeros((len(cells), 1), cells.dtype)
    seconds = cells.shape[1] * counts.width / 1e6
    some = cells[cells > 0]
    dark = float(np.quantile(some, 0.99)) if some.size else 1.0
    axes.imshow(
        cells, cmap="Greys", vmin=0, vmax=max(dark, 1.0), aspect="auto", origin="lower",
        interpolation="antialiased", extent=(0, max(seconds, 1e-6), -0.5, len(cells) * fold - 0.5),
    )  # fmt: skip
    quiet(axes)
    axes.set(ylabel="channel")
