"""Recordings that a run is tried on: its own split, or others that are brought to its sensor and classes."""

from pathlib import Path

import numpy as np

from eventssm import _checks, datasets, files
from eventssm.datasets import Dataset, MemoryDataset, Sample
from eventssm.events import Events
from eventssm.train import Run
from eventssm.transforms import Downsample

_HDF5 = (".h5", ".hdf5")


def other_data(
    name: str,
    split: str,
    *,
    data_dir: Path | None = None,
    root: Path | None = None,
    sensor: str | None = None,
) -> Dataset:
    """A split of a data set by name or `folder:PATH`, of a store by its folder, or all of an HDF5 file."""
    path, given = Path(name), None if sensor is None else files.parse_sensor(sensor)
    if (path / datasets.MANIFEST).is_file():
        return datasets.StoreDataset(path, split)
    if path.suffix.lower() in _HDF5:
        return datasets.labelled_file(path, given)
    return datasets.load(name, split, data_dir=data_dir, root=root, sensor=given)


def brought_to(run: Run, dataset: Dataset, every: int = 1) -> MemoryDataset:
    """The recordings as the run's model reads them, their labels as indices of its classes.

    Classes are matched by name, so that a data set may have some of the run's, in any order.
    """
    unknown = [name for name in dataset.classes if name not in run.classes]
    _checks.check(not unknown, "classes", f"some of {', '.join(run.classes)}", ", ".join(unknown) or "none")
    label = [run.classes.index(name) for name in dataset.classes]
    samples = []
    for number, key in enumerate(dataset.keys):
        with _checks.about(key):
            events = adapted(run, dataset.read(number), every)
        samples.append(Sample(events, label[int(dataset.labels[number])]))
    return MemoryDataset(run.sensor, run.classes, samples, dataset.keys)


def adapted(run: Run, events: Events, every: int = 1) -> Events:
    """A recording on the run's sensor, of which only every `every`-th channel (or column and row) is kept."""
    _checks.check_size(every, "every")
    if every > 1:
        events = Downsample(every, merge=False)(events, np.random.default_rng(0))
    try:
        return run.adapt(events)
    except _checks.InputError as wrong:
        factor = _thinner(run, events)
        if every > 1 or factor is None:
            raise
        hint = f"--every {factor} would keep every {factor}th channel, which fits"
        raise _checks.InputError(f"{wrong} ({hint})") from None


def _thinner(run: Run, events: Events) -> int | None:
    """Of how many channels one would have to be kept for the run's sensor, if that is a whole number."""
    factor = round(events.sensor.channels / (run.sensor.channels * run.config.data.downsample))
    if run.sensor.is_camera or events.sensor.is_camera or factor < 2:
        return None
    kept = -(-events.sensor.channels // factor)
    return factor if -(-kept // run.config.data.downsample) == run.sensor.channels else None
