"""Files that are, after a header, records of one size."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from eventssm import _checks

_AT_ONCE = 1 << 18


def read_records(path: Path, record: np.dtype, start: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All records from byte `start` on, some at a time, and where each is; one cut short is refused."""
    with path.open("rb") as file:
        file.seek(start)
        offset = start
        while data := file.read(_AT_ONCE * record.itemsize):
            rest = len(data) % record.itemsize
            at = offset + len(data) - rest
            _checks.check(not rest, f"byte {at}", f"a whole record of {record.itemsize} bytes", f"{rest}")
            yield (
                np.frombuffer(data, record),
                offset + record.itemsize * np.arange(len(data) // record.itemsize),
            )
            offset += len(data)
