"""A share of recordings, with the interval that it is known to."""

import math
from dataclasses import dataclass

from eventssm import _checks

_Z95 = 1.959963984540054


@dataclass(frozen=True)
class Proportion:
    """`right` of `of`, and Wilson's 95 % interval.

    The interval takes recordings to be independent. Those of one speaker or subject are not, so that of
    speakers to come it says too much.
    """

    right: int
    of: int

    def __post_init__(self) -> None:
        _checks.check_size(self.of, "of")
        _checks.check(0 <= self.right <= self.of, "right", f"0 <= right <= {self.of}", self.right)

    @property
    def value(self) -> float:
        """The share itself."""
        return self.right / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """`(p + z²/2n ± z sqrt(p(1 - p)/n + z²/4n²)) / (1 + z²/n)`, within 0 and 1."""
        n, p, square = self.of, self.value, _Z95 * _Z95
        centre = p + square / (2 * n)
        half = _Z95 * math.sqrt(p * (1 - p) / n + square / (4 * n * n))
        low, high = ((centre + side * half) / (1 + square / n) for side in (-1, 1))
        return (0.0 if self.right == 0 else low), (1.0 if self.right == n else high)

    def record(self) -> dict[str, float]:
        """As plain values."""
        low, high = self.interval
        return {"value": self.value, "right": self.right, "of": self.of, "low": low, "high": high}
