"""Recordings of one's own."""

import os

import numpy as np
import pytest

import eventssm as es
from eventssm import InputError
from eventssm.datasets._folder import folder
from tests.datasets.small import CAMERA, events_of


def fill(root, names):
    for number, name in enumerate(names):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        es.write(events_of(CAMERA, 5 + number, number), root / name)


def test_a_subfolder_for_each_class(tmp_path):
    fill(tmp_path, [f"{label}/{number}.npz" for label in ("10", "9", "wave") for number in range(20)])
    (tmp_path / "wave" / ".hidden").touch()
    whole = folder(tmp_path)
    assert whole.classes == ("9", "10", "wave") and whole.sensor.shape == CAMERA.shape
    assert {split: len(entries) for split, entries in whole.splits.items()} == {
        "train": 48, "validation": 6, "test": 6
    }  # fmt: skip
    entry = next(entry for entry in whole.splits["train"] if entry.key == "wave/3.npz")
    assert entry.label == 2 and entry.read() == es.read(tmp_path / "wave/3.npz")


def test_folders_named_after_splits(tmp_path):
    fill(tmp_path, [f"{split}/{label}/x.npz" for split in ("train", "val", "test") for label in "ab"])
    splits = folder(tmp_path).splits
    assert {split: [entry.key for entry in entries] for split, entries in splits.items()} == {
        "train": ["train/a/x.npz", "train/b/x.npz"],
        "validation": ["val/a/x.npz", "val/b/x.npz"],
        "test": ["test/a/x.npz", "test/b/x.npz"],
    }


def test_a_table_with_splits(tmp_path):
    fill(tmp_path, ["one.npz", "deep/two.npz", "three.csv"])
    table = "split,label,path\ntrain,b,one.npz\ntest,a,deep/two.npz\nvalidation,b,three.csv\n"
    (tmp_path / "labels.csv").write_text(table)
    whole = folder(tmp_path)
    assert whole.classes == ("a", "b")
    assert {split: [entry.key for entry in entries] for split, entries in whole.splits.items()} == {
        "train": ["one.npz"], "validation": ["three.csv"], "test": ["deep/two.npz"]
    }  # fmt: skip


def test_a_table_with_subjects(tmp_path):
    names = [f"{number}.npz" for number in range(40)]
    fill(tmp_path, names)
    lines = [f"{name},{number % 2},p{number // 4}" for number, name in enumerate(names)]
    (tmp_path / "labels.csv").write_text("path,label,subject\n" + "\n".join(lines) + "\n")
    people = [{entry.subject for entry in entries} for entries in folder(tmp_path).splits.values()]
    assert [len(group) for group in people] == [8, 1, 1] and len(set.union(*people)) == 10


def test_loading_makes_the_store_and_makes_it_anew_when_files_change(tmp_path):
    fill(tmp_path / "mine", [f"{label}/{number}.npz" for label in "ab" for number in range(10)])
    name, root = f"folder:{tmp_path / 'mine'}", tmp_path / "stores"
    first = es.datasets.load(name, "train", root=root)
    assert len(first) == 16 and first[0].events == es.read(tmp_path / "mine" / first.keys[0])
    place = es.datasets.store_path(name, root)
    made = (place / "manifest.json").stat().st_mtime_ns
    es.datasets.load(name, "test", root=root)
    assert (place / "manifest.json").stat().st_mtime_ns == made

    changed = tmp_path / "mine" / first.keys[0]
    es.write(events_of(CAMERA, 77, 0), changed)
    os.utime(changed, (1, 1))
    assert len(es.datasets.load(name, "train", root=root)[0].events) == 77


def test_files_that_do_not_name_their_sensor(tmp_path):
    (tmp_path / "a").mkdir()
    array = np.zeros(3, [("t", "i8"), ("x", "i2"), ("y", "i2"), ("p", "?")])
    np.save(tmp_path / "a" / "x.npy", array)
    with pytest.raises(InputError, match=r"a/x.npy.*sensor: expected one to be given"):
        folder(tmp_path)
    whole = folder(tmp_path, CAMERA)
    assert whole.sensor == CAMERA and len(whole.splits["train"][0].read()) == 3


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        (
            "file,label\nx.npz,a\n",
            r"header: expected path,label\[,split\]\[,subject\], got file,label",
        ),
        ("path,label\nx.npz,\n", "labels.csv: line 2: expected a label, got none"),
        ("path,label,split\nx.npz,a,tr\n", "line 2: expected a split: train, validation, test, got tr"),
        (
            "path,label,split\nx.npz,a,train\nx.npz,a,\n",
            "split: expected one on every line or on none, got on 1",
        ),
        ("path,label\n", "folder: expected CLASS/FILE, SPLIT/CLASS/FILE or labels.csv, got no recordings"),
    ],
)
def test_wrong_tables(tmp_path, table, complaint):
    fill(tmp_path, ["x.npz"])
    (tmp_path / "labels.csv").write_text(table)
    with pytest.raises(InputError, match=complaint):
        folder(tmp_path)


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(InputError, match="expected a folder with recordings, got no folder"):
        folder(tmp_path / "none")
    (tmp_path / "labels.csv").write_text("path,label\ngone.npz,a\n")
    with pytest.raises(FileNotFoundError, match=r"gone.npz"):
        folder(tmp_path)


def test_a_table_that_is_not_utf8(tmp_path):
    fill(tmp_path, ["x.npz"])
    (tmp_path / "labels.csv").write_bytes("path,label\nx.npz,caf\xe9\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"labels.csv: byte 20: expected text in UTF-8, got b'\\xe9'"):
        folder(tmp_path)
