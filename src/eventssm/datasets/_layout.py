"""How a prepared store lies on disk.

    manifest.json          what it is; written last, so that a store exists when its manifest does
    SPLIT.t                uint32 microseconds since the recording's first event, all recordings in a row
    SPLIT.channel          the channels, in the smallest unsigned type that holds the sensor's
    SPLIT.index.npz        a row per recording: key, subject, label, offset, events, start, duration, digest
    verified.json          size and modification time of the columns when their digests were last found right

While it is being prepared, the same files stand in a folder beside it, with a journal for each split.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eventssm import _checks
from eventssm.events import Sensor
from eventssm.files import replacing

VERSION = 1
MANIFEST = "manifest.json"
TIME = np.dtype("<u4")
LONGEST = 2**32
DIGEST_BYTES = 16


@dataclass(frozen=True)
class SplitFacts:
    """What a manifest says of a split."""

    samples: int
    events: int
    subjects: tuple[str, ...]
    digest: str


@dataclass(frozen=True)
class Manifest:
    """What a store is."""

    name: str
    sensor: Sensor
    classes: tuple[str, ...]
    splits: dict[str, SplitFacts]
    plan: str
    """Digest of the plan that the store was made by."""

    def write(self, folder: Path) -> None:
        """Write it whole or not at all."""
        record = {
            "version": VERSION,
            "name": self.name,
            "sensor": sensor_record(self.sensor),
            "classes": self.classes,
            "plan": self.plan,
            "splits": {split: asdict(facts) for split, facts in self.splits.items()},
        }
        with replacing(folder / MANIFEST) as part:
            part.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "Manifest":
        """The manifest of a store."""
        path = folder / MANIFEST
        with _checks.about(path):
            record = _parsed(path)
            _checks.check(record.get("version") == VERSION, "version", str(VERSION), record.get("version"))
            try:
                splits = {
                    split: SplitFacts(**facts | {"subjects": tuple(facts["subjects"])})
                    for split, facts in record["splits"].items()
                }
                sensor = Sensor(**record["sensor"])
                return cls(record["name"], sensor, tuple(record["classes"]), splits, record["plan"])
            except (KeyError, TypeError, AttributeError):
                _checks.refuse("manifest", "name, sensor, classes, plan and splits", ", ".join(record))


@dataclass(frozen=True)
class Index:
    """A row for every recording of a split."""

    key: np.ndarray
    subject: np.ndarray
    label: np.ndarray
    events: np.ndarray
    start: np.ndarray
    duration: np.ndarray
    digest: np.ndarray

    @property
    def offset(self) -> np.ndarray:
        """Where each recording starts in the columns, and where the last one ends."""
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(self.events)))

    def total_digest(self) -> str:
        """One digest for every row."""
        total = hashlib.blake2b(digest_size=DIGEST_BYTES)
        for column in asdict(self).values():
            total.update(np.ascontiguousarray(column).tobytes())
        return total.hexdigest()


def sensor_record(sensor: Sensor) -> dict[str, Any]:
    """The sensor as plain values, which make it again."""
    size = ["width", "height", "polarities"] if sensor.is_camera else ["channels"]
    return {name: getattr(sensor, name) for name in ["name", *size]}


def channel_type(sensor: Sensor) -> np.dtype:
    """The smallest unsigned type for a sensor's channels."""
    return np.min_scalar_type(sensor.channels - 1).newbyteorder("<")


def digest_of(t: np.ndarray, channel: np.ndarray) -> str:
    """A recording's digest: that of its columns as they are stored."""
    return hashlib.blake2b(t.tobytes() + channel.tobytes(), digest_size=DIGEST_BYTES).hexdigest()


def _parsed(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        _checks.refuse("manifest", "JSON", "something else")
    _checks.check(isinstance(record, dict), "manifest", "a JSON object", type(record).__name__)
    return dict(record)
