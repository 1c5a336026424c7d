"""A file's columns as they stand there, for those who put them in order themselves."""

from pathlib import Path

import numpy as np

from eventssm import _checks
from eventssm.files._format import Columns
from eventssm.files._formats import find_format

_NAMES = ("t", "x", "y", "p", "channel")


def read_columns(path: Path, format: str | None = None) -> Columns:
    """All columns of a file, whole and unchecked: times may go backwards."""
    with _checks.about(path):
        pieces = list(find_format(path, format).reader(path, None, None).pieces())
        names = [name for name in _NAMES if name in pieces[0]] if pieces else _NAMES[:4]
        none = [np.zeros(0, np.int64)]
        return {name: np.concatenate([piece[name] for piece in pieces] or none) for name in names}
