"""A figure in the style of all pictures here, and its PNG."""

from pathlib import Path
from typing import TYPE_CHECKING

from eventssm import _checks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ON, OFF, INK, MUTED = "#d1495b", "#2e6f9e", "#22303c", "#6b7a88"
"""Colours: of ON and OFF events, of what is said, and of what stands back."""


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure of this size in inches, whose parts find room beside each other."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=150, layout="constrained", facecolor="white")


def quiet(axes: "Axes") -> None:
    """Axes that stand back: no upper and right line, small grey ticks."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(MUTED)
    axes.tick_params(colors=MUTED, labelsize=8)
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set(color=INK, fontsize=9)


def check_place(path: Path) -> None:
    """Refuse a place where no picture can be, before there is one."""
    _checks.check(path.suffix.lower() == ".png", "suffix", "'.png'", repr(path.suffix))
    _checks.check(path.parent.is_dir(), "folder", "one that exists", repr(str(path.parent)))


def save(figure: "Figure", path: Path) -> None:
    """Writes the figure as a PNG, whole or not at all."""
    from eventssm.files import replacing

    check_place(path)
    with _checks.about(path), replacing(path) as part:
        figure.savefig(part, format="png")
