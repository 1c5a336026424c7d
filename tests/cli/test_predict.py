"""The command predict: a line for each file, and one for what cannot be used."""

import json

import numpy as np
import pytest

from eventssm import Events, Sensor, read, write
from eventssm.cli import _main
from eventssm.train import open_run
from tests.runs import CLASSES, SENSOR


@pytest.fixture(scope="module")
def recording(run_folder):
    return run_folder.parent / "recordings" / "test" / "low" / "3.npz"


def test_a_line_for_each_file(run_folder, recording, capsys):
    files = [recording, recording.with_name("0.npz")]
    assert _main.run(["predict", str(run_folder), *map(str, files)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    for line, path in zip(lines, files, strict=True):
        assert line.startswith(f"{path}: ") and " % (then " in line and "settled after" in line
    assert "102 events in 0.153 s" in lines[0]


def test_json_lines_hold_what_the_model_says(run_folder, recording, capsys):
    assert _main.run(["predict", str(run_folder), str(recording), "--json", "--next", "5"]) == 0
    facts = json.loads(capsys.readouterr().out)
    events, model = read(recording), open_run(run_folder).model("best")
    found = model.anytime(events.channel, events.gaps_ms())
    logits = np.asarray(found.logits)[: int(found.count)]
    chances = np.exp(logits[-1]) / np.exp(logits[-1]).sum()
    order = np.argsort(-chances)
    assert facts["label"] == CLASSES[order[0]]
    assert facts["probability"] == pytest.approx(chances[order[0]], rel=1e-4)
    assert [other["label"] for other in facts["runners_up"]] == [CLASSES[at] for at in order[1:]]
    assert (facts["events"], facts["predictions"]) == (102, 25)
    said = logits.argmax(1)
    settled = facts["settled_after_events"] // 4 - 1
    assert (said[settled:] == order[0]).all() and (settled == 0 or said[settled - 1] != order[0])


def test_a_recording_too_short_to_say(run_folder, tmp_path, capsys):
    path = tmp_path / "short.npz"
    write(Events(SENSOR, t=np.arange(3), channel=np.zeros(3, np.int32)), path)
    assert _main.run(["predict", str(run_folder), str(path)]) == 0
    assert "too short to say: 3 events in 2e-06 s, and a prediction takes 4" in capsys.readouterr().out
    assert _main.run(["predict", str(run_folder), str(path), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["label"] is None and facts["predictions"] == 0 and facts["events_per_prediction"] == 4


def test_another_sensor_is_refused_or_thinned(run_folder, tmp_path, capsys):
    path = tmp_path / "fine.npz"
    channel = np.tile([0, 5, 10, 3], 20)
    write(Events(Sensor(name="fine", channels=35), t=np.arange(80) * 100, channel=channel), path)
    assert _main.run(["predict", str(run_folder), str(path)]) == 1
    assert (
        "fine.npz: sensor: expected that of the run, cochlea-7, got fine (--every 5 would keep every 5th"
        in capsys.readouterr().err
    )
    assert _main.run(["predict", str(run_folder), str(path), "--every", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["events"] == 60
    camera = tmp_path / "camera.npz"
    write(Events(Sensor(name="5x7", width=5, height=7), t=[0], channel=[1]), camera)
    assert _main.run(["predict", str(run_folder), str(camera)]) == 1
    assert capsys.readouterr().err.endswith("expected that of the run, cochlea-7, got 5x7\n")


def test_a_bad_file_does_not_keep_the_others_from_it(run_folder, recording, tmp_path, capsys):
    (tmp_path / "broken.npz").write_bytes(recording.read_bytes()[:100])
    files = [str(tmp_path / "gone.npz"), str(tmp_path / "broken.npz"), str(recording)]
    assert _main.run(["predict", str(run_folder), *files]) == 1
    out, err = capsys.readouterr()
    assert out.count("\n") == 1 and out.startswith(str(recording))
    assert err.splitlines()[0] == f"eventssm: {tmp_path / 'gone.npz'}: no such file or directory"
    assert err.splitlines()[1].startswith(f"eventssm: {tmp_path / 'broken.npz'}: ")
    assert err.splitlines()[2:] == ["eventssm: files: expected 3 that can be used, got 1"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["RUN"], "FILE: expected at least one recording, got none"),
        (["RUN", "gone.npz"], "gone.npz: no such file or directory"),
        (["nowhere", "gone.npz"], "nowhere: expected a run's folder, got nothing there"),
        (["RUN/..", "gone.npz"], "expected a run's folder, with run.json, got none"),
        (["RUN", "gone.npz", "--every", "0"], "--every: expected a whole number >= 1, got 0"),
        (["RUN", "gone.npz", "--next", "-1"], "--next: expected a whole number >= 0, got -1"),
    ],
)
def test_wrong_use_is_one_line(run_folder, capsys, arguments, complaint):
    given = [word.replace("RUN", str(run_folder)) for word in arguments]
    assert _main.run(["predict", *given]) == 1
    err = capsys.readouterr().err
    assert complaint in err and err.count("\n") == 1
