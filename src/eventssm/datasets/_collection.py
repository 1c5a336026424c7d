"""A data set as it comes: entries that can be read, sorted into splits."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass

from eventssm import _checks
from eventssm.events import Events, Sensor

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class Entry:
    """A labelled recording that has not been read yet.

    `key` names it among all of its data set and stays the same on every machine; `subject` is who was
    recorded, where that is known; `stamp` changes with the file, where that may change.
    """

    key: str
    label: int
    subject: str | None
    read: Callable[[], Events]
    stamp: str = ""


@dataclass(frozen=True)
class Collection:
    """The recordings of a data set, in splits that share neither a recording nor a known subject."""

    name: str
    sensor: Sensor
    classes: tuple[str, ...]
    splits: Mapping[str, tuple[Entry, ...]]

    def __post_init__(self) -> None:
        keys = [entry.key for entries in self.splits.values() for entry in entries]
        _checks.check(len(set(keys)) == len(keys), self.name, "every recording in one split", "one in two")
        for split, entries in self.splits.items():
            _checks.check_choice(split, SPLITS, "split")
            for entry in entries:
                known = 0 <= entry.label < len(self.classes)
                _checks.check(
                    known, f"label of {entry.key}", f"0 <= label < {len(self.classes)}", entry.label
                )

    def plan_digest(self) -> str:
        """A digest of everything but the events: another one makes another store."""
        plan = {
            "name": self.name,
            "sensor": astuple(self.sensor),
            "classes": self.classes,
            "splits": {
                split: [(entry.key, entry.label, entry.subject, entry.stamp) for entry in entries]
                for split, entries in self.splits.items()
            },
        }
        return hashlib.blake2b(json.dumps(plan).encode(), digest_size=16).hexdigest()


def held_out(names: Iterable[str], salt: str, share: float = 0.1) -> frozenset[str]:
    """Some of the names, `share` of them and at least one of two: the same ones on every machine.

    They are those whose digests come first, so that neither the order of the names nor what else is in
    the data set decides.
    """
    ranked = sorted(set(names), key=lambda name: hashlib.blake2b(f"{salt}/{name}".encode()).digest())
    count = max(round(share * len(ranked)), 1) if len(ranked) > 1 else 0
    return frozenset(ranked[:count])


def split_by_subject(
    training: Iterable[Entry], testing: Iterable[Entry], salt: str
) -> dict[str, tuple[Entry, ...]]:
    """Splits with the subjects of `training` that `held_out` names for validation."""
    training = tuple(training)
    chosen = held_out((str(entry.subject) for entry in training), salt)
    return {
        "train": tuple(entry for entry in training if entry.subject not in chosen),
        "validation": tuple(entry for entry in training if entry.subject in chosen),
        "test": tuple(testing),
    }


def split_by_key(
    training: Iterable[Entry], testing: Iterable[Entry], salt: str
) -> dict[str, tuple[Entry, ...]]:
    """Splits with, of every class of `training`, the recordings that `held_out` names for validation."""
    training = tuple(training)
    chosen = frozenset[str]().union(
        *(
            held_out((entry.key for entry in training if entry.label == label), salt)
            for label in {entry.label for entry in training}
        )
    )
    return {
        "train": tuple(entry for entry in training if entry.key not in chosen),
        "validation": tuple(entry for entry in training if entry.key in chosen),
        "test": tuple(testing),
    }
