"""Runs from beginning to end, interrupted and not, on data and models that are small."""

import json
import os
import signal
from dataclasses import replace

import jax
import numpy as np
import pytest

import eventssm as es
from eventssm import Classifier, InputError
from eventssm._checks import HaltedError
from eventssm.train import (
    BatchesConfig,
    CheckpointConfig,
    OptimizerConfig,
    Progress,
    SelectionConfig,
    StepRecord,
    init_state,
    new_folder,
    open_run,
    resume,
    train,
)
from eventssm.train._checkpoints import Checkpoints
from eventssm.train._optimizer import create_optimizer
from tests.train.small import MODEL, Called, config, untimed

ACCUMULATED = BatchesConfig(size=4, buckets=1, accumulation=2)


def arrays(run: es.train.Run) -> list[bytes]:
    return [
        np.asarray(leaf).tobytes() for which in ("best", "last") for leaf in jax.tree.leaves(run.model(which))
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory, data):
    """A run that nobody disturbed."""
    os.environ["EVENTSSM_DATA"] = str(data.parent / "stores")
    jax.config.update("jax_disable_most_optimizations", True)
    given = config(data, model=replace(MODEL, norm="batch"), batches=ACCUMULATED, report_test_selected=True)
    return es.train(given, tmp_path_factory.mktemp("runs") / "whole")


def test_a_run_and_what_is_kept_of_it(whole, data):
    kinds = [line["kind"] for line in whole.metrics()]
    assert kinds == ["step", "step", "step", "epoch"] * 2
    steps = [line for line in whole.metrics() if line["kind"] == "step"]
    assert [line["step"] for line in steps] == [1, 2, 3, 4, 5, 6] and [line["rows"] for line in steps].count(
        2
    ) == 2
    assert [line["rate"] > 0 for line in steps] == [True] * 6
    epochs = [line for line in whole.metrics() if line["kind"] == "epoch"]
    for epoch, line in enumerate(epochs):
        own = steps[3 * epoch : 3 * epoch + 3]
        assert line["loss"] == pytest.approx(sum(step["loss"] * step["rows"] for step in own) / 10)
        assert line["accuracy"] == sum(round(step["accuracy"] * step["rows"]) for step in own) / 10
        assert line["events"] == sum(step["events"] for step in own) > 0
        assert line["validation_accuracy"] * 4 == round(line["validation_accuracy"] * 4)
        assert line["test_accuracy"] is not None
    assert whole.classes == ("high", "low") and whole.sensor.channels == 8
    assert whole.config.model.channels == 8 and whole.config.data.name == f"folder:{data}"
    assert whole.facts["data"]["train"]["recordings"] == 10 and "jax" in whole.facts["versions"]
    assert len(whole.dataset("test")) == 4
    progress = Progress.of(whole.place("last"))
    assert progress.finished and (progress.step, progress.epoch) == (6, 2)
    assert progress.best is not None and progress.best_test is not None
    assert progress.test_of_best is not None and progress.test_of_best.epoch == progress.best.epoch


def test_the_models_scores_are_those_that_were_written(whole):
    best = Progress.of(whole.place("best")).best
    dataset, right, loss = whole.dataset("validation"), 0, 0.0
    for events, label in dataset:
        logits = np.asarray(whole.model("best")(events.channel, events.gaps_ms()), np.float64)
        right += logits.argmax() == label
        loss += np.log(np.exp(logits).sum()) - logits[label]
    assert best is not None and best.accuracy == right / 4
    assert best.loss == pytest.approx(loss / 4, rel=1e-4)


def test_an_epoch_ends_with_an_update(whole):
    config = whole.config
    like = jax.eval_shape(
        lambda key: init_state(
            Classifier(config.model, key=key),
            create_optimizer(whole.shapes(), config.optimizer, 1.0, 1, 4),
            config.batches.accumulation,
        ),
        jax.random.key(0),
    )
    with Checkpoints(whole.folder, read_only=True) as checkpoints:
        state, _ = checkpoints.last(like)
    assert int(state.step) == 6 and float(state.rows) == 0.0
    assert int(state.optimizer[0].count) == 4  # three batches an epoch, two of them make an update


def test_a_finished_run_stays_as_it_is(whole):
    before = (whole.folder / "metrics.jsonl").read_text(), arrays(whole)
    assert resume(whole.folder).folder == whole.folder
    assert ((whole.folder / "metrics.jsonl").read_text(), arrays(whole)) == before


@pytest.mark.parametrize("stops", [(2,), (3, 4)], ids=["in an epoch", "after one, and in one"])
def test_stopped_and_resumed_is_not_stopped(whole, tmp_path, stops):
    folder = tmp_path / "broken"

    def at(step: int) -> Called:
        number = signal.SIGINT if step % 2 else signal.SIGTERM
        return Called(lambda record: record.step == step and os.kill(os.getpid(), number))

    for count, step in enumerate(stops):
        name = "SIGINT" if step % 2 else "SIGTERM"
        with pytest.raises(
            HaltedError, match=f"stopped by {name} after step {step}, saved in .*--resume {folder}"
        ):
            if count == 0:
                train(whole.config, folder, watchers=[at(step)])
            else:
                resume(folder, watchers=[at(step)])
    with (folder / "metrics.jsonl").open("a") as file:
        file.write('{"kind": "step", "step": 99')  # as a kill in the middle of a line leaves it
    run = resume(folder)
    assert untimed(run.metrics()) == untimed(whole.metrics())
    assert arrays(run) == arrays(whole)


