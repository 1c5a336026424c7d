"""What is measured: a form of some work, and where there is one its twin."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """Something to time: `run` does it and returns when it is done, on `events` events."""

    events: int
    run: Callable[[], object]


@dataclass(frozen=True)
class Case:
    """A named measurement. `make` and `twin` build their work from nothing, with the same seed."""

    name: str
    about: str
    make: Callable[[], Work]
    twin: Callable[[], Work] | None = None
