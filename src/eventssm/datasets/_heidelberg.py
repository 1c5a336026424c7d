"""The Spiking Heidelberg Digits and the Spiking Speech Commands (Cramer et al. 2022, CC BY 4.0).

SHD has ten training speakers, of whom one is held out for validation; its official test split has two that
are in no other and, as published, recordings of the others too. SSC comes with all three splits.

The published times are float16 seconds, half a millisecond coarse just before one second; they are read as
they are, to the nearest microsecond, and sorted with ties in file order.
"""

import functools
from pathlib import Path

import numpy as np

from eventssm import _checks
from eventssm.datasets._archives import unpack_file
from eventssm.datasets._collection import Collection, Entry, split_by_subject
from eventssm.datasets._download import DownloadProgress, Remote, fetch
from eventssm.datasets._open_hdf5 import opened_once
from eventssm.events import Events, Sensor
from eventssm.files import cochlea, read_spikes

_MIRRORS = ("https://zenkelab.org/datasets", "https://compneuro.net/datasets")
_MD5 = {
    "shd_train.h5.zip": "f3252aeb598ac776c1b526422d90eecb",
    "shd_test.h5.zip": "1503a5064faa34311c398fb0a1ed0a6f",
    "ssc_train.h5.zip": "d102be95e7144fcc0553d1f45ba94170",
    "ssc_valid.h5.zip": "b4eee3516a4a90dd0c71a6ac23a8ae43",
    "ssc_test.h5.zip": "a35ff1e9cffdd02a20eb850c17c37748",
}
_CHANNELS = 700


def shd(data_dir: Path, download: bool, progress: DownloadProgress | None = None) -> Collection:
    """SHD from `shd_train.h5` and `shd_test.h5` in `data_dir`, plain, zipped or to be fetched."""
    parts = [_part("shd", part, data_dir, download, progress) for part in ("train", "test")]
    sensor = cochlea(_CHANNELS)
    training, testing = (entries(path, sensor) for path in parts)
    return Collection("shd", sensor, classes(parts[0]), split_by_subject(training, testing, "shd"))


def ssc(data_dir: Path, download: bool, progress: DownloadProgress | None = None) -> Collection:
    """SSC from `ssc_train.h5`, `ssc_valid.h5` and `ssc_test.h5` in `data_dir`, as with SHD."""
    names = {"train": "train", "validation": "valid", "test": "test"}
    parts = {split: _part("ssc", part, data_dir, download, progress) for split, part in names.items()}
    sensor = cochlea(_CHANNELS)
    splits = {split: tuple(entries(path, sensor)) for split, path in parts.items()}
    return Collection("ssc", sensor, classes(parts["train"]), splits)


def _part(name: str, part: str, data_dir: Path, download: bool, progress: DownloadProgress | None) -> Path:
    """The plain file, unpacked from an archive beside it if need be."""
    path = data_dir / f"{name}_{part}.h5"
    if path.exists():
        return path
    archives = [path.with_name(f"{path.name}{suffix}") for suffix in (".zip", ".gz")]
    there = next((archive for archive in archives if archive.exists()), None)
    if there is None:
        _checks.check(download, str(data_dir), f"{path.name}, or that with .zip or .gz", "neither")
        archive = archives[0].name
        remote = Remote(archive, _MD5[archive], tuple(f"{mirror}/{archive}" for mirror in _MIRRORS))
        there = fetch(remote, data_dir, progress)
    return unpack_file(there, path)


def entries(path: Path, sensor: Sensor) -> list[Entry]:
    """All recordings of a file in SHD's layout."""
    with opened_once(path) as file:
        for name in ("labels", "spikes/times", "spikes/units"):
            _checks.check(name in file, "layout", f"{name}, as SHD has it", ", ".join(file))
        labels = np.asarray(file["labels"][:], np.int64)
        count = len(file["spikes/times"])
        _checks.check(len(labels) == count, "labels", f"{count}, as many as recordings", len(labels))
        speakers: list[str | None] = [None] * count
        if "extra/speaker" in file:
            speakers = [str(speaker) for speaker in file["extra/speaker"][:]]
    return [
        Entry(f"{path.stem}/{number}", int(label), speaker, functools.partial(_read, path, number, sensor))
        for number, (label, speaker) in enumerate(zip(labels, speakers, strict=True))
    ]


def classes(path: Path) -> tuple[str, ...]:
    """The classes that such a file names, or the numbers of its labels."""
    with opened_once(path) as file:
        if "extra/keys" in file:
            return tuple(name.decode("utf-8") for name in file["extra/keys"][:])
        return tuple(str(label) for label in range(int(file["labels"][:].max()) + 1))


def _read(path: Path, number: int, sensor: Sensor) -> Events:
    with opened_once(path) as file:
        columns = read_spikes(file, number)
        return Events(sensor, t=columns["t"], channel=columns["channel"])
