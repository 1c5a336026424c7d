"""Files that appear whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from eventssm import _checks


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to; moved over `path` at the end, removed if that is not reached.

    A file that nobody may write to is refused, though the folder would let it be replaced, and root anything.
    """
    locked = path.exists() and not path.stat().st_mode & 0o222
    _checks.check(not locked, "file", "one that may be written to", "a read-only one")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(path)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
