"""The command: what it prints, its exit codes, its one line of error."""

import json
import subprocess
import sys

import pytest

from eventssm import InputError, presets
from eventssm.cli import _info, _main


def test_info(capsys):
    assert _main.run(["info"]) == 0
    out = capsys.readouterr().out
    assert "jax 0." in out and "cpu" in out
    for name in presets:
        assert name in out


def test_info_as_json(capsys):
    assert _main.run(["info", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["presets"].keys() == presets.keys()
    assert facts["presets"]["dvs-small"]["embedding_parameters"] == 4_194_304


@pytest.mark.parametrize("argv", [[], ["--help"], ["info", "--help"]])
def test_help(argv, capsys):
    assert _main.run(argv) == 0
    assert "usage: eventssm" in capsys.readouterr().out


def test_version(capsys):
    assert _main.run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("eventssm 0.")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["inof"], "command: expected one of info, convert, "),
        (["info", "--jsn"], "Unrecognized options: --jsn (did you mean --json?) (see eventssm info --help)"),
        (["inof"], "got 'inof' (did you mean 'info'?)"),
        (["info", "one", "two"], "Unrecognized options: two (see eventssm info --help)"),
        (["--debug"], "(see eventssm --help)"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(argv, message, capsys):
    assert _main.run(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("eventssm: ") and message in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (InputError("t[3]: expected a time >= 5, got 4"), "eventssm: t[3]: expected a time >= 5, got 4"),
        (
            FileNotFoundError(2, "No such file or directory", "walk.raw"),
            "eventssm: walk.raw: no such file or directory",
        ),
        (RuntimeError("two\nlines"), "eventssm: RuntimeError: two lines (--debug shows where)"),
        (KeyboardInterrupt(), "eventssm: interrupted"),
    ],
)
def test_failure_is_one_line_and_exit_code_1(problem, line, capsys, monkeypatch):
    def fail():
        raise problem

    monkeypatch.setattr(_info, "_facts", fail)
    assert _main.run(["info"]) == 1
    err = capsys.readouterr().err
    assert err.startswith(line) and err.count("\n") == 1


def test_debug_shows_the_traceback(monkeypatch):
    def fail():
        raise InputError("no")

    monkeypatch.setattr(_info, "_facts", fail)
    with pytest.raises(InputError, match="no"):
        _main.run(["info", "--debug"])


def test_the_installed_command():
    program = "from eventssm.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", program, "inof"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_reader_that_has_seen_enough():
    program = "from eventssm.cli import main; main()"
    for arguments in (["--help"], ["info", "--help"], ["info", "digits"]):
        command = [sys.executable, "-c", program, *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            process.stdout.close()
            assert process.stderr.read() == ""
