"""Labelled recordings of a cochlea in one HDF5 file, in the layout of SHD or of `audiomnist`."""

from pathlib import Path

from eventssm import _checks
from eventssm.datasets import _audiomnist, _heidelberg
from eventssm.datasets._collection import Collection
from eventssm.datasets._dataset import MemoryDataset
from eventssm.datasets._digits import CLASSES
from eventssm.datasets._open_hdf5 import opened_once
from eventssm.events import Sensor
from eventssm.files import cochlea

_CHANNELS = 700


def labelled_file(path: str | Path, sensor: Sensor | None = None) -> MemoryDataset:
    """All recordings of a file, whatever split they are of; `sensor` where it has not 700 channels.

    Classes are those that the file names (`extra/keys`), spoken digits in the layout of `audiomnist`,
    numbers otherwise.
    """
    path = Path(path)
    sensor = cochlea(_CHANNELS) if sensor is None else sensor
    with opened_once(path) as file:
        as_shd, known = "spikes" in file, set(_audiomnist.COLUMNS) <= set(file)
        want = f"spikes and labels, or {', '.join(_audiomnist.COLUMNS)}"
        _checks.check(as_shd or known, "layout", want, ", ".join(file) or "none")
    if as_shd:
        entries, classes = _heidelberg.entries(path, sensor), _heidelberg.classes(path)
    else:
        entries, classes = _audiomnist.entries(path, sensor), CLASSES
    return MemoryDataset.of(Collection(path.stem, sensor, classes, {"test": tuple(entries)}), "test")
