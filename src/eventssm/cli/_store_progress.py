"""Bars for the making of a store."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from eventssm import datasets


@contextmanager
def store_progress() -> Iterator[tuple[datasets.Progress, datasets.DownloadProgress]]:
    """Bars for recordings and for bytes, on the terminal's error stream."""
    bar, left = BarColumn(), TimeRemainingColumn()
    done = TextColumn("{task.description} {task.completed:,.0f} of {task.total:,.0f} {task.fields[unit]}")
    tasks: dict[str, TaskID] = {}
    console = Console(stderr=True)
    with Progress(bar, done, left, console=console, transient=True, disable=not console.is_terminal) as bars:

        def show(unit: str, scale: float, name: str, done: int, total: int | None) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, unit=unit)
            bars.update(tasks[name], completed=done * scale, total=(total or done) * scale)

        yield partial(show, "recordings", 1.0), partial(show, "MB", 1e-6)
