"""Augmentations by name and number, in the published recipes' order."""

from dataclasses import dataclass

from eventssm import _checks
from eventssm.transforms import (
    ChannelJitter,
    ChannelShift,
    ChunkDrop,
    EventDrop,
    Flip,
    Roll,
    Rotate,
    Scale,
    SpatialJitter,
    TimeJitter,
    TimeSkew,
    Transform,
    UniformNoise,
)


@dataclass(frozen=True, kw_only=True)
class AugmentConfig:
    """What is done to training recordings, in this order; what is left as it is here is not done.

    The last six are for cameras, `channel_jitter` and `channel_shift` for sensors without pixels.
    """

    event_drop: float = 0.0
    """Probability that an event is left out."""
    chunk_drop: float = 0.0
    """Longest share of the events that may be left out in one stretch."""
    chunk_drop_probability: float = 0.3
    channel_shift: int = 0
    """Most channels that a whole recording is moved by, as another voice would."""
    channel_jitter: float = 0.0
    """Standard deviation, in channels, of every event's own movement."""
    time_skew: float = 1.0
    """Most that a recording is made longer or shorter, as a factor."""
    time_jitter: float = 0.0
    """Standard deviation, in microseconds, of every event's time."""
    noise: int = 0
    """Most events that are added, evenly over time and channels."""
    spatial_jitter: float = 0.0
    """Standard deviation, in pixels, of every event's own movement in x and in y."""
    roll: int = 0
    """Most pixels that the whole picture is moved by."""
    rotate: float = 0.0
    """Most degrees that the picture is turned by."""
    scale: float = 1.0
    """Most that the picture is enlarged or made smaller, as a factor."""
    geometry_probability: float = 0.3
    """Probability of each of roll, rotate and scale."""
    flip_horizontal: float = 0.0
    """Probability that left and right change places."""
    cut_mix: float = 0.0
    """Probability that a recording has a stretch replaced by one of another, and a mixed label."""

    def __post_init__(self) -> None:
        self._all()
        _checks.check(0 <= self.cut_mix <= 1, "cut_mix", "0 <= cut_mix <= 1", self.cut_mix)

    def transforms(self) -> tuple[Transform, ...]:
        """Those that do something."""
        return tuple(transform for given, transform in self._all() if given)

    def _all(self) -> list[tuple[bool, Transform]]:
        """Whether each is asked for, and the transform, which checks its numbers."""
        chance = self.geometry_probability
        with_name = _checks.about
        made: list[tuple[bool, Transform]] = []
        with with_name("event_drop"):
            made.append((self.event_drop > 0, EventDrop(self.event_drop)))
        with with_name("chunk_drop"):
            made.append((self.chunk_drop > 0, ChunkDrop(self.chunk_drop, self.chunk_drop_probability)))
        with with_name("channel_shift"):
            made.append((self.channel_shift > 0, ChannelShift(self.channel_shift)))
        with with_name("channel_jitter"):
            made.append((self.channel_jitter > 0, ChannelJitter(self.channel_jitter)))
        with with_name("time_skew"):
            made.append((self.time_skew > 1, TimeSkew(self.time_skew)))
        with with_name("time_jitter"):
            made.append((self.time_jitter > 0, TimeJitter(self.time_jitter)))
        with with_name("spatial_jitter"):
            made.append((self.spatial_jitter > 0, SpatialJitter(self.spatial_jitter)))
        with with_name("roll"):
            made.append((self.roll > 0, Roll(self.roll, chance)))
        with with_name("rotate"):
            made.append((self.rotate > 0, Rotate(self.rotate, chance)))
        with with_name("scale"):
            made.append((self.scale > 1, Scale(self.scale, chance)))
        with with_name("flip_horizontal"):
            made.append((self.flip_horizontal > 0, Flip(self.flip_horizontal)))
        with with_name("noise"):
            made.append((self.noise > 0, UniformNoise(self.noise)))
        return made
