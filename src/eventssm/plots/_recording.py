"""A recording at a glance."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.plots._counts import TimeCounts
from eventssm.plots._figure import INK, new_figure
from eventssm.plots._raster import draw_raster
from eventssm.plots._rate import draw_rate
from eventssm.plots._surface import TimeSurface, draw_surface

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROWS = 1024


@runtime_checkable
class Recording(Protocol):
    """What can be gone through more than once, as an opened file can."""

    @property
    def sensor(self) -> Sensor:
        """What made the events."""

    def pieces(self) -> Iterator[Events]:
        """The events from the first on."""


def plot_recording(
    recording: Recording, title: str, *, at_ms: float | None = None, decay_ms: float = 30.0
) -> "Figure":
    """The event rate over time, with a raster of a cochlea or a time surface of a camera.

    The time surface is of `at_ms` milliseconds after the first event or, unless that is given, of the end
    of the busiest stretch; an event's colour fades by 1/e in `decay_ms`. Needs constant memory: the
    recording is gone through once, and a camera's once more as far as that moment.
    """
    _checks.check(at_ms is None or 0 <= at_ms < 1e15, "at_ms", "a time >= 0", at_ms)
    _checks.check(0 < decay_ms < 1e15, "decay_ms", "a time above 0", decay_ms)
    if recording.sensor.is_camera:
        return _plot_camera(recording, title, at_ms, decay_ms)
    return _plot_channels(recording, title)


def _plot_camera(recording: Recording, title: str, at_ms: float | None, decay_ms: float) -> "Figure":
    sensor = recording.sensor
    counts = TimeCounts(rows=2)
    for piece in recording.pieces():
        counts.add(piece.t, piece.p.astype(np.int64))
    if at_ms is None:
        busiest = int(counts.counts.sum(axis=0).argmax()) if counts.counts.size else 0
        at = counts.start + (busiest + 1) * counts.width
    else:
        at = counts.start + round(at_ms * 1000)
    surface = TimeSurface(sensor)
    for piece in recording.pieces():
        if piece.t[0] > at:
            break
        surface.add(piece.between(int(piece.t[0]), at + 1))

    ratio = (sensor.height or 1) / (sensor.width or 1)
    figure = new_figure(8.0, min(max(6.6 * ratio, 2.5), 9.0) + 2.4)
    upper, lower = figure.subplots(2, 1, height_ratios=[max(6.6 * ratio, 2.5), 1.8])
    since = (at - counts.start) / 1e6
    said = f"last event of each pixel at {since:.4g} s, fading in {decay_ms:g} ms"
    draw_surface(upper, surface.at(at, decay_ms * 1000), said)
    draw_rate(lower, counts, ("OFF", "ON"))
    lower.axvline(since, color=INK, linewidth=0.8, linestyle=":")
    figure.suptitle(title, fontsize=11, color=INK, x=0.01, ha="left")
    return figure


def _plot_channels(recording: Recording, title: str) -> "Figure":
    channels = recording.sensor.channels
    fold = -(-channels // _ROWS)
    counts = TimeCounts(rows=-(-channels // fold))
    total = TimeCounts()
    for piece in recording.pieces():
        counts.add(piece.t, piece.channel // fold)
        total.add(piece.t)
    figure = new_figure(8.0, 6.4)
    upper, lower = figure.subplots(2, 1, height_ratios=[3, 1], sharex=True)
    draw_raster(upper, counts, fold)
    draw_rate(lower, total)
    figure.suptitle(title, fontsize=11, color=INK, x=0.01, ha="left")
    return figure
