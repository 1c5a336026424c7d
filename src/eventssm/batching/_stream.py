"""Batches without end, made ahead of their use, with a state to go on from."""

import itertools
import multiprocessing
import multiprocessing.connection
import os
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from eventssm import _checks
from eventssm.batching._batch import Batch
from eventssm.batching._batches import Batches

_EPOCHS = 1_000_000


class BatchStream(Iterator[Batch]):
    """The batches of epoch 0, then of epoch 1, and so on, or from another place on.

    With `workers`, so many processes make batches; without, a thread of this one. Neither changes what comes.
    `ahead` is how many batches (of each process) are made before they are asked for. Use it in a `with`, or
    `close` it, to end the processes early.
    """

    def __init__(self, batches: Batches, *, workers: int = 0, ahead: int = 2) -> None:
        _checks.check_size(workers, "workers", least=0)
        _checks.check_size(ahead, "ahead")
        _checks.check(batches.steps > 0, "data set", "at least one recording", "none")
        self.batches, self._workers, self._ahead = batches, workers, ahead
        self._next = 0
        self._made: list[Iterator[_Whole]] = []
        weakref.finalize(self, _close, self._made)

    def __next__(self) -> Batch:
        if not self._made:
            self._made.append(_iterator(self.batches, self._next, self._workers, self._ahead))
        made = next(self._made[0])
        self._next += 1
        return made.batch

    def epoch(self) -> Iterator[Batch]:
        """What is left of the epoch that the next batch is in."""
        return itertools.islice(self, self.batches.steps - self._next % self.batches.steps)

    def get_state(self) -> dict[str, int]:
        """The place of the next batch, as whole numbers that JSON can hold."""
        epoch, step = divmod(self._next, self.batches.steps)
        return {"epoch": epoch, "step": step}

    def set_state(self, state: dict[str, int]) -> None:
        """Go on at this place; a state holds for any number of workers."""
        _checks.check(set(state) == {"epoch", "step"}, "state", "epoch and step", ", ".join(state))
        _checks.check_size(state["epoch"], "epoch", least=0)
        known = 0 <= state["step"] < self.batches.steps
        _checks.check(known, "step", f"0 <= step < {self.batches.steps}", state["step"])
        self.close()
        self._next = state["epoch"] * self.batches.steps + state["step"]

    def close(self) -> None:
        """End what makes batches; the next one starts it again."""
        _close(self._made)

    def __enter__(self) -> "BatchStream":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class _Whole:
    """A batch that grain passes between processes as it is, not as arrays in shared memory of its own."""

    batch: Batch


class _Numbered:
    """All batches from one on, by number, as grain wants them."""

    def __init__(self, batches: Batches, start: int) -> None:
        self._batches, self._start = batches, start

    def __len__(self) -> int:
        return self._batches.steps * _EPOCHS - self._start

    def __getitem__(self, number: int) -> _Whole:
        return _Whole(self._batches.batch(*divmod(int(number) + self._start, self._batches.steps)))


def _iterator(batches: Batches, start: int, workers: int, ahead: int) -> Iterator[_Whole]:
    import grain
    from absl import flags

    options = grain.ReadOptions(num_threads=1, prefetch_buffer_size=ahead)
    made = grain.MapDataset.source(_Numbered(batches, start)).to_iter_dataset(options)
    if workers:
        if not flags.FLAGS.is_parsed():
            flags.FLAGS.mark_as_parsed()  # grain's processes ask for options that only absl programs have
        made = made.mp_prefetch(
            grain.MultiprocessingOptions(num_workers=workers, per_worker_buffer_size=ahead),
            worker_init_fn=_end_with_parent,
        )
    return iter(made)


def _end_with_parent(worker: int, workers: int) -> None:
    """Have this process end when the one that wants its batches is killed, not wait for it for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def _close(made: list[Any]) -> None:
    """Also at the end of the process, before what the processes need is taken down."""
    while made:
        made.pop().close()
