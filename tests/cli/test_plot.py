"""The command plot."""

import matplotlib.image
import pytest

import eventssm as es
from eventssm.cli import _main
from tests.files.samples import COCHLEA, random_events


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    es.write(random_events(count=3000), tmp_path / "walk.npz")
    es.write(random_events(COCHLEA, count=3000), tmp_path / "word.h5")
    return tmp_path


def colours(path):
    return {
        tuple(colour)
        for colour in (matplotlib.image.imread(path)[..., :3] * 255).round().astype(int).reshape(-1, 3)
    }


def test_a_camera(here, capsys):
    assert _main.run(["plot", "walk.npz"]) == 0
    assert capsys.readouterr().out == "walk.png\n"
    assert {(0xD1, 0x49, 0x5B), (0x2E, 0x6F, 0x9E)} <= colours(here / "walk.png"), "ON and OFF of the rate"


def test_the_moment_and_the_decay(here):
    for name, options in {
        "a": ["--at-ms", "10"], "b": ["--at-ms", "4000"], "c": ["--at-ms", "10", "--decay-ms", "1"]
    }.items():  # fmt: skip
        assert _main.run(["plot", "walk.npz", f"{name}.png", *options]) == 0
    assert len({(here / f"{name}.png").read_bytes() for name in "abc"}) == 3


def test_a_cochlea_has_no_polarities(here):
    assert _main.run(["plot", "word.h5", "word.png"]) == 0
    assert not {(0xD1, 0x49, 0x5B), (0x2E, 0x6F, 0x9E)} & colours(here / "word.png")


def test_one_of_several(here, shared):
    sample = str(shared / "data/shd-layout-sample.h5")
    assert _main.run(["plot", sample, "a.png", "--index", "3"]) == 0
    assert _main.run(["plot", sample, "b.png"]) == 1


def test_dropped_events_are_told_of(here, capsys):
    (here / "a.csv").write_text("t,x@9,y@9,p\n5,1,1,1\n4,1,1,1\n6,1,1,0\n")
    assert _main.run(["plot", "a.csv"]) == 0
    assert capsys.readouterr().out == "a.png (dropped 1 whose time went backwards)\n"


@pytest.mark.parametrize("text", ["", "5,1,1,1\n", "5,1,1,1\n5,1,1,0\n", f"0,1,1,1\n{10**17},8,8,0\n"])
def test_none_one_and_far_apart(here, text):
    (here / "a.csv").write_text(f"t,x@9,y@9,p\n{text}")
    assert _main.run(["plot", "a.csv"]) == 0
    (here / "b.csv").write_text(
        "t,channel@9\n" + "".join(f"{line.split(',')[0]},8\n" for line in text.splitlines())
    )
    assert _main.run(["plot", "b.csv"]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["walk.npz", "a.jpg"], 1, "suffix: expected '.png', got '.jpg'"),
        (["walk.npz", "nowhere/a.png"], 1, "folder: expected one that exists, got 'nowhere'"),
        (["walk.npz", "--at-ms", "nan"], 1, "at_ms: expected a time >= 0, got nan"),
        (["walk.npz", "--decay-ms", "0"], 1, "decay_ms: expected a time above 0, got 0"),
        (["walk.npz", "--index", "-1"], 1, "index: expected a whole number >= 0, got -1"),
        (["nothing.npz"], 1, "nothing.npz: no such file or directory"),
        ([], 2, "Missing from eventssm plot: PATH"),
        (["walk.npz", "--at-ms", "noon"], 2, "--at-ms"),
    ],
)
def test_wrong_use_is_one_line_and_leaves_nothing(here, capsys, arguments, code, complaint):
    assert _main.run(["plot", *arguments]) == code
    err = capsys.readouterr().err
    assert complaint in err and err.count("\n") == 1
    assert list(here.glob("*.png")) == []
