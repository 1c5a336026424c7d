"""A recording as a small picture without axes, clear on light and on dark pages."""

import io

import numpy as np
from jaxtyping import UInt8

from eventssm.events import Events
from eventssm.plots._figure import OFF, ON

_WIDTH, _HEIGHT = 240, 70
_SIDE = 240


def thumbnail(events: Events) -> UInt8[np.ndarray, "row column 4"]:
    """Channels over time (the first below) or, of a camera, pixels: blue for OFF, red for ON, none is clear.

    Alpha grows with the events in a cell, up to the deepest twentieth.
    """
    if events.sensor.is_camera:
        return _camera(events)
    rows = min(_HEIGHT, events.sensor.channels)
    column = _scaled(events.t - events.t[:1], max(events.duration, 1) + 1, _WIDTH)
    row = rows - 1 - _scaled(events.channel.astype(np.int64), events.sensor.channels, rows)
    return _painted(_counts(row, column, rows, _WIDTH), OFF)


def png(image: UInt8[np.ndarray, "row column 4"]) -> bytes:
    """The picture as a PNG."""
    from matplotlib.image import imsave

    buffer = io.BytesIO()
    imsave(buffer, image, format="png")
    return buffer.getvalue()


def _camera(events: Events) -> np.ndarray:
    width, height = events.sensor.width or 1, events.sensor.height or 1
    columns, rows = min(width, _SIDE), min(height, _SIDE)
    x, y = (
        _scaled(events.x.astype(np.int64), width, columns),
        _scaled(events.y.astype(np.int64), height, rows),
    )
    on, off = (_counts(y[which], x[which], rows, columns) for which in (events.p, ~events.p))
    more = (on > off)[..., None]
    return np.where(more, _painted(on, ON), _painted(off, OFF))


def _scaled(values: np.ndarray, size: int, cells: int) -> np.ndarray:
    return values * cells // size


def _counts(row: np.ndarray, column: np.ndarray, rows: int, columns: int) -> np.ndarray:
    return np.bincount(row * columns + column, minlength=rows * columns).reshape(rows, columns)


def _painted(counts: np.ndarray, colour: str) -> np.ndarray:
    some = counts[counts > 0]
    deep = max(float(np.quantile(some, 0.95)), 1.0) if some.size else 1.0
    image = np.zeros((*counts.shape, 4), np.uint8)
    image[..., :3] = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    depth = np.clip(counts / deep, 0, 1)
    image[..., 3] = np.where(counts > 0, 80 + 175 * depth, 0).astype(np.uint8)
    return image
