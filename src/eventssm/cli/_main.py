"""Words on the command line to one command, and its failures to one line and an exit code.

Exit codes: 0 fine, 1 failed, 2 wrong use.
"""

import contextlib
import importlib.metadata
import io
import itertools
import os
import sys
from collections.abc import Callable, Sequence

import tyro
from rich.console import Console

from eventssm import _checks
from eventssm.cli._bench import Bench
from eventssm.cli._convert import Convert
from eventssm.cli._evaluate import Evaluate
from eventssm.cli._hear import Hear
from eventssm.cli._huge_pages import start_again_with_huge_pages
from eventssm.cli._info import Info
from eventssm.cli._plot import Plot
from eventssm.cli._predict import Predict
from eventssm.cli._prepare import Prepare
from eventssm.cli._report import Report
from eventssm.cli._train import Train, parse_train

_DESCRIPTION = """Learn from event streams, event by event.

Deep state-space models for event cameras and silicon cochleas: every event is read at its own time, in
parallel for training and one at a time for inference. `eventssm COMMAND --help` explains a command,
`eventssm --version` names this version."""

Command = Bench | Convert | Evaluate | Hear | Info | Plot | Predict | Prepare | Report | Train

_COMMANDS: dict[str, Callable[..., Command]] = {
    "info": Info,
    "convert": Convert,
    "plot": Plot,
    "hear": Hear,
    "prepare": Prepare,
    "train": Train,
    "evaluate": Evaluate,
    "predict": Predict,
    "report": Report,
    "bench": Bench,
}
_COMPUTING = ("train", "evaluate", "bench")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command that `argv` (by default the process's own) asks for, and exit."""
    if argv is None and sys.argv[1:2] and sys.argv[1] in _COMPUTING:
        start_again_with_huge_pages()
    try:
        code = run(sys.argv[1:] if argv is None else argv)
    except BrokenPipeError:  # whoever read the output has seen enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def run(argv: Sequence[str]) -> int:
    """The exit code of a command."""
    console = Console(soft_wrap=True, highlight=False, markup=False)
    errors = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    if list(argv) == ["--version"]:
        console.print(f"eventssm {importlib.metadata.version('eventssm')}")
        return 0
    try:
        command = _parse(argv or ["--help"])
    except BrokenPipeError:
        raise
    except (_checks.InputError, OSError) as wrong:
        errors.print(f"eventssm: {_one_line(_words(wrong))}")
        return 2
    except SystemExit:
        return 0
    try:
        command.run(console)
    except KeyboardInterrupt:
        errors.print("eventssm: interrupted")
        return 1
    except BrokenPipeError:
        raise
    except Exception as problem:
        if command.debug:
            raise
        expected = isinstance(problem, _checks.InputError | _checks.HaltedError | OSError)
        kind, hint = ("", "") if expected else (f"{type(problem).__name__}: ", " (--debug shows where)")
        errors.print(f"eventssm: {kind}{_one_line(_words(problem))}{hint}")
        return 1
    return 0


def _parse(argv: Sequence[str]) -> Command:
    """The command; `SystemExit` after printing help, `InputError` where there is none to run."""
    if not argv[0].startswith("-"):
        _checks.check_choice(argv[0], _COMMANDS, "command")
    complaint = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaint):
            if argv[0] == "train":
                return parse_train(argv[1:])
            return tyro.extras.subcommand_cli_from_dict(
                _COMMANDS, prog="eventssm", description=_DESCRIPTION, args=argv
            )
    except SystemExit as end:
        if not end.code:
            raise
        asked = "eventssm" if argv[0].startswith("-") else f"eventssm {argv[0]}"
        raise _checks.InputError(f"{_without_frame(complaint.getvalue())} (see {asked} --help)") from None


def _without_frame(frame: str) -> str:
    """What the parser's framed complaint says first, and the option that it would have known."""
    _, *rows = [row.strip("│╭╮╰╯ ") for row in frame.splitlines()]
    parts = [
        list(part) for rule, part in itertools.groupby(rows, lambda row: not row.strip("─-")) if not rule
    ]
    near = [part[1] for part in parts if part[0].startswith("Perhaps you meant") and len(part) > 1]
    hint = f" (did you mean {near[0]}?)" if near else ""
    words = _one_line(" ".join(parts[0]) if parts else frame)
    return words.removeprefix("Error parsing config.") + hint


def _words(problem: Exception) -> str:
    """What a problem says, the system's own without its number."""
    if isinstance(problem, OSError) and problem.filename is not None and problem.strerror:
        return f"{problem.filename}: {problem.strerror.lower()}"
    return str(problem)


def _one_line(text: str) -> str:
    return " ".join(text.split())
