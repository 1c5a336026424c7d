"""The loop: steps, validation, checkpoints, from any place on."""

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from eventssm import _checks
from eventssm.batching import Batch, BatchConfig, Batches, BatchStream
from eventssm.datasets import Dataset
from eventssm.files import replacing
from eventssm.model import Classifier, count_parameters
from eventssm.train._checkpoints import Checkpoints, Scores
from eventssm.train._config import RunConfig
from eventssm.train._optimizer import create_optimizer, learning_rate
from eventssm.train._progress import Progress, Sums
from eventssm.train._run import FAILURE, Run
from eventssm.train._signals import StopRequest
from eventssm.train._step import StepResult, TrainState, init_state, make_step
from eventssm.train._validation import SplitScores, Validation
from eventssm.train._watchers import EpochRecord, MetricsFile, Outline, Pace, StepRecord, Watcher

_OF_MODEL, _OF_DROPOUT = range(2)


class Splits(NamedTuple):
    """What a run reads; `test` only where it is asked to report the field's habit."""

    train: Dataset
    validation: Dataset | None
    test: Dataset | None


def batch_config(config: RunConfig) -> BatchConfig:
    """How training batches are made."""
    return BatchConfig(
        batch_size=config.batches.size,
        seed=config.seed,
        buckets=config.batches.buckets,
        transforms=config.augment.transforms(),
        cut_mix=config.augment.cut_mix,
        slice_events=config.batches.slice_events,
        overlap=config.batches.overlap,
    )


def initial_model(config: RunConfig) -> Classifier:
    """The model that a run with this configuration begins with."""
    key = jax.random.fold_in(jax.random.key(config.seed), _OF_MODEL)
    return Classifier(config.model, key=key)


@dataclass
class _Timed:
    """Steps of this process that were timed."""

    steps: int = 0
    events: int = 0
    seconds: float = 0.0

    def add(self, events: int, seconds: float) -> None:
        self.steps, self.events, self.seconds = self.steps + 1, self.events + events, self.seconds + seconds


