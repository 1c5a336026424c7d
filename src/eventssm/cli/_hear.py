"""`eventssm hear`: sound to events."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from eventssm import _checks
from eventssm.events import Events
from eventssm.files import format_to_write, write_pieces


@dataclass(frozen=True)
class Hear:
    """Turn sound into the events of a silicon cochlea, by the chain that made SHD and SSC.

    AUDIO is wav, flac, ogg or another format that libsndfile knows, of any rate and length; several ears are
    mixed to their mean. Loudness does not matter: the recording as a whole is scaled. Channel 0 hears the
    highest tones, the last channel the lowest. OUT's suffix names its format: .h5 (as SHD), .npz or .csv.

    The fibres of the nerve fire by chance: each seed gives other events, one seed gives the same again.

    Try `eventssm hear word.wav word.h5`, then `eventssm plot word.h5`.
    """

    source: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="AUDIO")]
    """The sound to hear."""
    target: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="OUT")]
    """The file to write; its suffix names the format."""
    to_format: Annotated[str | None, tyro.conf.arg(name="to", metavar="FORMAT")] = None
    """The format of OUT, where its suffix does not say it."""
    channels: int = 700
    """Places along the membrane, as many as the model that will read the events has."""
    seed: int = 0
    """Where chance starts."""
    force: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Replace OUT if it exists."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Hear, and say what was written."""
        from eventssm.cochlea import Cochlea, FileSound, hear_pieces  # numba takes a second to load

        written = format_to_write(self.target, self.to_format)
        new = self.force or not self.target.exists()
        _checks.check(new, str(self.target), "a file that does not exist, or --force", "one that does")
        _checks.check_size(self.seed, "--seed", 0)
        with _checks.about("--channels"):
            cochlea = Cochlea(channels=self.channels)
        sound = FileSound(self.source)
        count = 0

        def counted(pieces: Iterator[Events]) -> Iterator[Events]:
            nonlocal count
            for piece in pieces:
                count += len(piece)
                yield piece

        seconds = sound.frames / sound.rate
        with _progress(seconds) as progress:
            pieces = hear_pieces(sound, cochlea, self.seed, progress)
            write_pieces(counted(pieces), cochlea.sensor, self.target, written.name)
        console.print(
            f"{self.source} -> {self.target} ({written.name}): "
            f"{count:,} events on {self.channels} channels in {seconds:.6g} s"
        )


@contextmanager
def _progress(seconds: float) -> Iterator[Callable[[float], None]]:
    """A bar of the seconds heard; nothing where the error stream is not a terminal."""
    console = Console(stderr=True)
    done = TextColumn("{task.description} {task.completed:,.1f} of {task.total:,.1f} s")
    columns = (done, BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task("hearing", total=seconds)

        def show(heard: float) -> None:
            bars.update(task, completed=min(heard, seconds))

        yield show
