"""Stores: what goes in comes out, also after a kill, and nothing damaged is trusted."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from eventssm import Events, InputError
from eventssm.datasets import Collection, Entry, MemoryDataset, StoreDataset, prepare_store
from eventssm.datasets._prepare import remove_store
from tests.datasets.small import CAMERA, COCHLEA, collection, events_of


def assert_same(store, memory):
    assert (store.sensor, store.classes, store.keys) == (memory.sensor, memory.classes, memory.keys)
    assert np.array_equal(store.lengths, memory.lengths) and np.array_equal(store.labels, memory.labels)
    for index in range(len(memory)):
        assert store[index] == memory[index]


@pytest.mark.parametrize("sensor", [COCHLEA, CAMERA], ids=["cochlea", "camera"])
def test_what_goes_in_comes_out(tmp_path, sensor):
    whole = collection(sensor)
    place = prepare_store(whole, tmp_path / "store")
    assert sorted(path.name for path in place.iterdir()) == sorted(
        ["manifest.json"]
        + [f"{s}.{part}" for s in ("train", "test") for part in ("t", "channel", "index.npz")]
    )
    for split in whole.splits:
        assert_same(StoreDataset(place, split), MemoryDataset.of(whole, split))


def test_parts_of_recordings(tmp_path):
    whole = collection()
    store = StoreDataset(prepare_store(whole, tmp_path / "store"), "train")
    events = store[3].events
    assert store.read(3, 5, 9) == events[5:9] and store.read(3, 2) == events[2:]
    assert store.read(3, 9, 5) == events[9:5] and len(store.read(3, 999)) == 0
    again = pickle.loads(pickle.dumps(store))
    assert_same(again, MemoryDataset.of(whole, "train"))


def test_subjects_and_times_are_kept(tmp_path):
    store = StoreDataset(prepare_store(collection(), tmp_path / "store"), "test")
    assert store.manifest.splits["test"].subjects == ("s0", "s1", "s2")
    assert store.index.subject.tolist() == ["s0", "s1", "s2"]
    assert store.index.start.tolist() == [0, 4 * 10**12, 8 * 10**12]
    assert store[2].events.t[0] == 8 * 10**12


def test_an_empty_split_and_an_empty_store(tmp_path):
    nothing = Collection("none", COCHLEA, ("a",), {"train": (), "test": ()})
    assert len(StoreDataset(prepare_store(nothing, tmp_path / "store"), "train")) == 0


def interrupted_at(whole: Collection, key: str | None, reads: list[str]) -> Collection:
    """The collection with every reading noted, and Ctrl-C while one of its recordings is read."""

    def read(entry: Entry) -> Events:
        reads.append(entry.key)
        if entry.key == key:
            raise KeyboardInterrupt
        return entry.read()

    splits = {
        split: tuple(replace(entry, read=partial(read, entry)) for entry in entries)
        for split, entries in whole.splits.items()
    }
    return Collection(whole.name, whole.sensor, whole.classes, splits)


@pytest.mark.parametrize("key", ["r1", "r2", "r7", "r0", "r4"])
def test_goes_on_where_it_was_stopped(tmp_path, key):
    whole, place, reads = collection(recordings=8), tmp_path / "store", []
    want = prepare_store(whole, tmp_path / "want")
    with pytest.raises(KeyboardInterrupt):
        prepare_store(interrupted_at(whole, key, reads), place)
    assert not place.exists()
    prepare_store(interrupted_at(whole, None, reads), place)
    assert sorted(reads) == sorted([key, *(f"r{number}" for number in range(8))])
    for path in want.iterdir():
        if path.suffix != ".npz":
            assert (place / path.name).read_bytes() == path.read_bytes()
    for split in whole.splits:
        assert_same(StoreDataset(place, split), MemoryDataset.of(whole, split))


SLOW = """
import sys, time
from dataclasses import replace
from functools import partial
from pathlib import Path
from eventssm.datasets import Collection, prepare_store, _prepare
from tests.datasets.small import collection
_prepare._AT_ONCE = 1
whole = collection(recordings=24)
def read(entry):
    time.sleep(0.005)
    return entry.read()
