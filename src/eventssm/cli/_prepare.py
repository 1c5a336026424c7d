"""`eventssm prepare`: a data set's files into the store that training reads."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.table import Table

from eventssm import _checks, datasets, files
from eventssm.cli._store_progress import store_progress


@dataclass(frozen=True)
class Prepare:
    """Make the store of a data set: fetch its files if need be, read them once, check and index them.

    Without DATASET, list the data sets. Where --data-dir names a folder with the files, nothing is fetched.
    A run that is stopped goes on where it was when it is started again. Try
    `eventssm prepare n-mnist --data-dir DIR`, or `eventssm prepare folder:PATH` for recordings of your own.
    """

    dataset: Annotated[str | None, tyro.conf.Positional] = None
    """A name from the list, or folder:PATH."""
    data_dir: Path | None = None
    """Folder with the data set's files as they were published."""
    root: Path | None = None
    """Folder for stores and downloads [default: $EVENTSSM_DATA, or the user's cache]."""
    sensor: str | None = None
    """WIDTHxHEIGHT or a number of channels, for a folder of files that do not name their sensor."""
    again: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Remove the store that is there and make it anew."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Do it, and say what is there now."""
        if self.dataset is None:
            _list(console, self.root)
            return
        _checks.check(
            self.sensor is None or self.dataset.startswith(datasets.FOLDER),
            "--sensor",
            "a data set folder:PATH, as others name theirs",
            self.dataset,
        )
        with store_progress() as (reading, fetching):
            place = datasets.prepare(
                self.dataset,
                self.data_dir,
                self.root,
                sensor=None if self.sensor is None else files.parse_sensor(self.sensor),
                download=self.data_dir is None,
                again=self.again,
                progress=reading,
                download_progress=fetching,
            )
        manifest = datasets.Manifest.read(place)
        for split in manifest.splits:
            datasets.StoreDataset(place, split)
        console.print(f"{manifest.name} is in {place}")
        for split, facts in manifest.splits.items():
            people = f", {len(facts.subjects)} subjects" if facts.subjects else ""
            console.print(f"  {split}: {facts.samples:,} recordings, {facts.events:,} events{people}")


def _list(console: Console, root: Path | None) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("data set", "what", "files", "prepared"):
        table.add_column(column, overflow="fold")
    for name, known in datasets.KNOWN.items():
        source = "in the package" if known.embedded else "fetched" if known.downloads else "--data-dir"
        there = (datasets.store_path(name, root) / datasets.MANIFEST).exists()
        table.add_row(name, known.about, source, "yes" if there else "-")
    table.add_row("folder:PATH", "your own: CLASS/FILE, or a table labels.csv", "PATH", "")
    console.print(table)
