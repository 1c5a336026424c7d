"""What the commands on files share: their options, and the bar that shows how far they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from eventssm.events import Events, Sensor
from eventssm.files import parse_sensor

FileFormat = Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")]
"""The option `--from`."""
SensorSize = Annotated[str | None, tyro.conf.arg(metavar="WIDTHxHEIGHT|CHANNELS")]
"""The option `--sensor`."""
RecordingIndex = Annotated[int | None, tyro.conf.arg(metavar="N")]
"""The option `--index`."""


def sensor_of(text: str | None) -> Sensor | None:
    """The sensor that an option names, if it names one."""
    return None if text is None else parse_sensor(text)


class Meter:
    """Counts events that go by, on a bar."""

    def __init__(self, progress: Progress, name: str) -> None:
        self._progress = progress
        self._task = progress.add_task(name, total=None, events="0")
        self._events = 0

    def watch(self, pieces: Iterator[Events]) -> Iterator[Events]:
        """The same pieces, counted."""
        for piece in pieces:
            self._events += len(piece)
            self._progress.update(self._task, events=f"{self._events:,}")
            yield piece


@contextmanager
def meter(console: Console, name: str) -> Iterator[Meter]:
    """A bar while events are read; nothing where the console is not a terminal.

    How far it is to the end is not known, as formats do not say how many events they hold.
    """
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[events]} events"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Meter(progress, name)
