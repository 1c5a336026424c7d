"""N-MNIST (Orchard et al. 2015, CC BY-SA 4.0): `Train` and `Test`, a folder for each digit, `.bin` files."""

import functools
from pathlib import Path

from eventssm import _checks
from eventssm.datasets._collection import Collection, Entry, split_by_key
from eventssm.files import camera, read

CLASSES = tuple(str(digit) for digit in range(10))
SENSOR = camera(34, 34)


def n_mnist(data_dir: Path) -> Collection:
    """All recordings in `data_dir`, or in the folder `n-mnist` there; a tenth of `Train` for validation."""
    root = data_dir / "n-mnist" if (data_dir / "n-mnist").is_dir() else data_dir
    training, testing = (_entries(root, part) for part in ("Train", "Test"))
    return Collection("n-mnist", SENSOR, CLASSES, split_by_key(training, testing, "n-mnist"))


def _entries(root: Path, part: str) -> list[Entry]:
    entries = []
    for label, digit in enumerate(CLASSES):
        for path in sorted((root / part / digit).glob("*.bin")):
            read_it = functools.partial(read, path, "nmnist", SENSOR)
            entries.append(Entry(f"{part}/{digit}/{path.stem}", label, None, read_it))
    _checks.check(bool(entries), str(root / part), "folders 0 to 9 with .bin files", "none")
    return entries
