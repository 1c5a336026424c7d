"""From a model and a data set to outcomes: every recording whole, once, and nothing else."""

from collections.abc import Callable, Iterator

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from eventssm import _checks
from eventssm.batching import assemble
from eventssm.datasets import Dataset
from eventssm.evaluate._outcomes import Outcomes
from eventssm.evaluate._plan import Group, plan_groups
from eventssm.evaluate._recording import read_recording
from eventssm.model import Classifier

Progress = Callable[[int, int], None]
"""Called with recordings done, and all."""

SLOTS = 1 << 17
"""Events that are in memory at once, unless a caller says otherwise."""


def infer(
    model: Classifier, dataset: Dataset, *, slots: int = SLOTS, progress: Progress | None = None
) -> Outcomes:
    """What `model` says of every recording of `dataset`, at its end and on the way.

    Recordings are batched by length, at most `slots` events at a time; longer ones are read in pieces
    that carry the state on. What fills up a batch is never counted.
    """
    check_fits(model, dataset)
    count, per = len(dataset), model.config.events_per_prediction
    logits = np.full((count, len(dataset.classes)), np.nan, np.float32)
    said: list[np.ndarray] = [np.zeros(0, np.int64)] * count
    times, durations = list(said), np.zeros(count, np.int64)
    for done, (item, final, on_the_way, t) in enumerate(_each(model, dataset, slots), 1):
        finite = bool(np.isfinite(final).all())
        _checks.check(finite, f"recording {dataset.keys[item]}", "finite logits", final)
        logits[item], said[item] = final, on_the_way
        since = t - t[:1] if len(t) else t
        times[item] = since[per - 1 :: per]
        durations[item] = since[-1] if len(since) else 0
        if progress is not None:
            progress(done, count)
    return Outcomes(
        classes=tuple(dataset.classes),
        keys=tuple(dataset.keys),
        labels=np.asarray(dataset.labels, np.int64),
        events=np.asarray(dataset.lengths, np.int64),
        durations=durations,
        logits=logits,
        counts=np.array([len(row) for row in said], np.int64),
        times=np.concatenate([np.zeros(0, np.int64), *times]),
        said=np.concatenate([np.zeros(0, np.int64), *said]),
        prior=int(np.argmax(np.asarray(model.decoder.bias))),
        events_per_prediction=per,
    )


def check_fits(model: Classifier, dataset: Dataset) -> None:
    """Refuse a data set that the model was not made for, or that has no recordings."""
    config = model.config
    channels, classes = dataset.sensor.channels, len(dataset.classes)
    _checks.check(channels == config.channels, "data", f"{config.channels} channels, as the model", channels)
    _checks.check(classes == config.classes, "data", f"{config.classes} classes, as the model", classes)
    _checks.check(len(dataset) > 0, "data", "at least one recording", "none")


_Found = tuple[int, np.ndarray, np.ndarray, np.ndarray]
"""A recording's number, final logits, classes said on the way, and times of all its events."""


def _each(model: Classifier, dataset: Dataset, slots: int) -> Iterator[_Found]:
    """What is found of every recording, while the next batch is on its way."""
    waiting: Iterator[_Found] = iter(())
    for group in plan_groups(np.asarray(dataset.lengths, np.int64), slots):
        if group.size > slots:
            following = _piecewise(model, dataset, group, slots)
        else:
            following = _batched(model, dataset, group)
        yield from waiting
        waiting = following
    yield from waiting


def _batched(model: Classifier, dataset: Dataset, group: Group) -> Iterator[_Found]:
    """Starts the computation of a batch at once; its results are waited for when they are asked for."""
    recordings = [dataset.read(item) for item in group.items.tolist()]
    targets = np.zeros((len(recordings), len(dataset.classes)), np.float32)
    batch = assemble(recordings, targets, group.items, group.rows, group.size)
    results = _run(model, jnp.asarray(batch.channels), jnp.asarray(batch.gaps), jnp.asarray(batch.lengths))

    def found() -> Iterator[_Found]:
        final, said, counts = (np.asarray(result) for result in results)
        for row, (item, events) in enumerate(zip(group.items.tolist(), recordings, strict=True)):
            yield item, final[row], said[row, : counts[row]].astype(np.int64), events.t

    return found()


def _piecewise(model: Classifier, dataset: Dataset, group: Group, slots: int) -> Iterator[_Found]:
    for item in group.items.tolist():
        events = dataset.read(item)
        reading = read_recording(model, events, piece=slots)
        yield item, reading.final, reading.logits.argmax(axis=1), events.t


@eqx.filter_jit
def _run(
    model: Classifier,
    channels: Int[Array, "row event"],
    gaps: Float[Array, "row event"],
    lengths: Int[Array, " row"],
) -> tuple[Float[Array, "row class"], Int[Array, "row step"], Int[Array, " row"]]:
    """Final logits, the class after each step of the head, and how many of those are real."""
    found = jax.vmap(model.anytime)(channels, gaps, lengths)
    rows = jnp.arange(channels.shape[0])
    last = found.logits[rows, jnp.maximum(found.count - 1, 0)]
    final = jnp.where(found.count[:, None] > 0, last, model.decoder.bias)
    return final, found.logits.argmax(-1), found.count
