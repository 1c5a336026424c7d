"""What a file format is to the rest of the package: a name, and how to read and write it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from eventssm.events import Events, Sensor

Columns = dict[str, np.ndarray]
"""Columns of a piece of a file, not yet checked: `t`, `x`, `y`, `p`, or `t`, `channel`.

Where it is known, also `byte` or `line`: where in the file each event is, for complaints.
"""


@dataclass(frozen=True)
class Source:
    """An opened file: what made it, and a way to go through its pieces, each time from the start."""

    sensor: Sensor | None
    """None where the file does not say."""
    pieces: Callable[[], Iterator[Columns]]
    odd: tuple[str, ...] = ()
    """What a user should know of: skipped kinds of data, a header without a size."""


@runtime_checkable
class Reader(Protocol):
    """Opens a file; `index` is the recording in it, for formats that hold several."""

    def __call__(self, path: Path, sensor: Sensor | None, index: int | None) -> Source: ...


@runtime_checkable
class Writer(Protocol):
    """Writes pieces of one recording to a file that does not exist yet."""

    def __call__(self, path: Path, sensor: Sensor, pieces: Iterator[Events]) -> None: ...


@dataclass(frozen=True)
class Format:
    """A file format: its name, the suffixes it goes by, its reader and, if it can be written, its writer."""

    name: str
    suffixes: tuple[str, ...]
    reader: Reader
    writer: Writer | None = None
