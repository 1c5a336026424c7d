"""HDF5 files that many recordings are read from, one after the other."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eventssm import _checks
from eventssm.files import check_heaps, damage_told


@contextmanager
def opened_once(path: Path) -> Iterator[Any]:
    """The file, kept open for the recordings that follow; what is wrong with it is said of the file."""
    stat = path.stat()
    with path.open("rb"):
        pass  # a missing or unreadable file is the system's error, not one of format
    with _checks.about(path), damage_told():
        yield _opened(path, stat.st_size, stat.st_mtime_ns)


@functools.lru_cache(maxsize=3)
def _opened(path: Path, size: int, modified: int) -> Any:
    import h5py

    check_heaps(path)
    return h5py.File(path, "r")
