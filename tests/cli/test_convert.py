"""The command convert."""

import subprocess
import sys

import numpy as np
import pytest

import eventssm as es
from eventssm.cli import _main
from eventssm.files import FORMATS
from tests.files.samples import COCHLEA, random_events

EVENTS = random_events()


@pytest.fixture
def walk(tmp_path):
    es.write(EVENTS, tmp_path / "walk.npz")
    return tmp_path / "walk.npz"


def run(*arguments):
    return _main.run(["convert", *map(str, arguments)])


@pytest.mark.parametrize("name", [name for name, format in FORMATS.items() if format.writer])
def test_to_every_format_and_back(walk, tmp_path, capsys, name):
    suffix = FORMATS[name].suffixes[0]
    assert run(walk, tmp_path / f"out{suffix}") == 0
    out, err = capsys.readouterr()
    assert (
        out.startswith(f"{walk} (npz) -> {tmp_path / 'out'}{suffix} ({name}): 40 events in 0.0") and err == ""
    )
    assert run(tmp_path / f"out{suffix}", tmp_path / "back.npz") == 0
    assert es.read(tmp_path / "back.npz") == EVENTS


def test_a_stretch_of_time(walk, tmp_path, capsys):
    assert run(walk, tmp_path / "part.csv", "--start-ms", "10", "--stop-ms", "20.5") == 0
    since = EVENTS.t - EVENTS.t[0]
    part = EVENTS.t[(since >= 10_000) & (since < 20_500)]
    assert 0 < len(part) < 40 and np.array_equal(es.read(tmp_path / "part.csv").t, part)
    assert f"{len(part)} events in {(part[-1] - part[0]) / 1e6:.6g} s" in capsys.readouterr().out
    assert run(walk, tmp_path / "none.csv", "--start-ms", "1e9") == 0
    assert len(es.read(tmp_path / "none.csv")) == 0


def test_what_files_do_not_say(tmp_path, capsys):
    path = tmp_path / "bare.txt"
    path.write_text("5,1,2,1\n4,1,2,0\n7,3,4,0\n")
    assert run(path, tmp_path / "a.npz", "--sensor", "64x48", "--backwards", "drop") == 0
    assert "2 events in 2e-06 s; 1 dropped, as their time went backwards" in capsys.readouterr().out
    assert es.read(tmp_path / "a.npz").x.tolist() == [1, 3]
    assert (
        run(path, tmp_path / "b", "--sensor", "64x48", "--backwards", "drop", "--to", "dat", "--from", "csv")
        == 0
    )
    assert es.open(tmp_path / "b").format.name == "dat"


def test_one_of_several(tmp_path, shared, capsys):
    sample = shared / "data/shd-layout-sample.h5"
    assert run(sample, tmp_path / "one.csv", "--index", "3") == 0
    assert es.read(tmp_path / "one.csv") == es.read(sample, index=3)


def test_what_is_there_stays(walk, tmp_path, capsys):
    target = tmp_path / "out.csv"
    target.write_text("precious")
    assert run(walk, target) == 1
    assert (
        capsys.readouterr().err
        == f"eventssm: {target}: expected a file that does not exist, or --force, got one that does\n"
    )
    target.chmod(0o444)
    assert run(walk, target, "--force") == 1, "even root does not write over what is read-only"
    assert (
        f"{target}: file: expected one that may be written to, got a read-only one" in capsys.readouterr().err
    )
    assert target.read_text() == "precious"
    target.chmod(0o644)
    assert run(walk, target, "--force") == 0 and len(es.read(target)) == 40


def test_a_file_is_not_written_over_itself(walk, tmp_path, capsys):
    before = walk.read_bytes()
    (tmp_path / "link.npz").symlink_to(walk)
    for target in (walk, tmp_path / "link.npz"):
        assert run(walk, target, "--force") == 1
        assert f"{target}: expected another file than IN, got the same" in capsys.readouterr().err
    assert walk.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["nowhere.raw", "a.npz"], 1, "nowhere.raw: no such file or directory"),
        (["walk.npz", "a.jpg"], 1, "suffix: expected one to write to, such as .raw"),
        (["walk.npz", "a.npz", "--to", "evt4"], 1, "format: expected one of evt3, evt2"),
        (["walk.npz", "nowhere/a.npz"], 1, "folder: expected one that exists, got "),
        (
            ["walk.npz", "a.npz", "--from", "dat"],
            1,
            "format: expected npz, which the file says it is, got dat",
        ),
        (
            ["walk.npz", "a.npz", "--sensor", "9x9"],
            1,
            "sensor: expected 64x48, which the file names, got 9x9",
        ),
        (["walk.npz", "a.npz", "--sensor", "big"], 1, "sensor: expected WIDTHxHEIGHT such as 640x480"),
        (["walk.npz", "a.npz", "--start-ms", "nan"], 1, "--start-ms: expected a time >= 0, got nan"),
        (
            ["walk.npz", "a.npz", "--start-ms", "5", "--stop-ms", "5"],
            1,
            "--stop-ms: expected a time after 5, got 5",
        ),
        (["ear.npz", "a.raw"], 1, "a.raw: sensor: expected a camera for evt files, got 'cochlea-700'"),
        (["cut.dat", "a.npz"], 1, "cut.dat: byte "),
        (["empty.raw", "a.npz"], 1, "empty.raw: file: expected a recording, got 0 bytes"),
        ([".", "a.npz"], 1, ": is a directory"),
        (["walk.npz"], 2, "Missing from eventssm convert: OUT"),
        (["walk.npz", "a.npz", "--stop-ms", "soon"], 2, "--stop-ms"),
        (["walk.npz", "a.npz", "--backwards", "sort"], 2, "--backwards"),
    ],
)
def test_wrong_use_is_one_line_and_leaves_nothing(
    walk, tmp_path, capsys, monkeypatch, arguments, code, complaint
):
    monkeypatch.chdir(tmp_path)
    es.write(random_events(COCHLEA), tmp_path / "ear.npz")
    es.write(EVENTS, tmp_path / "whole.dat")
    (tmp_path / "cut.dat").write_bytes((tmp_path / "whole.dat").read_bytes()[:-3])
    (tmp_path / "empty.raw").touch()
    before = sorted(tmp_path.iterdir())
    assert run(*arguments) == code
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("eventssm: ") and complaint in err and err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_damage_that_the_library_shouts_about_is_one_line(tmp_path):
    """In a process of its own, as Rust writes past Python's idea of the error stream."""
    es.write(EVENTS, tmp_path / "a.es")
    data = (tmp_path / "a.es").read_bytes()
    (tmp_path / "a.es").write_bytes(data[:-1])
    program = "import sys; from eventssm.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", program, "convert", str(tmp_path / "a.es"), str(tmp_path / "b.csv")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 1) and done.stderr.count("\n") == done.returncode
    (tmp_path / "a.es").write_bytes(data[:12] + b"\xff" * 9 + data[21:])
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