splits = {s: tuple(replace(e, read=lambda e=e: read(e)) for e in es) for s, es in whole.splits.items()}
print("started", flush=True)
prepare_store(Collection("small", whole.sensor, whole.classes, splits), Path(sys.argv[1]))
"""


def test_a_kill_loses_nothing_and_leaves_nothing_that_is_trusted(tmp_path):
    """Killed again and again at odd moments until it gets through."""
    whole, place, kills = collection(recordings=24), tmp_path / "store", 0
    for wait in np.random.default_rng(5).uniform(0.0, 0.15, 100):
        with subprocess.Popen([sys.executable, "-c", SLOW, str(place)], stdout=subprocess.PIPE) as run:
            assert run.stdout is not None and run.stdout.readline() == b"started\n"
            time.sleep(wait)
            run.send_signal(signal.SIGKILL)
        if place.exists():
            break
        kills += 1
    assert kills >= 1
    prepare_store(whole, place)
    for split in whole.splits:
        assert_same(StoreDataset(place, split), MemoryDataset.of(whole, split))


@pytest.mark.parametrize("damage", ["a torn line", "times missing", "channels missing", "more data"])
def test_what_a_power_cut_leaves_is_cut_off(tmp_path, damage):
    """A journal that is torn or ahead of its data, or data that no line vouches for."""
    whole, place, part = collection(), tmp_path / "store", tmp_path / "store.part"
    with pytest.raises(KeyboardInterrupt):
        prepare_store(interrupted_at(whole, "r7", []), place)
    lines = (part / "train.journal").read_bytes().splitlines(keepends=True)
    assert len(lines) == 5
    if damage == "a torn line":
        (part / "train.journal").write_bytes(b"".join(lines[:3]) + lines[3][:-1])
    elif damage == "more data":
        with (part / "train.t").open("ab") as file:
            file.write(b"123456")
    else:
        with (part / ("train.t" if damage == "times missing" else "train.channel")).open("r+b") as file:
            file.truncate(30)
    store = StoreDataset(prepare_store(whole, place), "train")
    assert_same(store, MemoryDataset.of(whole, "train"))


def test_another_data_set_is_not_taken_for_this_one(tmp_path):
    place = prepare_store(collection(), tmp_path / "store")
    assert prepare_store(collection(), place) == place
    with pytest.raises(InputError, match=r"expected a store of these 11 recordings of small, got one of 12"):
        prepare_store(collection(recordings=11), place)
    remove_store(place, unless=collection())
    assert place.exists()
    remove_store(place)
    assert not place.exists()
    (tmp_path / "mine").mkdir()
    with pytest.raises(InputError, match="mine: expected a store, or nothing yet, got something else"):
        prepare_store(collection(), tmp_path / "mine")


def test_only_one_process_prepares(tmp_path):
    def meanwhile():
        with pytest.raises(InputError, match="expected nobody else preparing this store"):
            prepare_store(whole, tmp_path / "store")
        return events_of(COCHLEA, 3, 0)

    whole = collection()
    first = replace(whole.splits["train"][0], read=meanwhile)
    prepare_store(Collection("small", COCHLEA, whole.classes, {"train": (first,)}), tmp_path / "store")


def test_recordings_that_do_not_fit_are_refused(tmp_path):
    whole = collection()
    long = replace(whole.splits["train"][0], read=lambda: events_of(COCHLEA, 1, 0))
    other = replace(long, read=lambda: events_of(CAMERA, 3, 0))
    with pytest.raises(InputError, match="r1: sensor: expected cochlea-7, that of the data set, got 5x4"):
        prepare_store(Collection("x", COCHLEA, whole.classes, {"train": (other,)}), tmp_path / "a")
    hours = replace(long, read=lambda: Events(COCHLEA, t=[0, 2**32], channel=[0, 1]))
    with pytest.raises(InputError, match="r1: duration: expected less than 4294967296 us, 71 minutes"):
        prepare_store(Collection("x", COCHLEA, whole.classes, {"train": (hours,)}), tmp_path / "b")


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(bytes(data))


def test_damage_is_found_on_opening(tmp_path):
    place = prepare_store(collection(), tmp_path / "store")
    StoreDataset(place, "train")
    assert set(json.loads((place / "verified.json").read_text())) == {"train"}

    os.utime(place / "train.t")  # touched but sound
    StoreDataset(place, "train")
    flip(place / "train.t", 100)
    with pytest.raises(InputError, match=r"store: train recording r\d+: expected digest \w+, got \w+"):
        StoreDataset(place, "train")
    flip(place / "train.t", 100)
    flip(place / "train.channel", 3)
    with pytest.raises(InputError, match="train recording r1: expected digest"):
        StoreDataset(place, "train")
    flip(place / "train.channel", 3)
    StoreDataset(place, "train")

    (place / "train.t").write_bytes((place / "train.t").read_bytes()[:-4])
    with pytest.raises(InputError, match=r"train.t: expected \d+ bytes, got \d+"):
        StoreDataset(place, "train")


def test_damaged_indexes_and_manifests_are_found(tmp_path):
    place = prepare_store(collection(), tmp_path / "store")
    index = place / "train.index.npz"
    sound = index.read_bytes()
    index.write_bytes(sound[:200])
    with pytest.raises(InputError, match="expected a whole index, got"):
        StoreDataset(place, "train")
    index.write_bytes((place / "test.index.npz").read_bytes())
    with pytest.raises(InputError, match=r"index.npz: expected digest \w+, got \w+"):
        StoreDataset(place, "train")
    index.write_bytes(sound)

    manifest = place / "manifest.json"
    record = json.loads(manifest.read_text())
    for text, complaint in (
        ("{", "manifest: expected JSON, got something else"),
        ("[]", "manifest: expected a JSON object, got list"),
        (json.dumps(record | {"version": 2}), "version: expected 1, got 2"),
        (json.dumps({"version": 1}), "manifest: expected name, sensor, classes, plan and splits"),
    ):
        manifest.write_text(text)
        with pytest.raises(InputError, match=complaint):
            StoreDataset(place, "train")
    manifest.write_text(json.dumps(record))
    with pytest.raises(InputError, match="split: expected one of train, test, got 'validation'"):
        StoreDataset(place, "validation")


def test_a_store_that_cannot_be_written_to_is_read_all_the_same(tmp_path):
    place = prepare_store(collection(), tmp_path / "store")
    (place / "verified.json").mkdir()  # nothing can be remembered
    assert_same(StoreDataset(place, "train"), MemoryDataset.of(collection(), "train"))


def test_recordings_are_counted_from_the_end_too(tmp_path):
    place = prepare_store(collection(), tmp_path / "store")
    dataset = StoreDataset(place, "train")
    last, again = dataset[-1], dataset[len(dataset) - 1]
    assert len(last.events) and last.events == again.events and last.label == again.label
    for index in (len(dataset), -len(dataset) - 1):
        with pytest.raises(IndexError, match=f"recording: expected one of {len(dataset)}, got {index}"):
            dataset[index]
