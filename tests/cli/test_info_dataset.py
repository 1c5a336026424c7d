"""What the commands info and plot say of data sets."""

import json

import pytest

import eventssm as es
from eventssm.cli import _main
from eventssm.datasets import prepare_store
from tests.datasets.small import collection
from tests.files.samples import random_events


def test_the_papers_table_row(capsys):
    assert _main.run(["info", "digits", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["classes"] == 10 and facts["all"]["recordings"] == 2400 and facts["all"]["median"] == 1790
    assert facts["splits"]["train"]["recordings"] == 1800
    assert facts["events_per_class"]["six"]["median"] == 1293


def test_a_store(capsys, tmp_path):
    place = prepare_store(collection(), tmp_path / "mine")
    assert _main.run(["info", str(place)]) == 0
    out = capsys.readouterr().out
    assert "3 classes, cochlea-7" in out and "train" in out and "●" in out
    assert _main.run(["plot", str(place), str(tmp_path / "classes.png")]) == 0
    assert (tmp_path / "classes.png").read_bytes().startswith(b"\x89PNG")


def test_a_folder_of_ones_own(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("EVENTSSM_DATA", str(tmp_path / "stores"))
    for label in ("left", "right"):
        for number in range(3):
            place = tmp_path / "mine" / label / f"{number}.npz"
            place.parent.mkdir(parents=True, exist_ok=True)
            es.write(random_events(seed=number), place)
    name = f"folder:{tmp_path / 'mine'}"
    assert _main.run(["info", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["all"]["recordings"] == 6
    assert _main.run(["plot", name, str(tmp_path / "classes.png")]) == 0


def test_a_data_set_that_is_not_there(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("EVENTSSM_DATA", str(tmp_path))
    assert _main.run(["info", "shd"]) == 1
    assert "expected a store, as `eventssm prepare shd` makes it, got none" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["info", "plot"])
def test_neither_file_nor_data_set(capsys, tmp_path, command):
    assert _main.run([command, str(tmp_path / "nowhere")]) == 1
    assert capsys.readouterr().err == f"eventssm: {tmp_path / 'nowhere'}: no such file or directory\n"
    assert _main.run([command, str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"eventssm: {tmp_path}: is a directory\n"
