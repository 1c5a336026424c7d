"""Data sets by name: collected from files, prepared, loaded."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from eventssm import _checks
from eventssm.datasets._audiomnist import audiomnist
from eventssm.datasets._collection import SPLITS, Collection
from eventssm.datasets._dataset import Dataset, MemoryDataset
from eventssm.datasets._digits import digits
from eventssm.datasets._download import DownloadProgress
from eventssm.datasets._folder import folder
from eventssm.datasets._gesture import dvs128_gesture
from eventssm.datasets._heidelberg import shd, ssc
from eventssm.datasets._layout import MANIFEST
from eventssm.datasets._nmnist import n_mnist
from eventssm.datasets._prepare import Progress, prepare_store, remove_store
from eventssm.datasets._store import StoreDataset
from eventssm.events import Sensor

FOLDER = "folder:"


@dataclass(frozen=True)
class Known:
    """A data set with a name: how to collect it, and what a user should know of it."""

    about: str
    collect: Callable[[Path, bool, DownloadProgress | None], Collection]
    downloads: bool = False
    embedded: bool = False


KNOWN: dict[str, Known] = {
    "digits": Known(
        "spoken digits, 140 channels, in the package", lambda path, get, show: digits(), embedded=True
    ),
    "audiomnist": Known("spoken digits, 700 channels", lambda path, get, show: audiomnist(path)),
    "n-mnist": Known("written digits before a camera, 34 x 34", lambda path, get, show: n_mnist(path)),
    "shd": Known("Spiking Heidelberg Digits, 700 channels", shd, downloads=True),
    "ssc": Known("Spiking Speech Commands, 700 channels", ssc, downloads=True),
    "dvs128-gesture": Known("hand gestures before a camera, 128 x 128", dvs128_gesture, downloads=True),
}


def load(
    name: str,
    split: str = "train",
    *,
    data_dir: str | Path | None = None,
    root: str | Path | None = None,
    sensor: Sensor | None = None,
) -> Dataset:
    """One split of a data set: `digits`, `shd`, `folder:PATH`, ...; `KNOWN` has all names.

    `digits` is in the package. The others are read from a prepared store below `root` (by default below
    `EVENTSSM_DATA`, or the user's cache). A store that is not there yet is made from the files in `data_dir`;
    only `eventssm prepare` fetches files.
    """
    _checks.check_choice(split, SPLITS, "split")
    if name == "digits":
        return MemoryDataset.of(digits(), split)
    if data_dir is not None or name.startswith(FOLDER):
        prepare(name, data_dir, root, sensor=sensor)
    place = store_path(name, root)
    if not (place / MANIFEST).exists():
        made = f"eventssm prepare {name}" + ("" if _known(name).downloads else " --data-dir DIR")
        _checks.refuse(str(place), f"a store, as `{made}` makes it", "none")
    return StoreDataset(place, split)


def prepare(
    name: str,
    data_dir: str | Path | None = None,
    root: str | Path | None = None,
    *,
    sensor: Sensor | None = None,
    download: bool = False,
    again: bool = False,
    progress: Progress | None = None,
    download_progress: DownloadProgress | None = None,
) -> Path:
    """Make the store of a data set, or go on making it; the folder that it is in.

    A store that is there is left as it is, unless `again`, or unless the files of a `folder:` have changed.
    """
    place = store_path(name, root)
    if name.startswith(FOLDER):
        collection = folder(Path(name.removeprefix(FOLDER)), sensor)
    else:
        known = _known(name)
        if (place / MANIFEST).exists() and data_dir is None and not again:
            return place
        files = place.parent / "downloads" / name if data_dir is None else Path(data_dir)
        fetching = download and known.downloads and data_dir is None
        if not known.embedded and not fetching:
            _checks.check(data_dir is not None, "data_dir", f"a folder with the files of {name}", "none")
            _checks.check(files.is_dir(), str(files), f"a folder with the files of {name}", "no folder")
        collection = known.collect(files, fetching, download_progress)
    if again or name.startswith(FOLDER):
        remove_store(place, unless=None if again else collection)
    return prepare_store(collection, place, progress)


def data_root() -> Path:
    """Where stores are when nobody says otherwise."""
    given = os.environ.get("EVENTSSM_DATA")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "eventssm"


def store_path(name: str, root: str | Path | None = None) -> Path:
    """The folder of a data set's store."""
    base = data_root() if root is None else Path(root)
    if not name.startswith(FOLDER):
        _known(name)
        return base / name
    path = Path(name.removeprefix(FOLDER)).resolve()
    return base / f"folder-{path.name}-{hashlib.blake2b(str(path).encode(), digest_size=4).hexdigest()}"


def _known(name: str) -> Known:
    if name not in KNOWN:
        _checks.refuse_choice(name, [*KNOWN, f"{FOLDER}PATH"], "data set")
    return KNOWN[name]
