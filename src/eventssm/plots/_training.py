"""How training went, as a picture."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from eventssm.plots._figure import INK, MUTED, OFF, ON, new_figure, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Points = Sequence[tuple[float, float]]
"""Epoch (a fraction within one) and value."""

_COLOURS = {"train": OFF, "validation": ON, "test": INK}


def plot_training(panels: Mapping[str, Mapping[str, Points]], best: int | None) -> "Figure":
    """A panel for each quantity, in it a line for each split (or other name); dotted, the `best` epoch."""
    figure = new_figure(8.6, 2.9)
    row = figure.subplots(1, max(len(panels), 1), squeeze=False)[0]
    for axes, (name, lines) in zip(row, panels.items(), strict=False):
        for split, points in lines.items():
            few = len(points) < 40
            axes.plot(
                *zip(*points, strict=True),
                color=_COLOURS.get(split, MUTED),
                alpha=1.0 if split in _COLOURS or len(lines) == 1 else 0.45,
                linewidth=1.6 if few else 0.9,
                marker="o" if few else "",
                markersize=3,
                label=split,
            )
        if best is not None:
            axes.axvline(best, color=INK, linewidth=0.8, linestyle=":")
        quiet(axes)
        axes.set_xlabel("epoch")
        axes.set_xlim(left=0)
        axes.set_title(name, loc="left", fontsize=9, color=INK)
        if len(lines) > 1:
            axes.legend(fontsize=8, frameon=False, labelcolor=INK)
    return figure
