"""What made the events, and the one address of each of its channels."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int32, Integer, UInt16

from eventssm import _checks

_MAX_SIDE = 2**16
_MAX_CHANNELS = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Sensor:
    """A camera (`width`, `height`, `polarities`) or a cochlea (`channels`).

    A camera's channels are numbered `x + width * (y + height * p)`: row by row, first the pixels' OFF
    events (`p` false), then their ON events. The numbering is one to one. A camera of one polarity has
    only `p` false.
    """

    name: str
    width: int | None = None
    height: int | None = None
    polarities: int | None = None
    channels: int = 0

    def __post_init__(self) -> None:
        if self.width is None and self.height is None:
            _checks.check(
                self.polarities is None, "polarities", "none without width and height", self.polarities
            )
            _checks.check_size(self.channels, "channels")
        else:
            _checks.check_size(self.width, "width")
            _checks.check_size(self.height, "height")
            _checks.check(self._width <= _MAX_SIDE, "width", f"at most {_MAX_SIDE}", self.width)
            _checks.check(self._height <= _MAX_SIDE, "height", f"at most {_MAX_SIDE}", self.height)
            polarities = 2 if self.polarities is None else self.polarities
            _checks.check(polarities in (1, 2), "polarities", "1 or 2", polarities)
            count = self._width * self._height * polarities
            _checks.check(
                self.channels in (0, count),
                "channels",
                f"{count} = width x height x polarities",
                self.channels,
            )
            object.__setattr__(self, "polarities", polarities)
            object.__setattr__(self, "channels", count)
        _checks.check(self.channels <= _MAX_CHANNELS, "channels", f"at most {_MAX_CHANNELS}", self.channels)

    @property
    def is_camera(self) -> bool:
        """Whether events have pixels and a polarity."""
        return self.width is not None

    @property
    def shape(self) -> tuple[int | None, int | None, int]:
        """Width, height and channels: what two sensors share whose events can be mixed."""
        return self.width, self.height, self.channels

    def address(
        self,
        x: Integer[np.ndarray, " event"],
        y: Integer[np.ndarray, " event"],
        p: Bool[np.ndarray, " event"],
    ) -> Int32[np.ndarray, " event"]:
        """The channel of each `(x, y, p)`."""
        shapes = [np.shape(column) for column in (x, y, p)]
        _checks.check(len(set(shapes)) == 1, "x, y, p", "columns of one shape", shapes)
        self.check_pixels(x, y, p)
        row = y.astype(np.int32) + self._height * p.astype(np.int32)
        return x.astype(np.int32) + self._width * row

    def coordinates(
        self, channel: Integer[np.ndarray, " event"]
    ) -> tuple[UInt16[np.ndarray, " event"], UInt16[np.ndarray, " event"], Bool[np.ndarray, " event"]]:
        """The `(x, y, p)` of each channel: the inverse of `address`."""
        _check_whole(channel, "channel")
        _checks.check_range(channel, self.channels, "channel")
        row, x = np.divmod(channel, self._width)
        p, y = np.divmod(row, self._height)
        return x.astype(np.uint16), y.astype(np.uint16), p.astype(np.bool_)

    def check_pixels(self, x: np.ndarray, y: np.ndarray, p: np.ndarray) -> None:
        """Refuse coordinates that this camera does not have."""
        for name, column in (("x", x), ("y", y)):
            _check_whole(column, name)
        _checks.check_range(x, self._width, "x")
        _checks.check_range(y, self._height, "y")
        _checks.check_every((p == 0) | (p == 1), "p", "False or True", p)
        if self.polarities == 1:
            _checks.check_every(p == 0, "p", "False on a camera of one polarity", p)

    @property
    def _width(self) -> int:
        if self.width is None:
            _checks.refuse(f"sensor {self.name!r}", "a camera", "a sensor without pixels")
        return self.width

    @property
    def _height(self) -> int:
        if self.height is None:
            _checks.refuse(f"sensor {self.name!r}", "a camera", "a sensor without pixels")
        return self.height


def _check_whole(column: np.ndarray, name: str) -> None:
    whole = isinstance(column, np.ndarray) and np.issubdtype(column.dtype, np.integer)
    _checks.check(whole, name, "an array of whole numbers", getattr(column, "dtype", type(column).__name__))
