"""Accuracy over events seen and over time, as a picture."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from eventssm.plots._figure import INK, MUTED, OFF, new_figure, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class AnytimeLines(NamedTuple):
    """Shares of all recordings at some moments: said right, having a prediction, over."""

    at: np.ndarray
    accuracy: np.ndarray
    predicted: np.ndarray
    ended: np.ndarray


def plot_anytime(
    over_events: AnytimeLines,
    over_ms: AnytimeLines,
    interval: tuple[float, float],
    chance: float,
    title: str,
) -> "Figure":
    """Two panels: over events and over milliseconds. `interval` is that of the accuracy at the end."""
    figure = new_figure(8.6, 3.5)
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, lines, name in ((left, over_events, "events seen"), (right, over_ms, "milliseconds")):
        _draw(axes, lines, interval, chance)
        axes.set_xlabel(
            f"{name}, from the recording's first on" if axes is left else "ms from the first event on"
        )
    left.set_ylabel("share of all recordings")
    figure.legend(
        *left.get_legend_handles_labels(),
        loc="outside lower center",
        ncols=4,
        fontsize=8,
        frameon=False,
        labelcolor=INK,
    )
    left.set_title(title, loc="left", fontsize=10, color=INK)
    return figure


def _draw(axes: "Axes", lines: AnytimeLines, interval: tuple[float, float], chance: float) -> None:
    end = max(float(lines.at[-1]), 1.0)
    axes.fill_between(
        lines.at, 0, lines.ended, step="post", color=MUTED, alpha=0.15, linewidth=0, label="ended"
    )
    axes.step(
        lines.at, lines.predicted, where="post", color=MUTED, linewidth=1, linestyle=(0, (4, 2)),
        label="with a prediction",
    )  # fmt: skip
    axes.axhspan(*interval, color=OFF, alpha=0.2, linewidth=0, label="accuracy at the end, 95 % interval")
    axes.axhline(chance, color=MUTED, linewidth=0.8, linestyle=":")
    axes.step(lines.at, lines.accuracy, where="post", color=OFF, linewidth=1.8, label="right")
    quiet(axes)
    axes.set(xlim=(0, end), ylim=(0, 1.02))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_formatter(_percent)


def _percent(value: float, position: object) -> str:
    return f"{100 * value:.0f} %"
