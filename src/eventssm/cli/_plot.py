"""`eventssm plot`: a picture of a recording."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from rich.console import Console

from eventssm.cli._info_dataset import dataset_splits
from eventssm.cli._recording import FileFormat, Meter, RecordingIndex, SensorSize, meter, sensor_of
from eventssm.datasets import Dataset
from eventssm.events import Events, Sensor
from eventssm.files import Backwards, EventFile, open_file
from eventssm.plots import check_place, plot_events_per_class, plot_recording, save


@dataclass(frozen=True)
class Plot:
    """Draw a recording as a PNG: a camera's time surface or a cochlea's raster, above the event rate.

    Of a data set, by its name or its store's folder, draw the events of each class instead.

    A time surface shows the last event of every pixel, red for ON, blue for OFF, paler the longer ago it was.
    It is taken at the busiest moment unless `--at-ms` says another.

    Try `eventssm plot walk.raw`, `eventssm plot digits`, or `eventssm plot shd_test.h5 digit.png --index 3`.
    """

    path: tyro.conf.Positional[Path]
    """The file to read, or a data set."""
    out: tyro.conf.Positional[Path | None] = None
    """The picture; by default in the current folder, named after the file."""
    at_ms: float | None = None
    """The moment of the time surface, in milliseconds from the first event."""
    decay_ms: float = 30.0
    """An event's colour fades to 37 % in this time."""
    from_format: FileFormat = None
    """The file's format, where neither its content nor its suffix says it."""
    sensor: SensorSize = None
    """Its sensor, where the file does not say: 640x480, or a number of channels."""
    index: RecordingIndex = None
    """One recording of a file that holds several."""
    backwards: Backwards = "drop"
    """What to do with events whose time goes backwards: fail, or drop and count them."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Draw, and say where the picture is."""
        check_place(self._out())
        splits = dataset_splits(self.path)
        if splits is not None:
            console.print(str(self._draw_dataset(list(splits.values()))))
            return
        file = open_file(
            self.path, self.from_format, sensor_of(self.sensor), index=self.index, backwards=self.backwards
        )
        number = "" if self.index is None else f" [{self.index}]"
        with meter(Console(stderr=True), "reading") as bar:
            recording = _Watched(file, bar)
            title = f"{self.path.name}{number}, {file.sensor.name}"
            figure = plot_recording(recording, title, at_ms=self.at_ms, decay_ms=self.decay_ms)
        save(figure, self._out())
        lost = f" (dropped {file.dropped:,} whose time went backwards)" if file.dropped else ""
        console.print(f"{self._out()}{lost}")

    def _draw_dataset(self, splits: list[Dataset]) -> Path:
        lengths = np.concatenate([dataset.lengths for dataset in splits])
        labels = np.concatenate([dataset.labels for dataset in splits])
        title = f"{self.path.name}: {len(lengths):,} recordings, median {np.median(lengths):,.0f} events"
        save(plot_events_per_class(lengths, labels, splits[0].classes, title), self._out())
        return self._out()

    def _out(self) -> Path:
        return Path(f"{self.path.stem}.png") if self.out is None else self.out


class _Watched:
    """A file whose events are counted on a bar as they go by."""

    def __init__(self, file: EventFile, bar: Meter) -> None:
        self._file = file
        self._bar = bar

    @property
    def sensor(self) -> Sensor:
        return self._file.sensor

    def pieces(self) -> Iterator[Events]:
        return self._bar.watch(self._file.pieces())
