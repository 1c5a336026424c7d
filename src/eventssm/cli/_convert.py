"""`eventssm convert`: a recording from one file format to another."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from eventssm import _checks
from eventssm.cli._recording import FileFormat, RecordingIndex, SensorSize, meter, sensor_of
from eventssm.events import Events
from eventssm.files import Backwards, EventFile, format_to_write, open_file, write_pieces


@dataclass(frozen=True)
class Convert:
    """Convert a recording to another file format, in constant memory.

    Formats are told by content and suffix. Read: EVT2, EVT2.1, EVT3, DAT, AEDAT 2.0, 3.1 and 4, ES, CSV, HDF5
    (SHD, Prophesee, DSEC), npz, npy, N-MNIST. Written: evt3 (.raw), evt2, dat, aedat4, es, csv, hdf5, npz.

    Try `eventssm convert walk.raw walk.npz`, or `eventssm convert shd_test.h5 first.csv --index 0`.
    """

    source: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="IN")]
    """The file to read."""
    target: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="OUT")]
    """The file to write; its suffix names the format."""
    from_format: FileFormat = None
    """The format of IN, where neither its content nor its suffix says it."""
    to_format: Annotated[str | None, tyro.conf.arg(name="to", metavar="FORMAT")] = None
    """The format of OUT, where its suffix does not say it."""
    sensor: SensorSize = None
    """The sensor of IN, where the file does not say: 640x480, or a number of channels."""
    start_ms: float = 0.0
    """Leave out what is earlier, in milliseconds from the first event."""
    stop_ms: float | None = None
    """Leave out what is no earlier, in milliseconds from the first event."""
    index: RecordingIndex = None
    """One recording of a file that holds several."""
    backwards: Backwards = "error"
    """What to do with events whose time goes backwards: fail, or drop and count them."""
    force: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Replace OUT if it exists."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Convert, and say what was written."""
        stop = self.stop_ms
        _checks.check(0 <= self.start_ms < 1e15, "--start-ms", "a time >= 0", self.start_ms)
        later = stop is None or self.start_ms < stop < 1e15
        _checks.check(later, "--stop-ms", f"a time after {self.start_ms:g}", stop)
        new = self.force or not self.target.exists()
        _checks.check(new, str(self.target), "a file that does not exist, or --force", "one that does")
        same = self.target.exists() and self.source.exists() and self.target.samefile(self.source)
        _checks.check(not same, str(self.target), "another file than IN", "the same")
        written = format_to_write(self.target, self.to_format)
        file = open_file(
            self.source,
            self.from_format,
            sensor_of(self.sensor),
            index=self.index,
            backwards=self.backwards,
        )
        tally = _Tally()
        with meter(Console(stderr=True), "converting") as bar:
            pieces = tally.watch(_window(file, self.start_ms, stop))
            write_pieces(bar.watch(pieces), file.sensor, self.target, written.name)
        lost = f"; {file.dropped:,} dropped, as their time went backwards" if file.dropped else ""
        console.print(
            f"{self.source} ({file.format.name}) -> {self.target} ({written.name}): "
            f"{tally.events:,} events in {tally.duration / 1e6:.6g} s{lost}"
        )


class _Tally:
    """Events gone by, and the microseconds from the first to the last of them."""

    def __init__(self) -> None:
        self.events = 0
        self.duration = 0

    def watch(self, pieces: Iterator[Events]) -> Iterator[Events]:
        first = None
        for piece in pieces:
            first = int(piece.t[0]) if first is None else first
            self.events += len(piece)
            self.duration = int(piece.t[-1]) - first
            yield piece


def _window(file: EventFile, start_ms: float, stop_ms: float | None) -> Iterator[Events]:
    """The pieces of a recording from `start_ms` to `stop_ms`, none of them empty."""
    origin: int | None = None
    for piece in file.pieces():
        origin = int(piece.t[0]) if origin is None else origin
        start = origin + round(start_ms * 1000)
        stop = int(piece.t[-1]) + 1 if stop_ms is None else origin + round(stop_ms * 1000)
        part = piece.between(start, max(start, stop))
        if len(part):
            yield part
        if stop <= piece.t[-1]:
            return
