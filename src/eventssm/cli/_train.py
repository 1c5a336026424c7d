"""`eventssm train`: a model from a data set, by a configuration."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from rich.console import Console

from eventssm import _checks, datasets, files
from eventssm.cli._compilation import use_compilation_cache
from eventssm.cli._store_progress import store_progress

if TYPE_CHECKING:
    from eventssm.train import Run, RunConfig


@dataclass(frozen=True)
class Train:
    """Train a model, and keep everything about it in a folder.

    What to train comes first: digits, audiomnist, n-mnist, shd, ssc, dvs128-gesture, or a TOML file with a
    whole run. Options change single values of it; `eventssm train shd --help` shows those of shd, without a
    name those of digits are shown. Ctrl-C saves before it stops. Try `eventssm train digits`,
    `eventssm train audiomnist --data-dir DIR --epochs 10 --model.d-state 64`, or
    `eventssm train --resume runs/digits-1`.
    """

    name: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="DATASET|CONFIG")] = None
    """The run to begin with."""
    out: Path | None = None
    """New folder for the run [default: runs/DATASET-1, or the next number]."""
    resume: Path | None = None
    """Go on with the run in this folder from its last checkpoint, to the same numbers as without the stop."""
    data_dir: Path | None = None
    """Folder with the data set's files as they were published; its store is made first if need be."""
    root: Path | None = None
    """Folder for stores [default: $EVENTSSM_DATA, or the user's cache]."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""
    config: Annotated[Any, tyro.conf.Suppress] = None

    def run(self, console: Console) -> None:
        """Train, telling how it goes, and say what came of it."""
        from eventssm import train
        from eventssm.cli._train_lines import progress_lines, summary

        use_compilation_cache()
        watchers = [progress_lines(console)]
        if self.resume is not None:
            before = train.open_run(self.resume)
            self._prepare(before.config)
            run = train.resume(self.resume, root=self._root(before), watchers=watchers)
        else:
            self._prepare(self.config)
            run = train.train(self.config, self.out, root=self.root, watchers=watchers)
        for line in summary(run):
            console.print(line)

    def _prepare(self, config: "RunConfig") -> None:
        """Make the store where files are given for it."""
        name = config.data.name
        if self.data_dir is None and not name.startswith(datasets.FOLDER):
            return
        _checks.check(
            name != "digits", "--data-dir", "nothing for digits, which is in the package", self.data_dir
        )
        sensor = None if config.data.sensor is None else files.parse_sensor(config.data.sensor)
        with store_progress() as (reading, _):
            datasets.prepare(name, self.data_dir, self.root, sensor=sensor, progress=reading)

    def _root(self, before: "Run") -> Path | None:
        """Where the data are: where they were, unless the command says so."""
        return None if self.root is None and self.data_dir is None else self.root or datasets.data_root()


def parse_train(words: Sequence[str]) -> Train:
    """The command of these words; what the first one names decides the values that options change."""
    from eventssm import train

    named = bool(words) and not words[0].startswith("-")
    base = train.load_config(words[0]) if named else train.load_config("digits")

    @dataclass(frozen=True)
    class WithConfig(Train):
        config: Annotated[train.RunConfig, tyro.conf.arg(name="")] = base

    command = tyro.cli(
        WithConfig,
        prog="eventssm train",
        description=inspect.cleandoc(Train.__doc__ or ""),
        args=words,
        default=WithConfig(config=base),
    )
    _check(command, base, named)
    return command


def _check(command: Train, base: "RunConfig", named: bool) -> None:
    """Refuse words that do not make sense together."""
    known = "a data set or a file"
    if command.resume is not None:
        _checks.check(command.name is None, "--resume", "no DATASET|CONFIG beside it", repr(command.name))
        _checks.check(
            command.config == base, "--resume", "a run to go on with as it is", "options that change it"
        )
        _checks.check(command.out is None, "--resume", "no --out beside it", str(command.out))
        return
    _checks.check(command.name is not None, "DATASET|CONFIG", known, "none")
    _checks.check(named, "DATASET|CONFIG", f"{known} before all options", repr(command.name))
    for name in ("channels", "classes"):
        given, of_base = getattr(command.config.model, name), getattr(base.model, name)
        _checks.check(given == of_base, f"--model.{name}", "nothing, as the data say it", given)
