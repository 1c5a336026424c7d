"""How fast models train and are evaluated, beside the published form of the same model.

Parameters, data and results of both are the same. Channels are random and gaps exponential.
"""

import functools
from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from eventssm import train
from eventssm.batching import Batch
from eventssm.bench._case import Case, Work
from eventssm.bench._published import PublishedForm
from eventssm.model import Classifier, presets

TRAINING = {"shd-medium": (32, 8_192), "ssc-medium": (32, 8_192), "dvs-small": (4, 65_536)}
EVALUATION = {"shd-medium": (32, 8_192), "ssc-medium": (32, 8_192), "dvs-small": (1, 65_536)}
WHOLE = 1_572_864
LENGTHS = (4_096, 16_384, 65_536, 262_144, 1_048_576)


def model_cases() -> list[Case]:
    """A training step, an evaluation, a whole long recording, and time against length."""
    cases = [_case("train", training_step, name, *shape) for name, shape in TRAINING.items()]
    cases += [_case("evaluate", evaluation, name, *shape) for name, shape in EVALUATION.items()]
    whole = functools.partial(training_step, "dvs-small", 1, WHOLE)
    cases.append(Case("train/dvs-small-1.5M", f"a training step on a recording of {WHOLE:,} events", whole))
    for events in LENGTHS:
        of_length = functools.partial(training_step, "dvs-small", 1, events)
        about = f"a training step on a recording of {events:,} events"
        cases.append(Case(f"scaling/dvs-small/{events}", about, of_length))
    return cases


def _case(verb: str, make: Callable[..., Work], name: str, rows: int, events: int) -> Case:
    about = f"{verb} {name}, {rows} recordings of {events:,} events; twin: the published form"
    twin = functools.partial(make, name, rows, events, published=True)
    return Case(f"{verb}/{name}", about, functools.partial(make, name, rows, events), twin)


def training_step(name: str, rows: int, events: int, published: bool = False) -> Work:
    """Loss, gradients, AdamW in two groups, as `eventssm train` does it."""
    model, batch = _model(name, published), random_batch(name, rows, events)
    optimizer = train.create_optimizer(model, train.OptimizerConfig(), 1e-4, 10, 1000)
    step = train.make_step(optimizer, jax.random.key(1))
    state = train.init_state(model, optimizer, 1)

    def run() -> None:
        nonlocal state
        state, result = step(state, batch, True)
        jax.block_until_ready((state, result))

    return Work(rows * events, run)


def evaluation(name: str, rows: int, events: int, published: bool = False) -> Work:
    """Logits of a batch."""
    model, batch = _model(name, published), random_batch(name, rows, events)
    logits = eqx.filter_jit(lambda model, *of_batch: jax.vmap(model)(*of_batch))

    def run() -> None:
        jax.block_until_ready(logits(model, batch.channels, batch.gaps, batch.lengths))

    return Work(rows * events, run)


def random_batch(name: str, rows: int, events: int) -> Batch:
    """Full rows, on the device."""
    config, rng = presets[name], np.random.default_rng(0)
    batch = Batch(
        channels=rng.integers(0, config.channels, (rows, events)).astype(np.int32),
        gaps=rng.exponential(1.0, (rows, events)).astype(np.float32),
        lengths=np.full(rows, events, np.int32),
        targets=np.eye(config.classes, dtype=np.float32)[rng.integers(0, config.classes, rows)],
        samples=np.arange(rows),
        cut=np.zeros((), np.int64),
    )
    return Batch(*(jnp.asarray(value) for value in batch))  # type: ignore[arg-type]


def _model(name: str, published: bool) -> Classifier:
    model = Classifier(presets[name], key=jax.random.key(0))
    return PublishedForm.of(model) if published else model
