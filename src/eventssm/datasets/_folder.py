"""Recordings of your own: a folder with a subfolder for each class, or with a table.

A table `labels.csv` has columns `path,label` and, if you like, `split` (train, validation, test) and
`subject`. Without a table the splits are `FOLDER/train/CLASS/*`, `FOLDER/validation/CLASS/*` and
`FOLDER/test/CLASS/*`. Where nothing says which split, a tenth of the recordings becomes the test split and a
tenth of the rest the validation split, by subject where the table has subjects.
"""

import csv
import functools
import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from eventssm import _checks
from eventssm.datasets._collection import SPLITS, Collection, Entry, split_by_key, split_by_subject
from eventssm.events import Events, Sensor
from eventssm.files import open_file

TABLE = "labels.csv"
_OTHER_NAMES = {"valid": "validation", "val": "validation", "training": "train", "testing": "test"}


class _Row(NamedTuple):
    path: str
    label: str
    split: str
    subject: str


def folder(path: Path, sensor: Sensor | None = None) -> Collection:
    """The labelled recordings of a folder; `sensor` is needed where their files do not name it."""
    _checks.check(path.is_dir(), str(path), "a folder with recordings", "no folder")
    with _checks.about(path):
        rows = _table(path / TABLE) if (path / TABLE).exists() else _tree(path)
        _checks.check(bool(rows), "folder", f"CLASS/FILE, SPLIT/CLASS/FILE or {TABLE}", "no recordings")
        with _checks.about(rows[0].path):
            found = open_file(path / rows[0].path, sensor=sensor).sensor
        classes = tuple(sorted({row.label for row in rows}, key=_natural))
        entries = [_entry(path, row, classes, found) for row in rows]
        name = f"folder:{path.resolve().name}"
        return Collection(name, found, classes, _splits(entries, rows, path.resolve().name))


def _table(path: Path) -> list[_Row]:
    with _checks.about(path.name):
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as problem:
            _checks.refuse(f"byte {problem.start}", "text in UTF-8", problem.object[problem.start :][:1])
        reader = csv.DictReader(io.StringIO(text, newline=""))
        names = reader.fieldnames or []
        _checks.check(
            {"path", "label"} <= set(names), "header", "path,label[,split][,subject]", ",".join(names)
        )
        rows = []
        for number, fields in enumerate(reader, 2):
            given = {name: (fields.get(name) or "").strip() for name in _Row._fields}
            for name in ("path", "label"):
                _checks.check(bool(given[name]), f"line {number}", f"a {name}", "none")
            split = _split_name(given["split"])
            _checks.check(split in ("", *SPLITS), f"line {number}", f"a split: {', '.join(SPLITS)}", split)
            rows.append(_Row(**given | {"split": split}))
    with_split = sum(bool(row.split) for row in rows)
    _checks.check(with_split in (0, len(rows)), "split", "one on every line or on none", f"on {with_split}")
    return rows


def _tree(path: Path) -> list[_Row]:
    tops = sorted(child for child in path.iterdir() if child.is_dir() and not child.name.startswith("."))
    split = bool(tops) and all(_split_name(top.name) in SPLITS for top in tops)
    rows = []
    for top in tops:
        for group in sorted(child for child in top.iterdir() if child.is_dir()) if split else [top]:
            for file in sorted(group.iterdir()):
                if file.is_file() and not file.name.startswith("."):
                    name = file.relative_to(path).as_posix()
                    rows.append(_Row(name, group.name, _split_name(top.name) if split else "", ""))
    return rows


def _entry(path: Path, row: _Row, classes: tuple[str, ...], sensor: Sensor) -> Entry:
    file = path / row.path
    stat = file.stat()
    read: Callable[[], Events] = functools.partial(_read, file, sensor)
    stamp = f"{stat.st_size}-{stat.st_mtime_ns}"
    return Entry(row.path, classes.index(row.label), row.subject or None, read, stamp)


def _read(file: Path, sensor: Sensor) -> Events:
    return open_file(file, sensor=sensor).read()


def _splits(entries: list[Entry], rows: list[_Row], salt: str) -> dict[str, tuple[Entry, ...]]:
    if rows[0].split:
        return {
            split: tuple(entry for entry, row in zip(entries, rows, strict=True) if row.split == split)
            for split in SPLITS
        }
    known = all(entry.subject for entry in entries)
    divide = split_by_subject if known else split_by_key
    first = divide(entries, (), f"{salt}/test")
    return divide(first["train"], first["validation"], f"{salt}/validation")


def _split_name(name: str) -> str:
    return _OTHER_NAMES.get(name.lower(), name.lower())


def _natural(label: str) -> tuple[int, int, str]:
    """Numbers in their order, before words."""
    return (0, int(label), label) if label.isdigit() else (1, 0, label)
