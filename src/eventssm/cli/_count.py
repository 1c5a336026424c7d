"""A bar for work whose end is known."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def counter(name: str) -> Iterator[Callable[[int, int], None]]:
    """Takes how many are done, and of how many; shows nothing where nobody watches."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(name, total=None)
        yield lambda done, of: bars.update(task, completed=done, total=of)
