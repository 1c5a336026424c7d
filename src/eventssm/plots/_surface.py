"""Time surface of a camera: each pixel's last event, fading with its age."""

from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float64

from eventssm.events import Events, Sensor
from eventssm.plots._figure import INK, OFF, ON, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NEVER = -(2**62)


class TimeSurface:
    """Last time and polarity of every pixel."""

    def __init__(self, sensor: Sensor) -> None:
        shape = (sensor.height or 0, sensor.width or 0)
        self._t = np.full(shape, _NEVER, np.int64)
        self._p = np.zeros(shape, np.bool_)

    def add(self, events: Events) -> None:
        """Takes in events that follow those before; of several at one pixel the last stays."""
        self._t[events.y, events.x] = events.t
        self._p[events.y, events.x] = events.p

    def at(self, t: int, decay: float) -> Float64[np.ndarray, "row column"]:
        """`exp(-age / decay)` of every pixel at time `t` in microseconds, negative where it was OFF."""
        value = np.exp(-np.maximum(t - self._t, 0) / decay) * (self._t != _NEVER)
        return np.where(self._p, value, -value)


def draw_surface(axes: "Axes", surface: Float64[np.ndarray, "row column"], title: str) -> None:
    """Draws a time surface, ON and OFF in two colours that fade to white."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("polarity", [OFF, "white", ON])
    image = axes.imshow(surface, cmap=colours, vmin=-1, vmax=1, interpolation="nearest")
    quiet(axes)
    axes.set(xlabel="x (pixels)", ylabel="y (pixels)")
    axes.set_title(title, fontsize=9, color=INK, loc="left")
    figure = axes.get_figure()
    assert figure is not None
    bar = figure.colorbar(image, ax=axes, ticks=[-1, 0, 1], fraction=0.035, pad=0.02)
    bar.ax.set_yticklabels(["OFF, now", "long ago", "ON, now"], fontsize=8, color=INK)
    bar.outline.set_visible(False)
