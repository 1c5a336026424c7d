"""Checkpoints: the best and the last are kept, they hold every bit, and failures to write lose nothing."""

import shutil
import subprocess
import sys
from dataclasses import replace

import jax
import numpy as np
import optax
import pytest

from eventssm import InputError
from eventssm._checks import HaltedError
from eventssm.train import init_state
from eventssm.train._checkpoints import Checkpoints, Scores
from tests.support import random_classifier
from tests.train.small import MODEL


def state(seed: int = 0, **changes: int):
    return init_state(random_classifier(replace(MODEL, **changes), seed=seed), optax.adam(0.1), 2)


def numbers(checkpoints: Checkpoints) -> list[str]:
    return sorted(path.name for path in checkpoints.folder.iterdir())


def test_the_best_and_the_last_are_kept(tmp_path):
    given = [(0.1, 2.0), (0.5, 0.3), (0.5, 0.4), None, (0.5, 0.3), (0.6, 0.9), (0.2, 1.0)]
    want = [["1"], ["2"], ["2", "3"], ["2", "4"], ["2", "5"], ["6"], ["6", "7"]]
    saved = state()
    with Checkpoints(tmp_path) as checkpoints:
        assert not checkpoints.any() and checkpoints.describe_last() == "none"
        for number, (pair, left) in enumerate(zip(given, want, strict=True), 1):
            scores = None if pair is None else Scores(*pair, epoch=number)
            checkpoints.save(saved, {"step": 10 * number}, scores)
            checkpoints.wait()
            assert numbers(checkpoints) == left
    with Checkpoints(tmp_path, read_only=True) as again:
        assert (again.number("best"), again.number("last")) == (6, 7)
        assert (again.place("best"), again.place("last")) == ({"step": 60}, {"step": 70})
        assert again.describe_last() == f"{tmp_path / 'checkpoints' / '7'} (step 70)"
        with pytest.raises(InputError, match=r"which: expected one of best, last, got 'bst'"):
            again.number("bst")


def test_they_hold_every_bit(tmp_path):
    saved, place = state(1), {"step": 3, "loss": 0.1 + 0.2, "none": None}
    with Checkpoints(tmp_path) as checkpoints:
        checkpoints.save(saved, place)
        checkpoints.wait()
        found, where = checkpoints.last(jax.eval_shape(lambda: saved))
        model = checkpoints.model("best", jax.eval_shape(lambda: saved.model))
    assert where == place and jax.tree.structure(found) == jax.tree.structure(saved)
    for one, other in ((found, saved), (model, saved.model)):
        for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
            assert a.dtype == b.dtype and np.asarray(a).tobytes() == np.asarray(b).tobytes()


def test_what_is_saved_is_a_copy(tmp_path):
    saved = state(2)
    want = np.array(saved.model.embedding)
    spoil = jax.jit(lambda tree: jax.tree.map(lambda leaf: leaf * 0, tree), donate_argnums=0)
    with Checkpoints(tmp_path) as checkpoints:
        checkpoints.save(saved, {"step": 1})
        spoil(saved)
        checkpoints.wait()
        found = checkpoints.model("last", jax.eval_shape(lambda: state(2).model))
    np.testing.assert_array_equal(found.embedding, want)


def test_another_shape_is_refused(tmp_path):
    with Checkpoints(tmp_path) as checkpoints:
        checkpoints.save(state(), {"step": 1})
        checkpoints.wait()
        with pytest.raises(InputError, match=r"checkpoints/1: .*phi: expected float32 \(4,\), got .*\(2,\)"):
            checkpoints.last(jax.eval_shape(lambda: state(d_state=8)))
        with pytest.raises(InputError, match=r"checkpoints/1/model: arrays: expected .* too many or missing"):
            checkpoints.model("last", jax.eval_shape(lambda: state(blocks_per_stage=2).model))


def test_a_damaged_one_is_refused(tmp_path):
    with Checkpoints(tmp_path) as checkpoints:
        checkpoints.save(state(), {"step": 1})
        checkpoints.wait()
    for path in (checkpoints.folder / "1" / "model").rglob("*"):
        if path.is_file():
            path.write_bytes(b"")
    with (
        Checkpoints(tmp_path, read_only=True) as again,
        pytest.raises(InputError, match="checkpoints/1: expected a whole checkpoint, got "),
    ):
        again.model("last", jax.eval_shape(lambda: state().model))


def test_none_at_all(tmp_path):
    with (
        Checkpoints(tmp_path) as checkpoints,
        pytest.raises(InputError, match="expected a checkpoint, got none"),
    ):
        checkpoints.place("last")


def test_a_full_disk_leaves_the_one_before(tmp_path, monkeypatch):
    saved, full = state(), shutil.disk_usage("/")._replace(free=1_000_000)
    with Checkpoints(tmp_path) as checkpoints:
        checkpoints.save(saved, {"step": 1})
        monkeypatch.setattr(shutil, "disk_usage", lambda path: full)
        words = r"got: no space left: 1,\d+,\d+ bytes are needed, 1,000,000 are free; last .*/1 \(step 1\)"
        with pytest.raises(HaltedError, match=words):
            checkpoints.save(saved, {"step": 2})
    with Checkpoints(tmp_path) as again:
        assert again.place("last") == {"step": 1} and numbers(again) == ["1"]


def test_a_write_that_fails_leaves_the_one_before(tmp_path):
    with Checkpoints(tmp_path) as checkpoints:
        checkpoints.save(state(), {"step": 1})
    done = subprocess.run([sys.executable, "-c", FAILING, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "expected to write a checkpoint, got: " in done.stdout
    assert f"last good checkpoint: {tmp_path}/checkpoints/1 (step 1)" in done.stdout
    with Checkpoints(tmp_path) as again:
        assert again.place("last") == {"step": 1}
        again.save(state(), {"step": 2})
        again.wait()
        assert again.place("last") == {"step": 2} and numbers(again) == ["2"]


FAILING = """
import resource, sys
from pathlib import Path
from eventssm._checks import HaltedError
from eventssm.train._checkpoints import Checkpoints
from tests.train.test_checkpoints import state

saved = state()
with Checkpoints(Path(sys.argv[1])) as checkpoints:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    try:
        checkpoints.save(saved, {"step": 2})
        checkpoints.wait()
    except HaltedError as halted:
        print(halted)
"""
