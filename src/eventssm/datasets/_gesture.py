"""DVS128 Gesture (Amir et al. 2017, CC BY 4.0): 11 gestures of 29 people in three lights.

Read from either of the two forms it goes about in:

    DvsGesture/             the original: AEDAT 3.1 with a CSV of labels each, lists of the two splits
    ibmGestureTrain, -Test  gestures cut out, a `.npy` of (x, y, p, t) each, whole milliseconds

Only the second can be fetched without a login. Of the 23 people of the training split, two are held out for
validation. Events are sorted by time, ties in file order.
"""

import functools
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from eventssm import _checks
from eventssm.datasets._archives import unpack_folder
from eventssm.datasets._collection import Collection, Entry, split_by_subject
from eventssm.datasets._download import DownloadProgress, Remote, fetch
from eventssm.events import Events
from eventssm.files import camera, read_columns

NAME = "dvs128-gesture"
CLASSES = (
    "hand clapping", "right hand wave", "left hand wave", "right arm clockwise",
    "right arm counter-clockwise", "left arm clockwise", "left arm counter-clockwise", "arm roll",
    "air drums", "air guitar", "other gestures",
)  # fmt: skip
SENSOR = camera(128, 128)
_ORIGINAL = "DvsGesture"
_CUT = {"train": "ibmGestureTrain", "test": "ibmGestureTest"}
_REMOTES = {
    "ibmGestureTrain": ("38022171", "3a8f0d4120a166bac7591f77409cb105"),
    "ibmGestureTest": ("38020584", "56070e45dadaa85fff82e0fbfbc06de5"),
}
_MIRRORS = ("https://api.figshare.com/v2/file/download", "https://ndownloader.figshare.com/files")


def dvs128_gesture(data_dir: Path, download: bool, progress: DownloadProgress | None = None) -> Collection:
    """The data set from `data_dir`, in the original form if that is there, else cut and perhaps fetched."""
    if (data_dir / _ORIGINAL).exists() or (data_dir / f"{_ORIGINAL}.tar.gz").exists():
        original = unpack_folder(data_dir / f"{_ORIGINAL}.tar.gz", data_dir / _ORIGINAL)
        training, testing = (_of_list(original, f"trials_to_{split}.txt") for split in ("train", "test"))
    else:
        folders = [_cut_folder(data_dir, name, download, progress) for name in _CUT.values()]
        training, testing = (_of_folder(folder) for folder in folders)
    return Collection("dvs128-gesture", SENSOR, CLASSES, split_by_subject(training, testing, NAME))


def _cut_folder(data_dir: Path, name: str, download: bool, progress: DownloadProgress | None) -> Path:
    folder, archive = data_dir / name, data_dir / f"{name}.tar.gz"
    if not folder.exists() and not archive.exists():
        _checks.check(download, str(data_dir), f"{_ORIGINAL}, or {name}, or either as .tar.gz", "neither")
        number, md5 = _REMOTES[name]
        fetch(Remote(archive.name, md5, tuple(f"{url}/{number}" for url in _MIRRORS)), data_dir, progress)
    return unpack_folder(archive, folder)


def _of_folder(folder: Path) -> list[Entry]:
    entries = []
    for path in sorted(folder.rglob("*.npy")):
        with _checks.about(path):
            _checks.check(path.stem.isdigit(), "name", "the number of a class, from 0", path.stem)
        key = path.relative_to(folder.parent).as_posix()
        entries.append(
            Entry(key, int(path.stem), _subject(path.parent.name), functools.partial(_read_cut, path))
        )
    _checks.check(bool(entries), str(folder), "files USER/CLASS.npy", "none")
    return entries


def _of_list(folder: Path, name: str) -> list[Entry]:
    """Entries of the trials that a list names, one for each row of their labels."""
    entries = []
    for trial in (folder / name).read_text("utf-8", "replace").split():
        path = folder / trial
        table = path.with_name(f"{path.stem}_labels.csv")
        with _checks.about(table):
            rows = _label_rows(table.read_text("utf-8", "replace").split("\n")[1:])
        for number, (label, start, stop) in enumerate(rows):
            read = functools.partial(_read_trial, path, start, stop)
            entries.append(Entry(f"{_ORIGINAL}/{path.stem}/{number}", label - 1, _subject(path.stem), read))
    _checks.check(bool(entries), str(folder / name), "names of trials", "none")
    return entries


def _label_rows(lines: Iterable[str]) -> list[tuple[int, int, int]]:
    """Class from 1 on, first and last microsecond, of each line of a label file."""
    rows = []
    for number, line in enumerate(lines, 2):
        row = re.fullmatch(r"\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*", line)
        if row is None:
            _checks.check(not line.strip(), f"line {number}", "class,startTime_usec,endTime_usec", line[:40])
            continue
        rows.append((int(row[1]), int(row[2]), int(row[3])))
    return rows


def _subject(name: str) -> str:
    user = re.match(r"user(\d+)", name)
    return name if user is None else str(int(user[1]))


def _read_cut(path: Path) -> Events:
    with _checks.about(path):
        try:
            array = np.load(path, mmap_mode="r", allow_pickle=False)  # a lie about its size costs nothing
        except OSError:
            raise
        except Exception as problem:  # it hands the header's text to Python's own parser
            _checks.refuse("array", "a whole .npy file", " ".join(str(problem).split())[:120])
        _checks.check(array.ndim == 2 and array.shape[1] == 4, "array", "rows of x, y, p, t", array.shape)
        x, y, p, t = array.T
        return _sorted(np.rint(t.astype(np.float64) * 1000.0), x, y, p)


def _read_trial(path: Path, start: int, stop: int) -> Events:
    return _trial(path).between(start, stop)


@functools.lru_cache(maxsize=1)
def _trial(path: Path) -> Events:
    columns = read_columns(path)
    with _checks.about(path):
        return _sorted(columns["t"], columns["x"], columns["y"], columns["p"])


def _sorted(t: np.ndarray, x: np.ndarray, y: np.ndarray, p: np.ndarray) -> Events:
    order = np.argsort(t, kind="stable")
    return Events(SENSOR, t=t[order], x=x[order], y=y[order], p=p[order])