def test_what_is_not_finite_stops_the_run(tmp_path, data):
    wild = config(data, optimizer=OptimizerConfig(base_lr=1e30), checkpoints=CheckpointConfig(every_steps=1))
    with pytest.raises(
        HaltedError, match=r"step (\d) of epoch 1: expected finite loss .*checkpoint: "
    ) as found:
        train(wild, tmp_path / "wild")
    run = open_run(tmp_path / "wild")
    record = json.loads((run.folder / "failure.json").read_text())
    assert f"step {record['step']} of" in str(found.value)
    assert all(0 <= sample < 10 for sample in record["samples"]) and record["keys"][0].startswith("train/")
    assert f"samples {', '.join(map(str, record['samples']))} (" in str(found.value)
    assert len(run.metrics()) == record["step"] - 1 and all(
        np.isfinite(line["loss"]) for line in run.metrics()
    )
    if record["step"] > 1:
        assert f"checkpoints/{record['step'] - 1} (step {record['step'] - 1})" in str(found.value)
        assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(run.model("last")))


def test_a_full_disk_names_the_last_good_checkpoint(tmp_path, data):
    def full(record: StepRecord) -> None:
        if record.step == 5:
            raise OSError(28, "No space left on device", "metrics.jsonl")

    with pytest.raises(HaltedError, match=r"metrics.jsonl: no space left on device; last .*/1 \(step 3\)"):
        train(config(data), tmp_path / "full", watchers=[Called(full)])
    assert resume(tmp_path / "full").metrics()[-1]["epoch"] == 2


def test_it_stops_when_it_gets_no_better(tmp_path, data):
    still = config(
        data, epochs=9, optimizer=OptimizerConfig(base_lr=1e-30), selection=SelectionConfig(patience=2)
    )
    run = train(still, tmp_path / "still")
    assert [line["best"] for line in run.metrics() if line["kind"] == "epoch"] == [True, False, False]
    assert Progress.of(run.place("last")).finished and resume(run.folder).metrics() == run.metrics()


def test_without_validation_the_last_epoch_is_best(tmp_path, data):
    run = train(config(data, selection=SelectionConfig(split="none")), tmp_path / "none")
    assert run.place("best") == run.place("last") and run.metrics()[-1]["validation_loss"] is None


def test_a_folder_that_is_there_is_left_alone(whole, tmp_path, data):
    with pytest.raises(
        InputError, match=r"expected a new folder, got a run \(`eventssm train --resume .*` goes on"
    ):
        train(config(data), whole.folder)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="expected a new folder, got one with other files in it"):
        train(config(data), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(InputError, match=r"notes.txt: expected a new folder, got a file"):
        train(config(data), tmp_path / "notes.txt")


def test_the_next_free_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(new_folder("digits")) == "runs/digits-1"
    (tmp_path / "runs" / "digits-1").mkdir(parents=True)
    assert str(new_folder("digits")) == "runs/digits-2" and str(new_folder("folder:/a/b")) == "runs/b-1"


def test_other_data_are_not_gone_on_with(whole, tmp_path, data, monkeypatch):
    facts = json.loads((whole.folder / "run.json").read_text())
    facts["data"]["train"]["digest"] = "other"
    (tmp_path / "run.json").write_text(json.dumps(facts))
    with pytest.raises(InputError, match=r"train: expected the run's data, .*'other'.*, got "):
        resume(tmp_path)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": 2}, "run.json: version: expected 1, got 2"),
        ({"version": None}, "run.json: version: expected 1, got None"),
        ({"sensor": 3}, "run.json: keys: expected config, sensor and classes, got"),
        ({"config": {"epocs": 3}}, r"run.json: key: expected .*\(did you mean 'epochs'\?\)"),
    ],
)
def test_a_run_of_another_version_is_refused(whole, tmp_path, change, complaint):
    facts = json.loads((whole.folder / "run.json").read_text()) | change
    (tmp_path / "run.json").write_text(json.dumps(facts))
    with pytest.raises(InputError, match=complaint):
        open_run(tmp_path)


def test_what_is_not_a_run(tmp_path):
    with pytest.raises(InputError, match=r"expected a run's folder, with run.json, got none"):
        open_run(tmp_path)
    (tmp_path / "run.json").write_text('{"version": 1, ')
    with pytest.raises(InputError, match=r"run.json: it: expected JSON, got '."):
        open_run(tmp_path)


def test_a_run_that_is_going_on_is_not_begun_twice(whole):
    import fcntl

    with (whole.folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(
            InputError, match="expected nobody else training in it, got another process that does"
        ):
            resume(whole.folder)


def test_transforms_of_another_sensor_are_refused_before_anything_is_made(tmp_path, data):
    from eventssm.train import AugmentConfig

    with pytest.raises(InputError, match="Roll: sensor 'cochlea-8': expected a camera"):
        train(config(data, augment=AugmentConfig(roll=3)), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_smaller_sensor(tmp_path, data):
    from eventssm.train import DataConfig

    run = train(
        replace(config(data, epochs=1), data=DataConfig(name=f"folder:{data}", downsample=2)),
        tmp_path / "run",
    )
    assert run.sensor.channels == run.config.model.channels == 4
    events = es.read(data / "test" / "low" / "0.npz")
    assert run.adapt(events) == run.dataset("test")[2].events
    with pytest.raises(InputError, match="sensor: expected that of the run, cochlea-8/2, got other/2"):
        run.adapt(es.Events(es.Sensor(name="other", channels=9), t=[0], channel=[0]))
