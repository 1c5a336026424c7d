"""Sensors as files and commands name them: by their size alone."""

import re

from eventssm import _checks
from eventssm.events import Sensor


def camera(width: int, height: int) -> Sensor:
    """A camera of this size, named `WIDTHxHEIGHT`."""
    return Sensor(name=f"{width}x{height}", width=width, height=height)


def cochlea(channels: int) -> Sensor:
    """A sensor of numbered channels, named `cochlea-CHANNELS`."""
    return Sensor(name=f"cochlea-{channels}", channels=channels)


def parse_sensor(text: str) -> Sensor:
    """The sensor that `640x480` or `700` names."""
    size = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text)
    if size:
        return camera(int(size[1]), int(size[2]))
    if not re.fullmatch(r"\d{1,9}", text):
        _checks.refuse("sensor", "WIDTHxHEIGHT such as 640x480, or a number of channels such as 700", text)
    return cochlea(int(text))


def settle(named: Sensor | None, given: Sensor | None) -> Sensor:
    """The sensor of a file that names `named`, for a caller who gave `given`; they must not disagree."""
    if named is None:
        if given is None:
            _checks.refuse("sensor", "one to be given, such as 640x480, as the file does not name it", "none")
        return given
    if given is None:
        return named
    _checks.check(given.shape == named.shape, "sensor", f"{named.name}, which the file names", given.name)
    return given
