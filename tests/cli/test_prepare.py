"""The command prepare."""

import json

import pytest

from eventssm.cli import _main


def test_the_list(capsys, tmp_path):
    assert _main.run(["prepare", "--root", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "dvs128-gesture" in out and "folder:PATH" in out and "yes" not in out


def test_a_store_and_its_summary(capsys, tmp_path, shared):
    arguments = ["prepare", "n-mnist", "--root", str(tmp_path), "--data-dir", str(shared / "data")]
    assert _main.run(arguments) == 0
    out = capsys.readouterr().out
    assert "train: 720 recordings, 2,974,358 events" in out and "validation: 80 recordings" in out
    made = (tmp_path / "n-mnist/manifest.json").stat().st_mtime_ns
    assert _main.run(arguments) == 0 and (tmp_path / "n-mnist/manifest.json").stat().st_mtime_ns == made
    assert _main.run([*arguments, "--again"]) == 0
    assert (tmp_path / "n-mnist/manifest.json").stat().st_mtime_ns != made
    capsys.readouterr()
    assert _main.run(["prepare", "--root", str(tmp_path)]) == 0
    assert "yes" in capsys.readouterr().out


def test_the_embedded_recordings_have_subjects(capsys, tmp_path):
    assert _main.run(["prepare", "digits", "--root", str(tmp_path)]) == 0
    assert "test: 400 recordings, 752,306 events, 8 subjects" in capsys.readouterr().out
    assert json.loads((tmp_path / "digits/manifest.json").read_text())["name"] == "digits"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["sdh"], "data set: expected one of digits"),
        (["n-mnist"], "data_dir: expected a folder with the files of n-mnist, got none"),
        (["n-mnist", "--data-dir", "nowhere"], "nowhere: expected a folder with the files of n-mnist"),
        (["shd", "--sensor", "700"], "--sensor: expected a data set folder:PATH"),
        (["folder:nowhere"], "nowhere: expected a folder with recordings, got no folder"),
    ],
)
def test_wrong_use_is_one_line(capsys, tmp_path, arguments, complaint):
    assert _main.run(["prepare", *arguments, "--root", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert complaint in err and err.count("\n") == 1
