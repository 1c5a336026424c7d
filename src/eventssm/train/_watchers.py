"""Who is told how training goes: one small interface, and what a run always writes, `metrics.jsonl`."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eventssm import _checks
from eventssm.train._run import METRICS, Run


@dataclass(frozen=True)
class StepRecord:
    """A batch: means over its rows. `step` and `epoch` count from 1; `rate` is that of the group `ssm`."""

    step: int
    epoch: int
    loss: float
    accuracy: float
    rate: float
    rows: int
    events: int


@dataclass(frozen=True)
class EpochRecord:
    """An epoch: exact means over all its recordings, and over all of the validation split.

    `waiting` is the share of the training time in which the next batch was not ready; times are without
    compilation, which has its own.
    """

    epoch: int
    step: int
    loss: float
    accuracy: float
    validation_loss: float | None
    validation_accuracy: float | None
    test_loss: float | None
    test_accuracy: float | None
    best: bool
    events: int
    seconds: float
    events_per_s: float | None
    waiting: float | None
    validation_seconds: float
    compile_seconds: float


@dataclass(frozen=True)
class Outline:
    """What is known when training begins or goes on."""

    epochs: int
    steps_per_epoch: int
    step: int
    """Steps that were done before."""
    parameters: int
    recordings: int


@dataclass(frozen=True)
class Pace:
    """How fast it goes, without compilation, and what is left; None where that is not known yet."""

    events_per_s: float | None
    seconds_left: float | None


class Watcher:
    """Is told how training goes; does nothing."""

    def begin(self, run: Run, outline: Outline) -> None:
        """Training begins, or goes on."""

    def status(self, text: str) -> None:
        """What is being done now, where it is not steps."""

    def step(self, record: StepRecord, pace: Pace) -> None:
        """A step is done."""

    def epoch(self, record: EpochRecord) -> None:
        """An epoch is done, with validation."""

    def close(self) -> None:
        """No more will come."""


class MetricsFile(Watcher):
    """Writes `metrics.jsonl`; what is there beyond the size that it is opened with is cut off."""

    def __init__(self, folder: Path, size: int) -> None:
        self._path = folder / METRICS
        there = self._path.stat().st_size
        _checks.check(there >= size, str(self._path), f"at least {size} bytes", f"{there} bytes")
        with naming(self._path):
            self._file = self._path.open("r+b", buffering=0)
            self._file.truncate(size)
            self._file.seek(size)

    @property
    def size(self) -> int:
        """Bytes that are written."""
        return self._file.tell()

    def sync(self) -> int:
        """The size, once so much is on disk."""
        with naming(self._path):
            os.fsync(self._file.fileno())
        return self.size

    def step(self, record: StepRecord, pace: Pace) -> None:
        """A line of kind `step`."""
        self._write({"kind": "step", **asdict(record)})

    def epoch(self, record: EpochRecord) -> None:
        """A line of kind `epoch`, and everything before it, on disk."""
        self._write({"kind": "epoch", **asdict(record)})
        self.sync()

    def close(self) -> None:
        """Everything is on disk."""
        with naming(self._path):
            self._file.close()

    def _write(self, record: dict[str, Any]) -> None:
        with naming(self._path):
            line = json.dumps(record).encode() + b"\n"
            while line:
                line = line[self._file.write(line) :]


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file in an `OSError` that does not."""
    try:
        yield
    except OSError as problem:
        if problem.filename is None:
            problem.filename = str(path)
        raise
