"""`eventssm report`: a run on one page."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro
from rich.console import Console

from eventssm import _checks
from eventssm.cli._compilation import use_compilation_cache
from eventssm.cli._count import counter
from eventssm.cli._evaluate import RunFolder, Which


@dataclass(frozen=True)
class Report:
    """Write a run as one HTML page that needs nothing else: to read, to print, to send to somebody.

    It has the final figures with intervals, training curves, classes and confusion matrix, accuracy before
    the end, calibration, the time scales that were learnt, the hardest recordings, and the configuration.
    What was not evaluated yet with this model is evaluated first.

    Try `eventssm report runs/digits`, then open runs/digits/report.html in a browser.
    """

    folder: RunFolder
    """The run's folder, as `eventssm train` made it."""
    split: Literal["train", "validation", "test"] = "test"
    """Which recordings the final figures are of."""
    which: Which = "best"
    """The model of the best epoch, or that of the last checkpoint."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE.html")] = None
    """The page [default: RUN/report.html]."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Write the page, and say where it is."""
        from eventssm.files import replacing
        from eventssm.report import gather, page
        from eventssm.train import open_run

        out = self.folder / "report.html" if self.out is None else self.out
        _checks.check(out.suffix.lower() in (".html", ".htm"), "--out", "a name that ends in .html", out)
        use_compilation_cache()
        run = open_run(self.folder)
        _checks.check(out.parent.is_dir(), str(out.parent), "a folder that exists", "none")
        with counter("evaluating") as progress:
            found = gather(run, self.split, self.which, progress)
        with replacing(out) as part:
            part.write_text(page(found), encoding="utf-8")
        console.print(str(out))
