"""A folder that one process at a time writes to."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eventssm import _checks


@contextmanager
def locked(lock: Path, folder: Path, alone: str) -> Iterator[None]:
    """One process at a time; the system gives the lock back however the process ends."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _checks.refuse(str(folder), alone, "another process that does")
        yield
