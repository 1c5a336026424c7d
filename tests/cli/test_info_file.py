"""What the command info says of files."""

import json

import numpy as np
import pytest

import eventssm as es
from eventssm import Events, Sensor
from eventssm.cli import _main
from tests.files.samples import CAMERA, SAMPLES, random_events


def facts(capsys, *arguments):
    assert _main.run(["info", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_real_file(capsys, shared):
    assert _main.run(["info", str(shared / "formats/gen4.dat")]) == 0
    rows = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert rows["format"].startswith("dat, 9,749,011 bytes")
    assert rows["sensor"].startswith("1280x720, 1,843,200 channels")
    assert rows["events"].strip() == "1,218,618" and rows["duration"].strip() == "10.768 s"
    assert rows["times"].strip() == "5,856 to 10,773,853 us" and rows["rate"].strip() == "113,170 events/s"
    assert rows["polarity"].strip() == "45.4% ON"


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in ("evt3-vectors", "evt2.1")])
def test_every_format(tmp_path, capsys, name):
    format, make = SAMPLES[name]
    make(tmp_path / "sample")
    given = ["--sensor", "64x48"] if name in ("npy", "npz-structured") else []
    found = facts(capsys, tmp_path / "sample", "--from", format, *given)
    assert (found["format"], found["events"], found["recordings"], found["backwards"]) == (format, 40, 1, 0)
    assert found["last_us"] - found["first_us"] == round(found["duration_s"] * 1e6)
    assert found["rate_per_s"] == pytest.approx(40 / found["duration_s"])


def test_a_file_of_several(shared, capsys):
    sample = shared / "data/shd-layout-sample.h5"
    found = facts(capsys, sample)
    assert (found["recordings"], found["events"], found["on_share"]) == (60, 550_232, None)
    assert facts(capsys, sample, "--index", 3)["events"] == len(es.read(sample, index=3))
    _main.run(["info", str(sample)])
    assert "60 (--index N tells of one)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("t", "x", "odd"),
    [
        ([], [], "no events"),
        ([5, 5, 5], [1, 2, 3], "all events have the same time"),
        ([0, 1, 10**7], [1, 2, 3], "a silence of 10 s, more than half of the duration"),
        (range(2000), [9] * 2000, "100% of the events are of one channel, x 9, y 0, OFF"),
    ],
)
def test_what_is_odd(tmp_path, capsys, t, x, odd):
    zeros = np.zeros(len(x), int)
    es.write(Events(CAMERA, t=np.array(t, int), x=np.array(x, int), y=zeros, p=zeros), tmp_path / "a.npz")
    assert facts(capsys, tmp_path / "a.npz")["odd"] == [odd]
    assert _main.run(["info", str(tmp_path / "a.npz")]) == 0
    assert odd in capsys.readouterr().out


def test_times_that_go_backwards_are_told_of(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("t,channel@9\n5,1\n4,1\n6,1\n")
    found = facts(capsys, tmp_path / "a.csv")
    assert found["backwards"] == 1 and found["events"] == 2
    assert found["odd"] == ["times go backwards: 1 of the events were left out"]


def test_a_hot_channel_of_a_cochlea(tmp_path, capsys):
    sensor = Sensor(name="ear", channels=700)
    es.write(Events(sensor, t=np.arange(2000), channel=np.full(2000, 42)), tmp_path / "a.npz")
    assert facts(capsys, tmp_path / "a.npz")["odd"] == ["100% of the events are of one channel, 42"]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.raw", b"", "file: expected a recording, got 0 bytes"),
        ("a.jpg", b"\xff\xd8\xff", "suffix: expected one of a known format"),
        ("a.raw", b"% evt 3.0\n% end\n\0\0", "sensor: expected one to be given, such as 640x480"),
        ("a.csv", b"t,channel@9\n5,9\n", "channel[0]: expected 0 <= channel < 9, got 9 (line 2)"),
        ("a.h5", b"\x89HDF\r\n\x1a\n" + bytes(99), "HDF5: expected a whole file in a known layout, got "),
        ("a.npz", b"PK\x03\x04", "archive: expected a whole npz file, got "),
    ],
)
def test_bad_files_are_one_line(tmp_path, capsys, name, content, complaint):
    (tmp_path / name).write_bytes(content)
    assert _main.run(["info", str(tmp_path / name)]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"eventssm: {tmp_path / name}: {complaint}") and err.count("\n") == 1


def test_random_events_have_nothing_odd(tmp_path, capsys):
    es.write(random_events(count=5000), tmp_path / "a.npz")
    assert facts(capsys, tmp_path / "a.npz")["odd"] == []
