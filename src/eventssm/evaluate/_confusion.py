"""Which class was taken for which, and how well each was found."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from jaxtyping import Int64


def confusion_matrix(
    labels: Int64[np.ndarray, " recording"], predicted: Int64[np.ndarray, " recording"], classes: int
) -> Int64[np.ndarray, "true predicted"]:
    """How many recordings of each true class (rows) were said to be of each class (columns)."""
    cells = np.bincount(labels * classes + predicted, minlength=classes * classes)
    return cells.reshape(classes, classes).astype(np.int64)


@dataclass(frozen=True)
class ClassRow:
    """How well one class was found; None where nothing is to be divided by."""

    name: str
    count: int
    """Recordings of this class."""
    recall: float | None
    """Share of them that were found."""
    precision: float | None
    """Share of the recordings said to be of this class that were."""

    def record(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def class_table(matrix: Int64[np.ndarray, "true predicted"], names: tuple[str, ...]) -> tuple[ClassRow, ...]:
    """A row for every class."""
    found, true, said = np.diagonal(matrix), matrix.sum(axis=1), matrix.sum(axis=0)
    return tuple(
        ClassRow(name, int(true[at]), _ratio(found[at], true[at]), _ratio(found[at], said[at]))
        for at, name in enumerate(names)
    )


def most_confused(
    matrix: Int64[np.ndarray, "true predicted"], names: tuple[str, ...], most: int
) -> list[tuple[str, str, int]]:
    """The commonest mistakes: true class, predicted class, how often."""
    wrong = matrix - np.diag(np.diagonal(matrix))
    cells = np.argsort(-wrong, axis=None, kind="stable")[:most]
    pairs = [divmod(int(cell), len(names)) for cell in cells]
    return [(names[true], names[said], int(wrong[true, said])) for true, said in pairs if wrong[true, said]]


def _ratio(part: np.int64, whole: np.int64) -> float | None:
    return float(part / whole) if whole else None
