"""Over which times a model's states remember and swing, as a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from eventssm.plots._figure import INK, MUTED, OFF, new_figure, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW, _BINS = 0.72, 40


@dataclass(frozen=True)
class ScaleRow:
    """A layer's time constants and periods; those at the start of training where they are known."""

    name: str
    constants: np.ndarray
    periods: np.ndarray
    first_constants: np.ndarray | None = None
    first_periods: np.ndarray | None = None


def plot_time_scales(rows: Sequence[ScaleRow], unit: str) -> "Figure":
    """Histograms over logarithmic time, a row for each layer: filled as learnt, in outline as at first."""
    figure = new_figure(8.6, 1.0 + _ROW * len(rows))
    grid = figure.subplots(len(rows), 2, sharex="col", squeeze=False)
    for column, (learnt, first, title) in enumerate(
        (
            ("constants", "first_constants", f"time constant ({unit})"),
            ("periods", "first_periods", f"period of oscillation ({unit})"),
        )
    ):
        known = [getattr(row, name) for row in rows for name in (learnt, first)]
        edges = _edges([values for values in known if values is not None])
        for axes, row in zip(grid[:, column], rows, strict=True):
            _draw(axes, edges, getattr(row, learnt), getattr(row, first))
            if column == 0:
                axes.set_ylabel(row.name, rotation=0, ha="right", va="center", labelpad=6)
        grid[0, column].set_title(title, loc="left", fontsize=9, color=INK)
    handles, names = grid[0, 0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside lower center", ncols=2, fontsize=8, frameon=False, labelcolor=INK
    )
    return figure


def _draw(axes: "Axes", edges: np.ndarray, learnt: np.ndarray, first: np.ndarray | None) -> None:
    from matplotlib.ticker import LogLocator

    axes.stairs(np.histogram(learnt, edges)[0], edges, fill=True, color=OFF, alpha=0.85, label="learnt")
    if first is not None:
        counts = np.histogram(first, edges)[0]
        axes.stairs(counts, edges, color=MUTED, linewidth=1.1, label="at the start")
    axes.set_xscale("log")
    axes.set_xlim(edges[0], edges[-1])
    quiet(axes)
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
    axes.xaxis.set_major_formatter(_plain)
    axes.minorticks_off()
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0,) if edges[-1] > 1000 * edges[0] else (1.0, 2.0, 5.0)))


def _edges(known: Sequence[np.ndarray]) -> np.ndarray:
    values = np.concatenate([np.zeros(0), *known])
    low, high = (values.min(), values.max()) if len(values) else (1.0, 10.0)
    return np.geomspace(low / 1.1, high * 1.1, _BINS + 1)


def _plain(value: float, position: object) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
