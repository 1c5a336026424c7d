"""AudioMNIST as a 700-channel cochlea hears it: `audiomnist-spikes-train.h5` and `-test.h5` in one folder.

Columns `t_us` and `channel` hold all recordings one after the other; `offset` says where each starts, `label`
and `speaker` whose it is.
"""

import functools
from pathlib import Path

import numpy as np

from eventssm import _checks
from eventssm.datasets._collection import Collection, Entry
from eventssm.datasets._digits import CLASSES, split_by_speaker
from eventssm.datasets._open_hdf5 import opened_once
from eventssm.events import Events, Sensor
from eventssm.files import cochlea

FILES = ("audiomnist-spikes-train.h5", "audiomnist-spikes-test.h5")
_CHANNELS = 700
COLUMNS = ("t_us", "channel", "offset", "label", "speaker")


def audiomnist(data_dir: Path) -> Collection:
    """All recordings, split by speaker: 41-48 for testing, a tenth of the others for validation."""
    sensor = cochlea(_CHANNELS)
    found: list[Entry] = []
    for name in FILES:
        found += entries(data_dir / name, sensor)
    return Collection("audiomnist", sensor, CLASSES, split_by_speaker(found))


def entries(path: Path, sensor: Sensor) -> list[Entry]:
    """All recordings of one of the files."""
    with opened_once(path) as file:
        missing = [name for name in COLUMNS if name not in file]
        _checks.check(not missing, "columns", ", ".join(COLUMNS), ", ".join(file))
        offsets, labels, speakers = (file[name][:].astype(np.int64) for name in COLUMNS[2:])
        events = len(file["t_us"])
        _checks.check(len(file["channel"]) == events, "channel", f"{events} rows", len(file["channel"]))
        _checks.check_every(np.diff(offsets) >= 0, "offset", "a row after the one before", offsets[1:])
        whole = len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == events
        _checks.check(
            whole, "offset", f"rows from 0 to {events}", offsets[[0, -1]] if len(offsets) else "none"
        )
        count = len(offsets) - 1
        _checks.check(len(labels) == len(speakers) == count, "label", f"{count} rows", len(labels))
        _checks.check_range(labels, len(CLASSES), "label")
    found = []
    for number, (label, speaker) in enumerate(zip(labels, speakers, strict=True)):
        part = slice(int(offsets[number]), int(offsets[number + 1]))
        key = f"speaker-{speaker}/{CLASSES[label]}-{path.stem}-{number}"
        found.append(Entry(key, int(label), str(speaker), functools.partial(_read, path, part, sensor)))
    return found


def _read(path: Path, part: slice, sensor: Sensor) -> Events:
    with opened_once(path) as file:
        return Events(sensor, t=file["t_us"][part], channel=file["channel"][part])
