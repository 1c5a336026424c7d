"""How far a run is, as plain values that a checkpoint's `place` holds."""

from dataclasses import asdict, dataclass, field
from typing import Any

from eventssm import _checks
from eventssm.train._checkpoints import Scores


@dataclass
class Sums:
    """Sums over the steps of the epoch that is going on."""

    loss: float = 0.0
    correct: int = 0
    rows: int = 0
    events: int = 0
    timed_events: int = 0
    seconds: float = 0.0
    """In which the timed events were learnt from: without compilation."""
    waiting: float = 0.0
    compiling: float = 0.0


@dataclass
class Progress:
    """`step` batches are done; the stream's next is number `in_epoch` of the epoch `epoch`, counted from 0.

    With `in_epoch` the number of batches, the epoch's steps are done and its validation is not.
    """

    step: int = 0
    epoch: int = 0
    in_epoch: int = 0
    sums: Sums = field(default_factory=Sums)
    best: Scores | None = None
    best_test: Scores | None = None
    """The epoch that is best on the test split: the field's habit."""
    test_of_best: Scores | None = None
    """Scores on the test split of the epoch that is best on the validation split."""
    worse_for: int = 0
    """Epochs since the best one."""
    metrics_bytes: int = 0
    finished: bool = False

    @property
    def position(self) -> tuple[int, int]:
        """Steps and epochs that are done."""
        return self.step, self.epoch

    def choose(self, validation: Scores | None, test: Scores | None) -> bool:
        """Whether the epoch with these scores is the best so far; without validation the last one is."""
        better = validation is None or self.best is None or validation.rank() > self.best.rank()
        self.worse_for = 0 if better else self.worse_for + 1
        if better:
            self.best, self.test_of_best = validation, test
        if test is not None and (self.best_test is None or test.rank() > self.best_test.rank()):
            self.best_test = test
        return better

    def place(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self) | {name: _plain(getattr(self, name)) for name in _SCORES}

    @classmethod
    def of(cls, place: dict[str, Any]) -> "Progress":
        """The inverse of `place`."""
        try:
            scores = {name: None if place[name] is None else Scores(**place[name]) for name in _SCORES}
            return cls(**place | scores | {"sums": Sums(**place["sums"])})
        except (KeyError, TypeError):
            _checks.refuse("place", "what this version writes", ", ".join(place))


_SCORES = ("best", "best_test", "test_of_best")


def _plain(scores: Scores | None) -> dict[str, Any] | None:
    return None if scores is None else scores._asdict()