class Loop:
    """A run from its beginning, or from its last checkpoint, to its end."""

    def __init__(
        self, run: Run, splits: Splits, checkpoints: Checkpoints, watchers: Sequence[Watcher]
    ) -> None:
        config = run.config
        self._run, self._config, self._checkpoints = run, config, checkpoints
        self._batches, self._keys = Batches(splits.train, batch_config(config)), splits.train.keys
        accumulation = config.batches.accumulation
        self._updates_per_epoch = -(-self._batches.steps // accumulation)
        peak = config.optimizer.base_lr * config.batches.size * accumulation
        warm_up = round(config.schedule.warm_up_epochs * self._updates_per_epoch)
        updates = config.epochs * self._updates_per_epoch
        self._rates = np.asarray(
            jax.jit(lambda update: learning_rate(update, peak, warm_up, updates))(np.arange(updates))
        )

        shapes = run.shapes()
        optimizer = create_optimizer(shapes, config.optimizer, peak, warm_up, updates)

        def begin() -> TrainState:
            return init_state(initial_model(config), optimizer, accumulation)

        if checkpoints.any():
            self._state, place = checkpoints.last(jax.eval_shape(begin))
            self._progress = Progress.of(place)
        else:
            self._state, self._progress = jax.jit(begin)(), Progress()
        dropout = jax.random.fold_in(jax.random.key(config.seed), _OF_DROPOUT)
        self._step = make_step(optimizer, dropout, config.optimizer.label_smoothing)
        self._saved = self._progress.position

        self._validation, self._test = (
            None if dataset is None else Validation(dataset, config.batches)
            for dataset in (splits.validation, splits.test)
        )
        self._metrics = MetricsFile(run.folder, self._progress.metrics_bytes)
        self._watchers = [self._metrics, *watchers]
        self._outline = Outline(
            epochs=config.epochs,
            steps_per_epoch=self._batches.steps,
            step=self._progress.step,
            parameters=sum(count_parameters(shapes)),
            recordings=len(splits.train),
        )
        self._compiled: set[int] = set()
        self._timed, self._validation_seconds = _Timed(), 0.0

    def go(self) -> Progress:
        """On to the end; `HaltedError` when a signal asks to stop, or when a loss is not finite."""
        batches = self._config.batches
        with (
            StopRequest() as stop,
            BatchStream(self._batches, workers=batches.workers, ahead=batches.ahead) as stream,
        ):
            try:
                for watcher in self._watchers:
                    watcher.begin(self._run, self._outline)
                done = self._progress.epoch * self._batches.steps + self._progress.in_epoch
                epoch, step = divmod(done, self._batches.steps)
                stream.set_state({"epoch": epoch, "step": step})
                while not self._progress.finished:
                    self._train_epoch(stream, stop)
                    self._end_epoch(stop)
                self._checkpoints.wait()
            except OSError as problem:
                named = problem.filename is not None and problem.strerror
                words = f"{problem.filename}: {str(problem.strerror).lower()}" if named else str(problem)
                raise _checks.HaltedError(
                    f"{words}; last good checkpoint: {self._checkpoints.describe_last()}"
                ) from problem
            finally:
                for watcher in self._watchers:
                    watcher.close()
        return self._progress

    def _train_epoch(self, stream: BatchStream, stop: StopRequest) -> None:
        """The steps that are left of the epoch."""
        every = self._config.checkpoints.every_steps
        while self._progress.in_epoch < self._batches.steps:
            self._stop_if_asked(stop)
            began = time.perf_counter()
            batch = next(stream)
            arrived = time.perf_counter()
            result = self._advance(batch)
            self._count(batch, result, arrived - began, time.perf_counter() - arrived)
            whole = self._progress.in_epoch == self._batches.steps
            if every is not None and self._progress.step % every == 0 and not whole:
                self._save(None)

    def _advance(self, batch: Batch) -> StepResult:
        """One step, waited for; the first of each size compiles."""
        number = self._progress.in_epoch + 1
        update = number % self._config.batches.accumulation == 0 or number == self._batches.steps
        size = batch.channels.shape[1]
        if size not in self._compiled:
            self._tell(f"compiling the step for {size:,} events")
        self._state, result = self._step(self._state, batch, jnp.asarray(update))
        found: StepResult = jax.device_get(result)
        if not found.finite:
            self._fail(batch, float(found.loss))
        return found

    def _count(self, batch: Batch, result: StepResult, waited: float, worked: float) -> None:
        """Add a step to the epoch's sums, and tell of it."""
        progress, sums, rows = self._progress, self._progress.sums, int(result.rows)
        update = progress.epoch * self._updates_per_epoch + (
            progress.in_epoch // self._config.batches.accumulation
        )
        progress.step += 1
        progress.in_epoch += 1
        record = StepRecord(
            step=progress.step,
            epoch=progress.epoch + 1,
            loss=float(result.loss) / rows,
            accuracy=int(result.correct) / rows,
            rate=float(self._rates[update]),
            rows=rows,
            events=int(batch.lengths.sum()),
        )
        sums.loss += float(result.loss)
        sums.correct += int(result.correct)
        sums.rows += rows
        sums.events += record.events
        size = batch.channels.shape[1]
        if size in self._compiled:
            sums.timed_events += record.events
            sums.seconds += waited + worked
            sums.waiting += waited
            self._timed.add(record.events, waited + worked)
        else:
            self._compiled.add(size)
            sums.compiling += worked
        pace = self._pace()
        for watcher in self._watchers:
            watcher.step(record, pace)

    def _pace(self) -> Pace:
        """By the steps so far in this process, and the last validation."""
        timed = self._timed
        if not timed.steps:
            return Pace(None, None)
        epochs = self._config.epochs - self._progress.epoch
        steps = epochs * self._batches.steps - self._progress.in_epoch
        left = steps * timed.seconds / timed.steps + epochs * self._validation_seconds
        return Pace(timed.events / timed.seconds, left)

    def _end_epoch(self, stop: StopRequest) -> None:
        """Validate, choose, tell, save."""
        progress, sums = self._progress, self._progress.sums
        began = time.perf_counter()
        validation = self._scores("validation", self._validation, stop)
        test = self._scores("test", self._test, stop)
        self._validation_seconds = time.perf_counter() - began
        scores = (
            None if validation is None else Scores(validation.accuracy, validation.loss, progress.epoch + 1)
        )
        of_test = None if test is None else Scores(test.accuracy, test.loss, progress.epoch + 1)
        best = progress.choose(scores, of_test)
        record = EpochRecord(
            epoch=progress.epoch + 1,
            step=progress.step,
            loss=sums.loss / sums.rows,
            accuracy=sums.correct / sums.rows,
            validation_loss=None if validation is None else validation.loss,
            validation_accuracy=None if validation is None else validation.accuracy,
            test_loss=None if test is None else test.loss,
            test_accuracy=None if test is None else test.accuracy,
            best=best,
            events=sums.events,
            seconds=sums.seconds,
            events_per_s=sums.timed_events / sums.seconds if sums.seconds else None,
            waiting=sums.waiting / sums.seconds if sums.seconds else None,
            validation_seconds=self._validation_seconds,
            compile_seconds=sums.compiling,
        )
        for watcher in self._watchers:
            watcher.epoch(record)
        progress.epoch += 1
        progress.in_epoch = 0
        progress.sums = Sums()
        patience = self._config.selection.patience
        tired = patience is not None and progress.worse_for >= patience
        progress.finished = progress.epoch == self._config.epochs or tired
        self._save(scores)

    def _scores(self, split: str, validation: Validation | None, stop: StopRequest) -> SplitScores | None:
        """Scores on a split; None where it is not used."""
        if validation is None:
            return None
        self._tell(f"scoring the {split} split")
        scores = validation(self._state.model, lambda: stop.asked is None)
        if scores is None:
            self._stop_if_asked(stop)
        elif not math.isfinite(scores.loss):
            self._halt(f"{split} after step {self._progress.step}: expected a finite loss, got {scores.loss}")
        return scores

    def _stop_if_asked(self, stop: StopRequest) -> None:
        if stop.asked is None:
            return
        self._tell("saving")
        if self._progress.position != self._saved:
            self._save(None)
        self._checkpoints.wait()
        folder = self._run.folder
        raise _checks.HaltedError(
            f"stopped by {stop.asked} after step {self._progress.step}, saved in {folder};"
            f" go on with: eventssm train --resume {folder}"
        )

    def _save(self, scores: Scores | None) -> None:
        self._progress.metrics_bytes = self._metrics.sync()
        place = self._progress.place()
        self._checkpoints.save(self._state, place, scores)
        self._saved = self._progress.position

    def _fail(self, batch: Batch, loss: float) -> None:
        """Stop because of a batch; what it was is left in a file."""
        samples = batch.samples[batch.samples >= 0].tolist()
        step, epoch = self._progress.step + 1, self._progress.epoch + 1
        record = {
            "step": step,
            "epoch": epoch,
            "loss": str(loss),
            "samples": samples,
            "keys": [self._keys[sample] for sample in samples],
        }
        with replacing(self._run.folder / FAILURE) as part:
            part.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        got = "gradients that are not" if math.isfinite(loss) else f"loss {loss}"
        self._halt(
            f"step {step} of epoch {epoch}: expected finite loss and gradients, got {got};"
            f" samples {', '.join(map(str, samples))} (their keys: {self._run.folder / FAILURE})"
        )

    def _halt(self, words: str) -> None:
        self._checkpoints.wait()
        raise _checks.HaltedError(f"{words}; last good checkpoint: {self._checkpoints.describe_last()}")

    def _tell(self, text: str) -> None:
        for watcher in self._watchers:
            watcher.status(text)
