"""The command evaluate: what it writes, prints and refuses."""

import json

import h5py
import numpy as np
import pytest

import eventssm as es
from eventssm.cli import _main
from eventssm.evaluate import Outcomes, load_evaluation
from tests.runs import CLASSES, make_run, save_checkpoint, write_recordings
from tests.support import random_classifier

FILES = ["anytime.png", "calibration.png", "confusion.png", "evaluation.json", "predictions.npz"]


def test_figures_and_pictures_are_in_the_runs_folder(run_folder, capsys):
    assert _main.run(["evaluate", str(run_folder)]) == 0
    out = capsys.readouterr().out
    assert (
        "test, best model: " in out and "of 12, 95 % interval" in out and "shorter than the 4 events" in out
    )
    folder = run_folder / "evaluation" / "test"
    assert f"saved in {folder}" in out and sorted(path.name for path in folder.iterdir()) == FILES
    for name in FILES[:3]:
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
    figures = json.loads((folder / "evaluation.json").read_text())
    assert figures["recordings"] == 12 and figures["too_short"] == 1 and figures["which"] == "best"
    assert np.sum(figures["confusion"]) == 12 and figures["seed"] == 11 and len(figures["model"]) == 32
    outcomes = Outcomes.load(folder / "predictions.npz")
    assert figures["accuracy"]["value"] == outcomes.right.mean() and outcomes.classes == CLASSES


def test_the_public_function_gives_what_the_command_writes(run_folder, tmp_path, capsys):
    evaluation = es.evaluate(run_folder, "train", out=tmp_path / "mine")
    assert _main.run(["evaluate", str(run_folder), "--split", "train", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    ours = json.loads((tmp_path / "mine" / "evaluation.json").read_text())
    took = figures.pop("seconds"), ours["seconds"]
    assert min(took) > 0 and figures == {key: value for key, value in ours.items() if key != "seconds"}
    assert figures["loss"] == evaluation.loss
    loaded, record = load_evaluation(tmp_path / "mine")
    assert loaded.record() == evaluation.record() and record == ours


def test_the_last_model_has_a_folder_of_its_own(tmp_path, capsys):
    run = make_run(tmp_path)
    save_checkpoint(run, random_classifier(run.config.model, seed=9), 0.125)
    assert _main.run(["evaluate", str(run.folder)]) == 0
    assert _main.run(["evaluate", str(run.folder), "--which", "last"]) == 0
    best, last = (
        json.loads((run.folder / "evaluation" / name / "evaluation.json").read_text())
        for name in ("test", "test-last")
    )
    assert best["model"] != last["model"] and best["loss"] != last["loss"]


def test_recordings_of_ones_own_with_some_of_the_classes(run_folder, tmp_path, capsys):
    write_recordings(tmp_path / "mine", ("mid", "high"), each=2)
    arguments = ["evaluate", str(run_folder), "--data", f"folder:{tmp_path / 'mine'}", "--split", "train"]
    assert _main.run([*arguments, "--root", str(tmp_path / "root")]) == 0
    figures = json.loads((run_folder / "evaluation" / "mine-train" / "evaluation.json").read_text())
    assert [row["count"] for row in figures["classes"]] == [2, 0, 2]
    assert [row["name"] for row in figures["classes"]] == list(CLASSES)


def test_a_labelled_file_of_a_finer_cochlea(run_folder, tmp_path, capsys):
    path = tmp_path / "others.h5"
    with h5py.File(path, "w") as file:
        times = [np.arange(count) / 1000 for count in (40, 80)]
        for name, rows in (("times", times), ("units", [np.full(len(row), 21) for row in times])):
            column = file.create_dataset(f"spikes/{name}", (2,), h5py.vlen_dtype(np.float64))
            column[:] = np.array([*rows, None], object)[:2]
        file["labels"] = [0, 1]
        file["extra/keys"] = np.array([b"mid", b"low"])
    arguments = ["evaluate", str(run_folder), "--data", str(path), "--out", str(tmp_path / "out")]
    assert _main.run(arguments) == 1
    assert "(--every 100 would keep every 100th channel, which fits)" in capsys.readouterr().err
    assert _main.run([*arguments, "--every", "100"]) == 0
    outcomes = Outcomes.load(tmp_path / "out" / "predictions.npz")
    assert outcomes.labels.tolist() == [2, 1] and outcomes.events.tolist() == [0, 0]  # 21 is no multiple
    assert _main.run([*arguments, "--every", "7"]) == 1
    assert "sensor: expected that of the run, cochlea-7, got cochlea-700/7" in capsys.readouterr().err
    assert _main.run([*arguments, "--every", "3", "--sensor", "21"]) == 1
    assert "others.h5" in capsys.readouterr().err  # channel 21 is not one of 21


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--every", "2"], "--every, --sensor: expected --data beside it, got none"),
        (["--every", "0", "--data", "digits"], "--every: expected a whole number >= 1, got 0"),
        (["--split", "validation"], "split validation: expected at least one recording, got none"),
        (["--data", "digit"], "data set: expected one of digits, "),
        (["--data", "nowhere.h5"], "nowhere.h5: no such file or directory"),
        (["--data", "digits"], "classes: expected some of high, low, mid, got zero, one, "),
    ],
)
def test_wrong_use_is_one_line(run_folder, capsys, arguments, complaint):
    assert _main.run(["evaluate", str(run_folder), *arguments]) == 1
    err = capsys.readouterr().err
    assert complaint in err and err.count("\n") == 1


def test_a_folder_that_is_no_run(tmp_path, capsys):
    assert _main.run(["evaluate", str(tmp_path)]) == 1
    assert "expected a run's folder, with run.json, got none" in capsys.readouterr().err


def test_an_option_that_is_none(run_folder, capsys):
    assert _main.run(["evaluate", str(run_folder), "--splt", "test"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
