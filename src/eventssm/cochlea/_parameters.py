"""What the chain is made of: every constant with its default; docs/design/cochlea.md has the sources."""

import math
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from eventssm import _checks
from eventssm.events import Sensor
from eventssm.files import cochlea as numbered_channels

Wave = Literal["published", "forward"]

LENGTH = 0.035
"""The membrane from stapes to helicotrema, in metres."""
FEWEST_SECTIONS = 700
_MOST_CHANNELS = 10_000
_RATES = (16_000, 384_000)


def check_positive(value: Any, name: str, least: float = 0.0) -> None:
    """Refuse what is not a finite number above `least`."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    ok = number and least < value < math.inf
    _checks.check(ok, name, f"a finite number > {least:g}", repr(value))


@dataclass(frozen=True)
class Membrane:
    """A fluid-filled channel, cut in two along its length by a membrane of falling stiffness.

    At `x` metres from the stapes the membrane has stiffness `stiffness * exp(-decay * x)` and damping
    `damping * exp(-decay * x / 2)`; its mass is everywhere the same. All three are per area.
    """

    stiffness: float = 1e10
    """At the stapes, in Pa / m."""
    decay: float = 300.0
    """Of the stiffness, per metre."""
    damping: float = 5e3
    """At the stapes, in Pa s / m."""
    mass: float = 0.5
    """In kg / m^2."""
    height: float = 1e-3
    """Of the fluid on either side, in metres."""
    density: float = 1e3
    """Of the fluid, in kg / m^3."""

    def __post_init__(self) -> None:
        _check_all_positive(self)


@dataclass(frozen=True)
class HairCell:
    """Transmitter that goes from a pool into the cleft, and back by way of a store (medium spontaneous rate).

    A displacement `s` opens the pool by `release * (s + a) / (s + a + b)` per second, and not at all where
    `s + a` is negative. All but `a` and `b` are per second.
    """

    a: float = 10.0
    """Openness at rest, in units of `s`."""
    b: float = 3000.0
    """Half-saturation, in units of `s`."""
    release: float = 1000.0
    """From the pool into the cleft when wide open (g)."""
    replenish: float = 5.05
    """Into the pool, by new transmitter (y)."""
    loss: float = 2500.0
    """From the cleft, for good (l)."""
    reprocess: float = 66.31
    """From the store into the pool (x)."""
    recover: float = 6580.0
    """From the cleft into the store (r)."""
    firing: float = 50_000.0
    """Of a fibre that is ready, for all the transmitter in the cleft (h)."""

    def __post_init__(self) -> None:
        _check_all_positive(self)


@dataclass(frozen=True)
class BushyCell:
    """A leaky integrate-and-fire cell that counts the spikes of its fibres."""

    fibres: int = 40
    """That converge on the cell."""
    fibre_rest_ms: float = 1.0
    """A fibre's time to be ready again."""
    decay_ms: float = 1.25
    """Time constant of the leak."""
    weight: float = 0.26
    """Of one spike, where the threshold is 1."""
    rest_ms: float = 1.0
    """The cell's time to be ready again; what its fibres send meanwhile is lost."""

    def __post_init__(self) -> None:
        _checks.check_size(self.fibres, "fibres")
        _checks.check(self.fibres <= 250, "fibres", "at most 250", self.fibres)
        _check_all_positive(self)
        for name in ("fibre_rest_ms", "rest_ms"):
            value = getattr(self, name)
            _checks.check(value <= 100.0, name, "at most 100 ms", value)


@dataclass(frozen=True)
class Cochlea:
    """From sound to events: `channels` places along a membrane, each with hair cells and a bushy cell.

    Channel 0 is next to the stapes and hears the highest tones; the last one hears the lowest.
    """

    channels: int = 700
    """Places, evenly along the membrane."""
    rate: int = 48_000
    """Steps a second; sound of another rate is resampled."""
    rms: float = 0.3
    """That a recording is scaled to."""
    ramp_ms: float = 30.0
    """Of the Hann ramps at a recording's start and end."""
    drive: float = 30.0
    """What the hair cells see of a membrane that moves as fast as a stapes driven by sound of value 1."""
    wave: Wave = "published"
    """Which way the membrane's response goes in time.

    "published" is what recordings of the published chain show: channels of low tones lead. "forward" is what
    an ear does: they lag, and nothing is heard before it sounds.
    """
    membrane: Membrane = field(default_factory=Membrane)
    hair_cell: HairCell = field(default_factory=HairCell)
    bushy_cell: BushyCell = field(default_factory=BushyCell)

    def __post_init__(self) -> None:
        _checks.check_size(self.channels, "channels")
        _checks.check(self.channels <= _MOST_CHANNELS, "channels", f"at most {_MOST_CHANNELS}", self.channels)
        _checks.check_size(self.rate, "rate")
        least, most = _RATES
        _checks.check(least <= self.rate <= most, "rate", f"{least} to {most} steps a second", self.rate)
        for name in ("rms", "drive"):
            check_positive(getattr(self, name), name)
        ramp = isinstance(self.ramp_ms, int | float) and 0 <= self.ramp_ms <= 1e6
        _checks.check(ramp, "ramp_ms", "a number of milliseconds >= 0", repr(self.ramp_ms))
        for name, kind in (("membrane", Membrane), ("hair_cell", HairCell), ("bushy_cell", BushyCell)):
            value = getattr(self, name)
            _checks.check(isinstance(value, kind), name, f"a {kind.__name__}", repr(value))
        _checks.check_choice(self.wave, get_args(Wave), "wave")
        cell = self.hair_cell
        fastest = max(cell.release, cell.replenish, cell.loss + cell.recover, cell.reprocess)
        _checks.check(fastest < self.rate, "hair_cell", f"rates below {self.rate}, one a step", fastest)

    @property
    def sensor(self) -> Sensor:
        """This cochlea as events and files name it."""
        return numbered_channels(self.channels)

    @property
    def sections_per_channel(self) -> int:
        """Sections of the membrane for each channel: odd, so that a channel is in the middle of its own."""
        return -(-FEWEST_SECTIONS // self.channels) | 1


def _check_all_positive(parameters: Membrane | HairCell | BushyCell) -> None:
    for part in fields(parameters):
        check_positive(getattr(parameters, part.name), part.name)
