"""A prepared store: memory-mapped columns, read at random without parsing."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from eventssm import _checks
from eventssm.datasets._dataset import Sample
from eventssm.datasets._layout import TIME, Index, Manifest, channel_type, digest_of
from eventssm.events import Events
from eventssm.files import replacing

_VERIFIED = "verified.json"


class StoreDataset:
    """One split of a prepared store.

    Opening it checks that the columns are as long as the index says, and their digests once after every
    change of the files.
    """

    def __init__(self, folder: str | Path, split: str) -> None:
        self.folder, self.split = Path(folder), split
        self.manifest = Manifest.read(self.folder)
        with _checks.about(self.folder):
            _checks.check_choice(split, self.manifest.splits, "split")
            self.index = read_index(self.folder, split, self.manifest)
            self._t, self._channel = _columns(self.folder, split, self.manifest, self.index)
            stamp = _stamp(self.folder, split)
            if _verified(self.folder).get(split) != stamp:
                self.verify()
                _remember(self.folder, split, stamp)
        self.sensor, self.classes = self.manifest.sensor, self.manifest.classes
        self.keys = tuple(self.index.key.tolist())
        self.lengths, self.labels = self.index.events, self.index.label
        self._offset = self.index.offset

    def verify(self) -> None:
        """Compare every recording with its digest."""
        offset = self.index.offset
        for number, want in enumerate(self.index.digest):
            part = slice(offset[number], offset[number + 1])
            found = digest_of(self._t[part], self._channel[part])
            key = self.index.key[number]
            again = f"{found}; `eventssm prepare --again` makes the store anew"
            _checks.check(found == want, f"{self.split} recording {key}", f"digest {want}", again)

    def read(self, index: int, start: int = 0, stop: int | None = None) -> Events:
        """Events `start:stop` of a recording; no others are read."""
        length = int(self.lengths[index])
        first, last, _ = slice(start, stop).indices(length)
        begin = int(self._offset[index])
        part = slice(begin + first, begin + max(first, last))
        t, channel = self._t[part] + self.index.start[index], self._channel[part]
        if self.sensor.is_camera:
            return Events.trusted(self.sensor, t, *self.sensor.coordinates(channel.astype(np.int32)))
        return Events.trusted(self.sensor, t, channel=channel.astype(np.int32))

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, index: int) -> Sample:
        if not -len(self) <= index < len(self):
            raise IndexError(f"recording: expected one of {len(self):,}, got {index}")
        number = int(index) % len(self)
        return Sample(self.read(number), int(self.labels[number]))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.folder, self.split)


def read_index(folder: Path, split: str, manifest: Manifest) -> Index:
    """The index of a split, whose digest the manifest holds."""
    path = folder / f"{split}.index.npz"
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as columns:
            index = Index(**{name: columns[name] for name in Index.__annotations__})
    except FileNotFoundError:
        raise
    except Exception as problem:
        _checks.refuse(path.name, "a whole index", " ".join(str(problem).split())[:120])
    want, found = manifest.splits[split].digest, index.total_digest()
    _checks.check(found == want, path.name, f"digest {want}", found)
    return index


def _columns(folder: Path, split: str, manifest: Manifest, index: Index) -> tuple[np.ndarray, np.ndarray]:
    events = int(index.events.sum())
    columns = []
    for name, dtype in (("t", TIME), ("channel", channel_type(manifest.sensor))):
        path = folder / f"{split}.{name}"
        size = path.stat().st_size
        _checks.check(size == events * dtype.itemsize, path.name, f"{events * dtype.itemsize} bytes", size)
        columns.append(np.memmap(path, dtype, "r") if events else np.zeros(0, dtype))
    return columns[0], columns[1]


def _stamp(folder: Path, split: str) -> list[list[int]]:
    stats = [(folder / f"{split}.{name}").stat() for name in ("t", "channel")]
    return [[stat.st_size, stat.st_mtime_ns] for stat in stats]


def _verified(folder: Path) -> dict[str, Any]:
    try:
        stamps = json.loads((folder / _VERIFIED).read_text())
    except (OSError, ValueError):
        return {}
    return stamps if isinstance(stamps, dict) else {}


def _remember(folder: Path, split: str, stamp: list[list[int]]) -> None:
    try:
        with replacing(folder / _VERIFIED) as part:
            part.write_text(json.dumps(_verified(folder) | {split: stamp}))
    except OSError:
        pass  # a store that cannot be written to is verified each time
