"""Checked copies of the columns that a caller hands in."""

import numpy as np
from numpy.typing import ArrayLike

from eventssm import _checks
from eventssm.events._sensor import Sensor


def times(values: ArrayLike) -> np.ndarray:
    """Int64 microseconds, not negative and never decreasing."""
    t = whole_numbers(values, "t").astype(np.int64)
    if len(t):
        _checks.check(bool(t[0] >= 0), "t[0]", "a time >= 0", t[0])
    later = t[1:] >= t[:-1]
    if not later.all():
        index = int(np.argmin(later)) + 1
        _checks.refuse(f"t[{index}]", f"a time >= t[{index - 1}] = {t[index - 1]}", t[index])
    return t


def channels(values: ArrayLike, limit: int) -> np.ndarray:
    """Int32 channels of a sensor that has `limit` of them."""
    channel = whole_numbers(values, "channel")
    _checks.check_range(channel, limit, "channel")
    return channel.astype(np.int32)


def pixels(x: ArrayLike, y: ArrayLike, p: ArrayLike, sensor: Sensor) -> tuple[np.ndarray, ...]:
    """Uint16 coordinates and boolean polarities on `sensor`."""
    columns, rows, polarity = whole_numbers(x, "x"), whole_numbers(y, "y"), whole_numbers(p, "p")
    _checks.check_every((polarity == 0) | (polarity == 1), "p", "0 or 1", polarity)
    sensor.check_pixels(columns, rows, polarity.astype(np.bool_))
    return columns.astype(np.uint16), rows.astype(np.uint16), polarity.astype(np.bool_)


def check_length(column: np.ndarray, t: np.ndarray, name: str) -> None:
    """Refuse a column that is not as long as `t`."""
    _checks.check(len(column) == len(t), name, f"{len(t)} values, as many as t", len(column))


def whole_numbers(values: ArrayLike, name: str) -> np.ndarray:
    """One axis of whole numbers; floats pass where they are whole, so that NaN and fractions do not."""
    array = np.asarray(values)
    if array.size == 0 and array.ndim == 1:
        return array.astype(np.int64)
    _checks.check(array.ndim == 1, name, "one axis", f"shape {array.shape}")
    if array.dtype.kind == "f":
        _checks.check_every(np.isfinite(array), name, "a finite number", array)
        _checks.check_every(array == np.floor(array), name, "a whole number", array)
        _checks.check_every(np.abs(array) < 2.0**63, name, "a number below 2^63", array)
        return array.astype(np.int64)
    _checks.check(array.dtype.kind in "iub", name, "whole numbers", f"dtype {array.dtype}")
    if array.dtype == np.uint64:
        _checks.check_every(array < np.uint64(2**63), name, "a number below 2^63", array)
        return array.astype(np.int64)
    return array
