"""The command report: a page that needs nothing else."""

import json
import re
import shutil
from html.parser import HTMLParser

import pytest

import eventssm as es
from eventssm.cli import _main
from tests.runs import make_run, save_checkpoint
from tests.support import random_classifier
from tests.train import small

VOID = {"meta", "img", "br", "link", "input", "hr"}


class Page(HTMLParser):
    """Elements that open and close, what they are called, and what they load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        self.targets += [given[key] for key in ("src", "href", "xlink:href") if key in given]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def read_page(path):
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    assert page.open == []
    return page


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two epochs of training on a few recordings."""
    folder = tmp_path_factory.mktemp("reported")
    small.make_folder(folder / "data")
    config = small.config(folder / "data", report_test_selected=True)
    return es.train(config, folder / "run", root=folder / "root")


@pytest.fixture(scope="module")
def page(run):
    assert _main.run(["report", str(run.folder)]) == 0
    return read_page(run.folder / "report.html")


def test_it_loads_nothing(page, run):
    assert page.targets
    for target in page.targets:
        assert target.startswith(("#", "data:image/png;base64,"))
    text = (run.folder / "report.html").read_text()
    assert not re.search(r"https?:|@import|url\((?!#)", text.replace("http://www.w3.org/", ""))


def test_every_link_leads_somewhere_and_names_are_used_once(page):
    assert len(set(page.ids)) == len(page.ids)
    for target in page.targets:
        assert not target.startswith("#") or target[1:] in page.ids


def test_it_has_every_part(page, run):
    text = " ".join(page.text)
    parts = {"results", "training", "classes", "anytime", "calibration", "time-scales", "hard", "settings"}
    assert parts <= set(page.ids)
    figures = json.loads((run.folder / "evaluation" / "test" / "evaluation.json").read_text())
    assert f"{100 * figures['accuracy']['value']:.1f} %" in text and figures["model"] in text
    words = ("high", "low", "2 epochs read", "d_state", "at the start", "eventssm train", "not a result")
    assert [word for word in words if word not in text] == []
    assert sum(target.startswith("data:") for target in page.targets) == 4


def test_it_is_the_same_each_time(run, page, tmp_path):
    assert _main.run(["report", str(run.folder), "--out", str(tmp_path / "again.html")]) == 0
    assert (tmp_path / "again.html").read_bytes() == (run.folder / "report.html").read_bytes()


def test_a_run_that_was_killed_while_it_wrote(run, page, tmp_path):
    shutil.copytree(run.folder, tmp_path / "run")
    with (tmp_path / "run" / "metrics.jsonl").open("a") as file:
        file.write('{"kind": "step", "st')
    assert _main.run(["report", str(tmp_path / "run")]) == 0
    assert "2 epochs read" in " ".join(read_page(tmp_path / "run" / "report.html").text)


def test_a_model_that_was_not_evaluated_is(tmp_path):
    run = make_run(tmp_path)
    assert _main.run(["report", str(run.folder)]) == 0
    before = json.loads((run.folder / "evaluation" / "test" / "evaluation.json").read_text())
    save_checkpoint(run, random_classifier(run.config.model, seed=9), 0.5)
    assert _main.run(["report", str(run.folder)]) == 0
    after = json.loads((run.folder / "evaluation" / "test" / "evaluation.json").read_text())
    assert before["model"] != after["model"]
    text = (run.folder / "report.html").read_text()
    assert after["model"] in text and before["model"] not in text


def test_without_the_recordings_it_says_so(run, page, tmp_path):
    shutil.copytree(run.folder, tmp_path / "run")
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    record["config"]["data"]["name"] = f"folder:{tmp_path / 'gone'}"
    (tmp_path / "run" / "run.json").write_text(json.dumps(record))
    assert _main.run(["report", str(tmp_path / "run")]) == 0
    found = read_page(tmp_path / "run" / "report.html")
    assert "The recordings themselves are not shown" in " ".join(found.text)
    assert not any(target.startswith("data:") for target in found.targets)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--out", "page.pdf"], "--out: expected a name that ends in .html, got page.pdf"),
        (["--out", "nowhere/page.html"], "nowhere: expected a folder that exists, got none"),
    ],
)
def test_wrong_use_is_one_line(run, capsys, arguments, complaint):
    assert _main.run(["report", str(run.folder), *arguments]) == 1
    err = capsys.readouterr().err
    assert complaint in err and err.count("\n") == 1
