"""HDF5 files that many recordings are read from, one after the other."""

import functools
from pathlib import Path
from typing import Any

from eventssm import _checks


@functools.lru_cache(maxsize=3)
def opened_once(path: Path) -> Any:
    """The file, kept open for the recordings that follow."""
    import h5py

    with path.open("rb"):
        pass  # a missing or unreadable file is the system's error, not one of format
    try:
        return h5py.File(path, "r")
    except OSError as problem:
        _checks.refuse(str(path), "a whole HDF5 file", " ".join(str(problem).split())[:120])
