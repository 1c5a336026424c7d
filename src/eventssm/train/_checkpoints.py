"""Checkpoints of a run: written beside training, whole or not at all; the best and the last are kept.

A checkpoint is a folder `checkpoints/N`, numbered from 1 on, with three items: `model` (parameters and batch
norm's averages), `rest` (the optimizer, and gradients that wait for their update) and `place` (JSON).
"""

import errno
import logging
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
from jax.tree_util import keystr
from orbax.checkpoint import checkpoint_managers as policies

from eventssm import _checks
from eventssm.model import Classifier
from eventssm.train._step import TrainState

FOLDER = "checkpoints"
_MARGIN = 1 << 20  # for what stands in a checkpoint beside the arrays
Place = dict[str, Any]
Tree = TypeVar("Tree")


class Scores(NamedTuple):
    """What the best checkpoint is chosen by: accuracy, of equal ones loss, of equal ones the earlier."""

    accuracy: float
    loss: float
    epoch: int

    def rank(self) -> tuple[float, float, int]:
        """Greater is better."""
        return self.accuracy, -self.loss, -self.epoch


class Checkpoints:
    """The checkpoints in a run's folder; use it in a `with`, or `close` it, to wait for the last one."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        logging.getLogger("absl").setLevel(logging.CRITICAL)  # what orbax logs is raised as well
        self.folder = folder / FOLDER
        best = policies.BestN(get_metric_fn=_rank, n=1, keep_checkpoints_without_metrics=False)
        options = ocp.CheckpointManagerOptions(
            preservation_policy=policies.AnyPreservationPolicy([policies.LatestN(1), best]),
            best_fn=_rank,
            cleanup_tmp_directories=not read_only,
            read_only=read_only,
            create=not read_only,
        )
        self._failed = False
        self._manager = ocp.CheckpointManager(self.folder.absolute(), options=options)

    def any(self) -> bool:
        """Whether there is one."""
        return self._manager.latest_step() is not None

    def save(self, state: TrainState, place: Place, scores: Scores | None = None) -> None:
        """Begin to write a checkpoint, when the one before is written; `scores` if it ends an epoch.

        What is written is a copy, as the next step uses up the state's buffers.
        """
        with self._naming_failures():
            self._manager.wait_until_finished()
            number = (self._manager.latest_step() or 0) + 1
            copy = jax.tree.map(lambda leaf: np.array(leaf, copy=True), state)
            self._check_room(sum(leaf.nbytes for leaf in jax.tree.leaves(copy)))
            items = ocp.args.Composite(
                model=ocp.args.StandardSave(_flat(copy.model)),
                rest=ocp.args.StandardSave(_flat(_without_model(copy))),
                place=ocp.args.JsonSave(place),
            )
            metrics = None if scores is None else scores._asdict()
            self._manager.save(number, args=items, metrics=metrics, force=True)

    def wait(self) -> None:
        """Until what was begun is written."""
        with self._naming_failures():
            self._manager.wait_until_finished()

    def describe_last(self) -> str:
        """The last checkpoint in words."""
        if not self.any():
            return "none"
        return f"{self.folder / str(self.number('last'))} (step {self.place('last')['step']})"

    def number(self, which: str) -> int:
        """The number of the `best` checkpoint or the `last`; the last is best where none has scores."""
        _checks.check_choice(which, ("best", "last"), "which")
        last = self._manager.latest_step()
        if last is None:
            _checks.refuse(str(self.folder), "a checkpoint", "none")
        best = self._manager.best_step() if which == "best" else None
        return int(last if best is None else best)

    def place(self, which: str) -> Place:
        """The place in training that a checkpoint was written at."""
        return dict(self._restored(self.number(which), place=ocp.args.JsonRestore()).place)

    def model(self, which: str, like: Classifier) -> Classifier:
        """A checkpoint's model; `like` has its shapes."""
        number = self.number(which)
        found = self._restored(number, model=ocp.args.StandardRestore()).model
        with _checks.about(self.folder / str(number) / "model"):
            return _unflattened(found, like)

    def last(self, like: TrainState) -> tuple[TrainState, Place]:
        """The last checkpoint's state and place; `like` has the state's shapes."""
        number = self.number("last")
        items = self._restored(
            number,
            model=ocp.args.StandardRestore(),
            rest=ocp.args.StandardRestore(),
            place=ocp.args.JsonRestore(),
        )
        with _checks.about(self.folder / str(number)):
            rest = _unflattened(items.rest, _without_model(like))
            model = _unflattened(items.model, like.model)
        return eqx.tree_at(lambda s: s.model, rest, model, is_leaf=lambda leaf: leaf is None), dict(
            items.place
        )

    def close(self) -> None:
        """Wait, and end the threads that write."""
        if self._failed:
            with suppress(Exception):
                self._manager.close()
        else:
            with self._naming_failures():
                self._manager.close()

    def __enter__(self) -> "Checkpoints":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_room(self, size: int) -> None:
        """Not to begin what the disk cannot hold."""
        free, need = shutil.disk_usage(self.folder).free, size + _MARGIN
        if free < need:
            raise OSError(errno.ENOSPC, f"no space left: {need:,} bytes are needed, {free:,} are free")

    @contextmanager
    def _naming_failures(self) -> Iterator[None]:
        """Say what is still there when a checkpoint cannot be written.

        Orbax tells of the failures of one checkpoint one after the other, so that whoever asks it next may
        get another: what is there is read anew.
        """
        try:
            yield
        except Exception as problem:
            self._failed = True
            text = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
            words = " ".join(text.split())[:200] or type(problem).__name__
            with type(self)(self.folder.parent, read_only=True) as there:
                last = there.describe_last()
            raise _checks.HaltedError(
                f"{self.folder}: expected to write a checkpoint, got: {words}; last good checkpoint: {last}"
            ) from problem

    def _restored(self, number: int, **items: Any) -> Any:
        try:
            return self._manager.restore(number, args=ocp.args.Composite(**items))
        except Exception as problem:
            words = " ".join(str(problem).split())[:160]
            _checks.refuse(
                str(self.folder / str(number)), "a whole checkpoint", words or type(problem).__name__
            )


def _rank(metrics: dict[str, Any]) -> tuple[float, float, int]:
    return Scores(**metrics).rank()


def _without_model(state: TrainState) -> TrainState:
    return eqx.tree_at(lambda s: s.model, state, None)


def _flat(tree: Any) -> dict[str, Any]:
    """Leaves by their path, as `stack.blocks.0.layer.B`."""
    return {keystr(path, simple=True, separator="."): leaf for path, leaf in jax.tree.leaves_with_path(tree)}


def _unflattened(found: Mapping[str, Any], like: Tree) -> Tree:
    """A tree like `like` with the leaves that were found, which must have its names, shapes and types."""
    want = _flat(like)
    odd = sorted(want.keys() ^ found.keys())
    _checks.check(
        not odd, "arrays", f"{len(want)} as this version has them", f"{odd[:1]} too many or missing"
    )
    for name, leaf in want.items():
        there = found[name]
        same = there.shape == leaf.shape and there.dtype == leaf.dtype
        _checks.check(same, name, f"{leaf.dtype} {leaf.shape}", f"{there.dtype} {there.shape}")
    return jax.tree.unflatten(jax.tree.structure(like), [jnp.array(found[name], copy=True) for name in want])
