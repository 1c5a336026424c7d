"""Which class was taken for which, as a picture."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from eventssm.plots._figure import INK, MUTED, OFF, ON, new_figure, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NUMBERS, _NAMES = 24, 48


def plot_confusion(matrix: np.ndarray, classes: Sequence[str], title: str) -> "Figure":
    """A cell for each true (row) and predicted class (column), deeper the larger its share of the row.

    What was right is blue, mistakes are red. Up to 24 classes have their counts written in, up to 48 names.
    """
    from matplotlib.collections import PatchCollection
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    count = len(classes)
    side = min(max(3.4, 1.2 + 0.42 * count), 9.0)
    figure = new_figure(side + 0.4, side)
    axes = figure.subplots()
    share = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    cells, colours = [], []
    for true, said in zip(*np.nonzero(matrix), strict=True):
        cells.append(Rectangle((said - 0.47, true - 0.47), 0.94, 0.94))
        depth = float(np.sqrt(share[true, said]))
        colours.append((*to_rgb(OFF if true == said else ON), 0.08 + 0.92 * depth))
        if count <= _NUMBERS:
            colour = "white" if depth > 0.7 else INK
            axes.text(said, true, f"{matrix[true, said]}", color=colour, fontsize=8, ha="center", va="center")
    if cells:
        axes.add_collection(PatchCollection(cells, facecolors=colours, linewidths=0, match_original=False))
    quiet(axes)
    every = 1 if count <= _NAMES else -(-count // _NAMES)
    ticks = range(0, count, every)
    names = [classes[at] for at in ticks]
    long = max(map(len, names)) > 3
    axes.set_xticks(ticks, names, rotation=45 if long else 0, ha="right" if long else "center")
    axes.set_yticks(ticks, names)
    axes.set(
        xlim=(-0.5, count - 0.5), ylim=(count - 0.5, -0.5), aspect="equal", xlabel="predicted", ylabel="true"
    )
    axes.tick_params(length=0, labelcolor=INK if count <= _NUMBERS else MUTED)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(title, loc="left", fontsize=10, color=INK)
    return figure
