"""The command train: what it prints, what it refuses, how it goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import jax
import pytest
from rich.console import Console

from eventssm.cli import _compilation, _main
from eventssm.cli._train_lines import EpochLines, LiveLine, progress_lines
from eventssm.train import Pace, load_config, open_run
from tests.train.conftest import data as data
from tests.train.conftest import stores as stores
from tests.train.test_watchers import EPOCH, STEP

SMALL = """
epochs = {epochs}
report_test_selected = {test}
[data]
name = "folder:{data}"
[model]
d_model = 4
d_state = 4
block_size = 2
stages = 1
blocks_per_stage = 1
stride = 4
[batches]
size = 4
buckets = 1
[optimizer]
base_lr = 1e-3
"""


@pytest.fixture
def file(tmp_path: Path, data: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL.format(data=data, epochs=2, test="true"))
    return path


def test_two_epochs(capsys, tmp_path, file):
    out = tmp_path / "run"
    assert _main.run(["train", str(file), "--out", str(out), "--augment.event-drop", "0.5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(f"10 recordings, 150 parameters, 2 epochs of 3 steps; in {out}")
    assert (
        lines[1].startswith("epoch 1/2  loss ") and " validation " in lines[1] and lines[1].endswith("  best")
    )
    assert lines[3].startswith("best: epoch ") and lines[4].startswith("test: ")
    assert lines[4].endswith("chosen on the validation split: the clean number")
    assert lines[5].startswith("test-selected: ") and lines[5].endswith(
        "too good by its choice; not a result"
    )
    assert lines[6] == f"kept in {out}; next: eventssm evaluate {out}"
    run = open_run(out)
    assert run.config.augment.event_drop == 0.5 and run.config.model.d_state == 4
    assert load_config(out / "config.toml").augment.event_drop == 0.5
    assert _main.run(["train", "--resume", str(out)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == lines[-1]
    assert _main.run(["train", str(file), "--out", str(out)]) == 1
    assert "expected a new folder, got a run (`eventssm train --resume" in capsys.readouterr().err


def test_sigterm_saves_and_says_how_to_go_on(tmp_path, data):
    file, out = tmp_path / "small.toml", tmp_path / "run"
    file.write_text(SMALL.format(data=data, epochs=100_000, test="false"))
    environment = os.environ | {"JAX_DISABLE_MOST_OPTIMIZATIONS": "1"}
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from eventssm.cli import main; main()",
            "train",
            str(file),
            "--out",
            str(out),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    metrics = out / "metrics.jsonl"
    while not (metrics.exists() and metrics.stat().st_size):
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    steps = open_run(out).place("last")["step"]
    assert errors == (
        f"eventssm: stopped by SIGTERM after step {steps}, saved in {out};"
        f" go on with: eventssm train --resume {out}\n"
    )
    assert sum(json.loads(line)["kind"] == "step" for line in metrics.read_text().splitlines()) == steps > 0


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        ([], 2, "DATASET|CONFIG: expected a data set or a file, got none"),
        (["digts"], 2, "run: expected one of audiomnist, digits, .*got 'digts' (did you mean 'digits'?)"),
        (["digits", "--model.d-sate", "3"], 2, "--model.d-sate, 3 (did you mean --model.d-state INT?)"),
        (["digits", "--epochs", "0"], 2, "epochs: expected a whole number >= 1, got 0"),
        (["digits", "--epochs", "many"], 2, "invalid literal"),
        (
            ["digits", "--optimizer.base-lr", "nan"],
            2,
            "optimizer: base_lr: expected 0 < base_lr < inf, got nan",
        ),
        (["digits", "--model.d-state", "30"], 2, "d_state: expected a multiple of block_size = 8, got 30"),
        (["digits", "--model.norm", "btch"], 2, "invalid choice 'btch' for argument '--model.norm'"),
        (
            ["digits", "--model.channels", "3"],
            2,
            "--model.channels: expected nothing, as the data say it, got 3",
        ),
        (["--epochs", "3", "digits"], 2, "DATASET|CONFIG: expected a data set or a file before all options"),
        (["digits", "--resume", "x"], 2, "--resume: expected no DATASET|CONFIG beside it, got 'digits'"),
        (
            ["--resume", "x", "--epochs", "3"],
            2,
            "--resume: expected a run to go on with as it is, got options",
        ),
        (["--resume", "x", "--out", "y"], 2, "--resume: expected no --out beside it, got y"),
        (["--resume", "nowhere"], 1, "nowhere: expected a run's folder, with run.json, got none"),
        (["digits", "--augment.roll", "3"], 1, "Roll: sensor 'cochlea-140': expected a camera"),
        (
            ["digits", "--data-dir", "x"],
            1,
            "--data-dir: expected nothing for digits, which is in the package",
        ),
        (["shd"], 1, "expected a store, as `eventssm prepare shd` makes it, got none"),
        (
            ["audiomnist", "--data-dir", "x"],
            1,
            "x: expected a folder with the files of audiomnist, got no folder",
        ),
        (["none.toml"], 2, "none.toml: no such file or directory"),
    ],
)
def test_wrong_use_is_one_line(capsys, tmp_path, monkeypatch, words, code, complaint):
    monkeypatch.chdir(tmp_path)
    assert _main.run(["train", *words]) == code
    out, err = capsys.readouterr()
    first, _, last = complaint.partition(".*")
    assert err.startswith("eventssm: ") and first in err and last in err and err.count("\n") == 1
    assert out == "" and not list(tmp_path.iterdir())


def test_help_shows_the_values_of_the_run(capsys):
    assert _main.run(["train", "ssc", "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "--epochs INT" in out and "(default: 200)" in out and "--resume" in out


def test_a_folder_that_cannot_be_written_to(capsys, tmp_path, monkeypatch, file):
    def refused(*arguments: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "run"))

    monkeypatch.setattr(Path, "mkdir", refused)
    assert _main.run(["train", str(file), "--out", str(tmp_path / "run")]) == 1
    assert capsys.readouterr().err == f"eventssm: {tmp_path / 'run'}: permission denied\n"


def test_lines_of_progress(tmp_path, data):
    plain, live = Console(width=110), Console(width=110, force_terminal=True, highlight=False)
    assert type(progress_lines(plain)) is EpochLines and type(progress_lines(live)) is LiveLine
    lines = progress_lines(live)
    with live.capture() as shown:
        lines.epochs = 3
        lines._steps, lines._epoch, lines._done = 4, 2, 2
        lines.status("compiling")
        lines.step(STEP, Pace(2_500_000.0, 3700.0))
        lines.epoch(EPOCH)
        lines._live.start()
        lines.close()
    text = shown.get()
    assert (
        "epoch 2/3  loss 0.500  accuracy 25.0%  validation 50.0% (loss 0.750)  66 events/s, waiting 0%"
        in text
    )
    assert "3/4  loss 0.500  accuracy 25.0%  2.50 M events/s  1:01:40 left" in text and "━" in text


def test_the_cache_of_compiled_programs(tmp_path, monkeypatch):
    before = jax.config.jax_compilation_cache_dir, jax.config.jax_persistent_cache_min_compile_time_secs
    try:
        jax.config.update("jax_compilation_cache_dir", None)
        _compilation.use_compilation_cache()
        assert jax.config.jax_compilation_cache_dir is None
        monkeypatch.delenv(_compilation.OFF)
        monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "mine")
        _compilation.use_compilation_cache()
        assert jax.config.jax_compilation_cache_dir is None
        monkeypatch.delenv("JAX_COMPILATION_CACHE_DIR")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        _compilation.use_compilation_cache()
        assert jax.config.jax_compilation_cache_dir == str(tmp_path / "eventssm" / "compiled")
        monkeypatch.setenv(_compilation.OFF, str(tmp_path / "other"))
        _compilation.use_compilation_cache()
        assert jax.config.jax_compilation_cache_dir == str(tmp_path / "other")
        (tmp_path / "a file").touch()
        monkeypatch.setenv(_compilation.OFF, str(tmp_path / "a file"))
        _compilation.use_compilation_cache()
        assert jax.config.jax_compilation_cache_dir == str(tmp_path / "other")
    finally:
        jax.config.update("jax_compilation_cache_dir", before[0])
        jax.config.update("jax_persistent_cache_min_compile_time_secs", before[1])


def test_the_store_is_made_when_files_are_given(capsys, tmp_path, shared, monkeypatch):
    words = ["n-mnist", "--data-dir", str(shared / "data"), "--root", str(tmp_path / "stores")]
    monkeypatch.setattr("eventssm.train.train", lambda config, out, root, watchers: stop(root))

    def stop(root: Path) -> None:
        assert (root / "n-mnist" / "manifest.json").exists()
        raise KeyboardInterrupt

    assert _main.run(["train", *words]) == 1
    assert capsys.readouterr().err == "eventssm: interrupted\n"
