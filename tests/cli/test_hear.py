"""`eventssm hear`: what it writes, says and refuses."""

import numpy as np
import pytest
import soundfile

import eventssm as es
from eventssm.bench._hear import voice
from eventssm.cli import _main
from eventssm.cochlea import Cochlea, hear

RATE = 16_000
ARGUMENTS = ("--channels", "28")


@pytest.fixture
def word(tmp_path):
    path = tmp_path / "word.wav"
    soundfile.write(path, voice(0.3, RATE), RATE, subtype="FLOAT")
    return path


@pytest.mark.parametrize("name", ["out.h5", "out.npz", "out.csv"])
def test_it_writes_what_hear_gives(word, tmp_path, name, capsys):
    out = tmp_path / name
    assert _main.run(["hear", str(word), str(out), *ARGUMENTS, "--seed", "7"]) == 0
    want = hear(soundfile.read(word)[0], RATE, Cochlea(channels=28), seed=7)
    got = es.read(out)
    assert got == want and len(got) > 100
    said = capsys.readouterr()
    assert f"{len(got):,} events on 28 channels in 0.3 s" in said.out and said.err == ""


def test_seeds(word, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert (
            _main.run(["hear", str(word), str(tmp_path / f"{name}.npz"), *ARGUMENTS, "--seed", str(seed)])
            == 0
        )
    a, b, c = (es.read(tmp_path / f"{name}.npz") for name in "abc")
    assert a == b != c


def test_a_file_is_not_replaced_unless_asked(word, tmp_path, capsys):
    out = tmp_path / "out.npz"
    out.write_text("mine")
    assert _main.run(["hear", str(word), str(out), *ARGUMENTS]) == 1
    assert "expected a file that does not exist, or --force, got one that does" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert _main.run(["hear", str(word), str(out), *ARGUMENTS, "--force"]) == 0
    assert len(es.read(out)) > 100


def wrong(tmp_path, samples, **options):
    path = tmp_path / "wrong.wav"
    soundfile.write(path, samples, RATE, **options)
    return path


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda folder: folder / "none.wav", "none.wav: no such file or directory"),
        (lambda folder: folder, "is a directory"),
        (lambda folder: wrong(folder, np.zeros(RATE)), "wrong.wav: audio: expected sound, got silence"),
        (lambda folder: wrong(folder, np.zeros(0)), "wrong.wav: audio: expected samples, got none"),
        (
            lambda folder: wrong(folder, np.ones(100)),
            "wrong.wav: audio: expected at least 60 ms, two ramps of 30 ms, got 6.25 ms",
        ),
        (
            lambda folder: wrong(folder, np.full(RATE, np.nan), subtype="FLOAT"),
            "wrong.wav: audio[0]: expected a finite number, got nan",
        ),
    ],
)
def test_failures_are_one_line_that_names_the_sound(make, line, tmp_path, capsys):
    out = tmp_path / "out.npz"
    assert _main.run(["hear", str(make(tmp_path)), str(out), *ARGUMENTS]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("eventssm: ") and line in said.err and said.err.count("\n") == 1
    assert "out.npz" not in said.err and not list(tmp_path.glob("out*"))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--channels", "0"], "--channels: channels: expected a whole number >= 1, got 0"),
        (["--seed", "-1"], "--seed: expected a whole number >= 0, got -1"),
        (["--to", "evt3"], "sensor: expected a camera for evt files, got 'cochlea-28'"),
        (["--to", "mp3"], "format: expected one of evt3, "),
    ],
)
def test_wrong_options_are_one_line(word, arguments, line, tmp_path, capsys):
    assert _main.run(["hear", str(word), str(tmp_path / "out.npz"), *ARGUMENTS, *arguments]) == 1
    said = capsys.readouterr().err
    assert line in said and said.count("\n") == 1 and not (tmp_path / "out.npz").exists()


def test_help(capsys):
    assert _main.run(["hear", "--help"]) == 0
    said = capsys.readouterr().out
    assert "AUDIO OUT" in said and "--seed" in said and "eventssm hear word.wav word.h5" in said
