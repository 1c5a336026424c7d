"""Events per second over time."""

from typing import TYPE_CHECKING

import numpy as np

from eventssm.plots._counts import TimeCounts
from eventssm.plots._figure import INK, OFF, ON, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BARS = 256


def draw_rate(axes: "Axes", counts: TimeCounts, names: tuple[str, ...] = ("events",)) -> None:
    """Draws the rate of each row of `counts` over seconds from the first event, one on top of the other."""
    fold = max(1, -(-counts.counts.shape[1] // _BARS))
    width = counts.width * fold / 1e6
    colours = (INK,) if len(names) == 1 else (OFF, ON)
    below = np.zeros(max(1, -(-counts.counts.shape[1] // fold)))
    edges = np.arange(len(below) + 1) * width
    for row, name, colour in zip(counts.counts, names, colours, strict=True):
        padded = np.pad(row, (0, len(below) * fold - len(row)))
        rate = padded.reshape(-1, fold).sum(axis=1) / width
        axes.stairs(below + rate, edges, baseline=below, fill=True, color=colour, label=name, linewidth=0)
        below = below + rate
    quiet(axes)
    axes.set(xlabel="seconds from the first event", ylabel="events / s")
    room = 1.05 if len(names) == 1 else 1.25
    axes.set_ylim(0, max(1.0, room * float(below.max(initial=0))))
    axes.set_xlim(0, max(float(edges[-1]), 1e-6))
    axes.yaxis.set_major_formatter(_short)
    if len(names) > 1:
        axes.legend(fontsize=8, frameon=False, ncols=2, loc="upper right", labelcolor=INK)


def _short(value: float, position: int | float | None) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g} {letter}"
    return f"{value:g}"
