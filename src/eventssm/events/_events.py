"""One finite stream of events, as immutable columns."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float32, Int32, Int64, UInt16

from eventssm import _checks
from eventssm.events import _columns
from eventssm.events._sensor import Sensor
from eventssm.events._time import gaps_ms

Column = np.ndarray | Sequence[int] | Sequence[float] | Sequence[bool]

_SLOTS = ("_t", "_x", "_y", "_p", "_channel")


class Events:
    """A recording: times in int64 microseconds, channels, and the sensor that they are of.

    Camera events have columns `t`, `x`, `y`, `p`; others `t` and `channel`. Every event of a camera has a
    `channel` too, its address on the sensor. Columns cannot be written to; slices are views.
    """

    __slots__ = ("_channel", "_p", "_t", "_x", "_y", "sensor")

    sensor: Sensor

    def __init__(
        self,
        sensor: Sensor,
        *,
        t: Column,
        x: Column | None = None,
        y: Column | None = None,
        p: Column | None = None,
        channel: Column | None = None,
    ) -> None:
        """Copy and check the columns: `t` with `x`, `y`, `p` or with `channel`."""
        self.sensor = sensor
        self._t = _columns.times(t)
        self._x = self._y = self._p = self._channel = None
        if channel is not None:
            given = [name for name, column in (("x", x), ("y", y), ("p", p)) if column is not None]
            _checks.check(not given, "columns", "t and channel, or t, x, y and p", f"channel and {given}")
            self._channel = _columns.channels(channel, sensor.channels)
            _columns.check_length(self._channel, self._t, "channel")
            if sensor.is_camera:
                self._x, self._y, self._p = sensor.coordinates(self._channel)
                self._channel = None
        elif x is not None and y is not None and p is not None:
            _checks.check(sensor.is_camera, f"sensor {sensor.name!r}", "a camera for x, y, p", "no pixels")
            self._x, self._y, self._p = _columns.pixels(x, y, p, sensor)
            for name, column in (("x", self._x), ("y", self._y), ("p", self._p)):
                _columns.check_length(column, self._t, name)
        else:
            given = [name for name, column in (("x", x), ("y", y), ("p", p)) if column is not None]
            _checks.refuse("columns", "t and channel, or t, x, y and p", f"t and {given or 'nothing else'}")
        for kept in (self._t, self._x, self._y, self._p, self._channel):
            if kept is not None:
                kept.flags.writeable = False

    @classmethod
    def from_structured(cls, array: np.ndarray, sensor: Sensor) -> "Events":
        """Events of a structured array with fields `t`, `x`, `y`, `p`, as tonic and faery have them.

        For a sensor without pixels: fields `t` and `channel`, or tonic's `t`, `x`, `p` with the channel
        in `x`. Other fields are left alone.
        """
        names = array.dtype.fields  # titles too, under which faery keeps the polarity
        if names is None:
            _checks.refuse("array", "a structured array with a field t", f"dtype {array.dtype}")
        if sensor.is_camera:
            wanted = ["t", "x", "y", "p"]
        else:
            wanted = ["t", "channel"] if "channel" in names else ["t", "x"]
        for name in wanted:
            _checks.check(name in names, "array", f"fields {', '.join(wanted)}", f"fields {', '.join(names)}")
        if sensor.is_camera:
            return cls(sensor, t=array["t"], x=array["x"], y=array["y"], p=array["p"])
        return cls(sensor, t=array["t"], channel=array[wanted[1]])

    def to_structured(self) -> np.ndarray:
        """A structured array with fields `t`, `x`, `y`, `p`, or `t` and `channel`."""
        if self.sensor.is_camera:
            columns = {"t": self._t, "x": self.x, "y": self.y, "p": self.p}
        else:
            columns = {"t": self._t, "channel": self.channel}
        array = np.empty(len(self), dtype=[(name, column.dtype) for name, column in columns.items()])
        for name, column in columns.items():
            array[name] = column
        return array

    @classmethod
    def join(cls, sensor: Sensor, pieces: Sequence["Events"]) -> "Events":
        """The pieces of one recording, one after the other; each must start no earlier than the last ends."""
        for number, piece in enumerate(pieces):
            _checks.check(
                piece.sensor.shape == sensor.shape,
                f"pieces[{number}]",
                f"events of {sensor.name!r}",
                f"of {piece.sensor.name!r}",
            )
        filled = [piece for piece in pieces if len(piece)]
        for before, after in itertools.pairwise(filled):
            _checks.check(
                bool(before._t[-1] <= after._t[0]), "pieces", f"a time >= {before._t[-1]}", after._t[0]
            )
        if not filled:
            none = np.zeros(0, np.int64)
            return cls(sensor, t=none, channel=none)
        columns = zip(*(piece._kept for piece in filled), strict=True)
        return cls.trusted(sensor, *(None if c[0] is None else np.concatenate(c) for c in columns))

    @classmethod
    def trusted(
        cls,
        sensor: Sensor,
        t: np.ndarray | None,
        x: np.ndarray | None = None,
        y: np.ndarray | None = None,
        p: np.ndarray | None = None,
        channel: np.ndarray | None = None,
    ) -> "Events":
        """Events of columns known to be right and of the right types: not checked, not copied, locked."""
        events = object.__new__(cls)
        events.sensor = sensor
        for name, column in zip(_SLOTS, (t, x, y, p, channel), strict=True):
            if column is not None:
                column.flags.writeable = False
            setattr(events, name, column)
        return events

    @property
    def _kept(self) -> tuple[np.ndarray | None, ...]:
        return self._t, self._x, self._y, self._p, self._channel

    @property
    def t(self) -> Int64[np.ndarray, " event"]:
        """Times in microseconds, never decreasing."""
        return self._t

    @property
    def x(self) -> UInt16[np.ndarray, " event"]:
        """Columns of the pixels."""
        return self._pixel(self._x)

    @property
    def y(self) -> UInt16[np.ndarray, " event"]:
        """Rows of the pixels."""
        return self._pixel(self._y)

    @property
    def p(self) -> Bool[np.ndarray, " event"]:
        """Polarities: true is ON, the light grew."""
        return self._pixel(self._p)

    @property
    def channel(self) -> Int32[np.ndarray, " event"]:
        """The channel of each event: for a camera `address(x, y, p)`, computed at each call."""
        if self._channel is None:
            return self.sensor.address(self.x, self.y, self.p)
        return self._channel

    @property
    def duration(self) -> int:
        """Microseconds from the first event to the last; 0 for none."""
        return int(self._t[-1] - self._t[0]) if len(self) else 0

    def gaps_ms(self, previous: int | None = None) -> Float32[np.ndarray, " event"]:
        """The gap before each event in milliseconds; see `eventssm.gaps_ms`."""
        return gaps_ms(self._t, previous)

    def between(self, start: int, stop: int) -> "Events":
        """A view of the events with `start <= t < stop`, both in microseconds."""
        _checks.check(start <= stop, "stop", f"a time not before start = {start}", stop)
        first, last = np.searchsorted(self._t, [start, stop], side="left")
        return self[int(first) : int(last)]

    def __getitem__(self, index: slice) -> "Events":
        """A view of the events `start:stop`, or of every n-th with `start:stop:n`."""
        _checks.check(isinstance(index, slice), "index", "a slice such as events[10:20]", repr(index))
        _checks.check(index.step is None or index.step > 0, "index step", "a positive number", index.step)
        return self.trusted(self.sensor, *(None if c is None else c[index] for c in self._kept))

    def __len__(self) -> int:
        return len(self._t)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Events):
            return NotImplemented
        pairs = zip(self._kept, other._kept, strict=True)
        return self.sensor == other.sensor and all(
            one is two if one is None or two is None else np.array_equal(one, two) for one, two in pairs
        )

    def __repr__(self) -> str:
        return f"Events({len(self):,} events in {self.duration / 1e6:.6g} s, {self.sensor.name!r})"

    def _pixel(self, column: np.ndarray | None) -> np.ndarray:
        if column is None:
            _checks.refuse(f"sensor {self.sensor.name!r}", "a camera", "a sensor without pixels")
        return column

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.sensor, *self._kept)


def _rebuild(
    cls: type[Events],
    sensor: Sensor,
    t: np.ndarray,
    x: np.ndarray | None,
    y: np.ndarray | None,
    p: np.ndarray | None,
    channel: np.ndarray | None,
) -> Events:
    return cls(sensor, t=t, x=x, y=y, p=p, channel=channel)
