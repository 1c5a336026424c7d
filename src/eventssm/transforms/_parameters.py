"""Checks of the numbers that a transform is made with."""

from typing import Any

import numpy as np

from eventssm import _checks

_MOST = 2**31 - 1
_LAST_TIME = 2**53


def check_number(value: Any, name: str, least: float, most: float) -> None:
    """Refuse what is not a number with `least <= value <= most`."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    ok = number and bool(least <= value <= most)
    _checks.check(ok, name, f"{least:g} <= {name} <= {most:g}", repr(value))


def check_probability(value: Any, name: str = "probability") -> None:
    """Refuse what is not a number between 0 and 1."""
    check_number(value, name, 0.0, 1.0)


def check_count(value: Any, name: str, least: int = 0) -> None:
    """Refuse what is not a whole number of at least `least` that an int32 can hold."""
    _checks.check_size(value, name, least)
    _checks.check(value <= _MOST, name, f"at most {_MOST}", value)


def check_flag(value: Any, name: str) -> None:
    """Refuse what is not true or false, such as the word "no"."""
    _checks.check(isinstance(value, bool), name, "true or false", repr(value))


def check_times(t: np.ndarray) -> None:
    """Refuse times too late to be moved: from 2^53 us (285 years) on a float does not hold each of them."""
    if len(t):
        _checks.check(bool(t[-1] < _LAST_TIME), f"t[{len(t) - 1}]", f"a time below {_LAST_TIME} us", t[-1])
