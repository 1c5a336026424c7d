"""Making a store: recording by recording, so that it goes on where it was stopped.

Everything is written to a folder beside the store's place and moved there when it is whole. A line in a
split's journal says that a recording is on disk; data that no line vouches for is cut off on resuming.
"""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import IO, Any

import numpy as np

from eventssm import _checks
from eventssm.datasets._collection import Collection, Entry
from eventssm.datasets._layout import (
    LONGEST,
    MANIFEST,
    TIME,
    VERSION,
    Index,
    Manifest,
    SplitFacts,
    channel_type,
    digest_of,
)
from eventssm.datasets._locked import locked
from eventssm.events import Events

Progress = Callable[[str, int, int], None]
"""Called with a split, the recordings of it that are done, and all of them."""

_AT_ONCE = 1 << 24
_PLAN, _LOCK = "plan", "lock"


def prepare_store(collection: Collection, folder: Path, progress: Progress | None = None) -> Path:
    """Write a collection's store to `folder`, or go on writing it; `folder` itself when it is there."""
    if (folder / MANIFEST).exists():
        _check_same(collection, Manifest.read(folder), folder)
        return folder
    _checks.check(not folder.exists(), str(folder), "a store, or nothing yet", "something else")
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = _part_of(folder)
    part.mkdir(exist_ok=True)
    with locked(part / _LOCK, part, "nobody else preparing this store"):
        _start(part, collection)
        facts = {}
        for split, entries in collection.splits.items():
            facts[split] = _write_split(part, split, entries, collection, progress)
        Manifest(
            collection.name, collection.sensor, collection.classes, facts, collection.plan_digest()
        ).write(part)
        part.replace(folder)
        for left in [folder / _PLAN, folder / _LOCK, *folder.glob("*.journal")]:
            left.unlink()
    return folder


def remove_store(folder: Path, unless: Collection | None = None) -> None:
    """Remove a store, and what is left of one that was not finished; not one that was made of `unless`."""
    if (folder / MANIFEST).exists():
        if unless is not None and Manifest.read(folder).plan == unless.plan_digest():
            return
        shutil.rmtree(folder)
    part = _part_of(folder)
    if unless is None and (part / _PLAN).exists():
        shutil.rmtree(part)


def _part_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.part")


def _start(part: Path, collection: Collection) -> None:
    """Throw away what an earlier run left, unless it was making the same store."""
    plan = f"{VERSION} {collection.plan_digest()}"
    path = part / _PLAN
    if not path.exists() or path.read_text() != plan:
        for left in part.iterdir():
            if left.name != _LOCK:
                left.unlink()
        path.write_text(plan)


def _write_split(
    part: Path, split: str, entries: tuple[Entry, ...], collection: Collection, progress: Progress | None
) -> SplitFacts:
    dtypes = {"t": TIME, "channel": channel_type(collection.sensor)}
    with (
        (part / f"{split}.journal").open("a+b") as journal,
        (part / f"{split}.t").open("ab") as t_file,
        (part / f"{split}.channel").open("ab") as channel_file,
    ):
        columns = {"t": t_file, "channel": channel_file}
        rows = _resumed(journal, columns, dtypes)
        vouched = len(rows)
        try:
            for number in range(len(rows), len(entries)):
                with _checks.about(entries[number].key):
                    t, channel, start = _stored(entries[number].read(), collection)
                columns["t"].write(t.tobytes())
                columns["channel"].write(channel.tobytes())
                rows.append([len(t), start, int(t[-1]) if len(t) else 0, digest_of(t, channel)])
                if sum(row[0] for row in rows[vouched:]) >= _AT_ONCE:
                    vouched = _vouch(journal, columns, rows, vouched)
                if progress is not None:
                    progress(split, number + 1, len(entries))
        finally:
            _vouch(journal, columns, rows, vouched)
    return _write_index(part, split, entries, rows)


def _stored(events: Events, collection: Collection) -> tuple[np.ndarray, np.ndarray, int]:
    """A recording's columns as they are stored, and the time of its first event."""
    _checks.check(
        events.sensor.shape == collection.sensor.shape,
        "sensor",
        f"{collection.sensor.name}, that of the data set",
        events.sensor.name,
    )
    start = int(events.t[0]) if len(events) else 0
    longest = events.duration < LONGEST
    _checks.check(longest, "duration", f"less than {LONGEST} us, 71 minutes", f"{events.duration} us")
    return (events.t - start).astype(TIME), events.channel.astype(channel_type(events.sensor)), start


def _vouch(journal: IO[bytes], columns: Mapping[str, IO[bytes]], rows: list[list[Any]], done: int) -> int:
    """Say in the journal that the recordings from `done` on are on disk, once they are."""
    for file in columns.values():
        file.flush()
        os.fsync(file.fileno())
    journal.write(b"".join(json.dumps(row).encode() + b"\n" for row in rows[done:]))
    journal.flush()
    os.fsync(journal.fileno())
    return len(rows)


def _resumed(
    journal: IO[bytes], columns: Mapping[str, IO[bytes]], dtypes: dict[str, np.dtype]
) -> list[list[Any]]:
    """The journal's whole lines whose data is there; everything after them is cut off."""
    journal.seek(0)
    room = min(os.fstat(file.fileno()).st_size // dtypes[name].itemsize for name, file in columns.items())
    rows: list[list[Any]] = []
    events = kept = 0
    for line in journal.read().splitlines(keepends=True):
        try:
            row = json.loads(line)
        except ValueError:
            break
        if not line.endswith(b"\n") or events + row[0] > room:
            break
        rows.append(row)
        events, kept = events + row[0], kept + len(line)
    journal.truncate(kept)
    for name, file in columns.items():
        file.truncate(events * dtypes[name].itemsize)
    return rows


def _write_index(part: Path, split: str, entries: tuple[Entry, ...], rows: list[list[Any]]) -> SplitFacts:
    numbers = np.array([row[:3] for row in rows], np.int64).reshape(-1, 3)
    index = Index(
        key=np.array([entry.key for entry in entries], np.str_),
        subject=np.array([entry.subject or "" for entry in entries], np.str_),
        label=np.array([entry.label for entry in entries], np.int64),
        events=numbers[:, 0].copy(),
        start=numbers[:, 1].copy(),
        duration=numbers[:, 2].copy(),
        digest=np.array([row[3] for row in rows], np.str_),
    )
    names = list(Index.__annotations__)
    np.savez(part / f"{split}.index.npz", **dict(zip(names, astuple(index), strict=True)))
    subjects = tuple(sorted({entry.subject for entry in entries if entry.subject is not None}))
    return SplitFacts(len(entries), int(index.events.sum()), subjects, index.total_digest())


def _check_same(collection: Collection, there: Manifest, folder: Path) -> None:
    """Refuse to take one data set's store for another's."""
    _checks.check(
        there.plan == collection.plan_digest(),
        str(folder),
        f"a store of these {sum(map(len, collection.splits.values()))} recordings of {collection.name}",
        f"one of {sum(facts.samples for facts in there.splits.values())} others of {there.name};"
        " `eventssm prepare --again` makes it anew",
    )
