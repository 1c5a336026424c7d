"""The published data sets: real files where they are at hand, files of the same layout where not."""

import gzip
import shutil
import tarfile
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest

import eventssm as es
from eventssm import InputError
from eventssm.datasets._audiomnist import audiomnist
from eventssm.datasets._gesture import dvs128_gesture
from eventssm.datasets._heidelberg import shd, ssc
from eventssm.datasets._nmnist import n_mnist


def counts(collection):
    return {split: len(entries) for split, entries in collection.splits.items()}


def people(collection):
    return {split: {entry.subject for entry in entries} for split, entries in collection.splits.items()}


def test_audiomnist(shared):
    whole = audiomnist(shared / "data")
    assert counts(whole) == {"train": 1800, "validation": 200, "test": 400}
    assert people(whole)["validation"] == {"1", "8", "26", "30"}
    assert people(whole)["test"] == {str(speaker) for speaker in range(41, 49)}
    entry = whole.splits["test"][7]
    with h5py.File(shared / "data/audiomnist-spikes-test.h5") as file:
        part = slice(*file["offset"][7:9])
        assert np.array_equal(entry.read().t, file["t_us"][part])
        assert np.array_equal(entry.read().channel, file["channel"][part])
        assert entry.label == file["label"][7]


def test_n_mnist(shared):
    whole = n_mnist(shared / "data")
    assert counts(whole) == {"train": 720, "validation": 80, "test": 100}
    entry = whole.splits["train"][0]
    assert entry.key == "Train/0/00002"
    assert entry.read() == es.read(shared / "data/n-mnist/Train/0/00002.bin")


def test_the_statistics_of_the_papers_table(shared, tmp_path):
    """Classes, training recordings, median events: REFERENCE's own counts of these recordings."""
    dataset = es.datasets.load("n-mnist", "train", data_dir=shared / "data", root=tmp_path)
    assert (len(dataset.classes), len(dataset)) == (10, 720)
    assert 3000 < np.median(dataset.lengths) < 5000


def spikes(path: Path, speakers: list[int], keys: list[str] | None, dtype: str = "f2") -> None:
    """A file as SHD's: float16 seconds, which are not sorted after rounding."""
    rng = np.random.default_rng(len(speakers))
    with h5py.File(path, "w") as file:
        times = file.create_dataset("spikes/times", (len(speakers),), h5py.vlen_dtype(np.dtype(dtype)))
        units = file.create_dataset("spikes/units", (len(speakers),), h5py.vlen_dtype(np.dtype("u2")))
        for number in range(len(speakers)):
            times[number] = np.sort(rng.uniform(0, 1.2, 50)).astype(dtype)
            units[number] = rng.integers(0, 700, 50)
        file["labels"] = np.arange(len(speakers)) % 20
        file["extra/speaker"] = np.array(speakers)
        if keys:
            file["extra/keys"] = np.array(keys, "S8")


WORDS = [f"word{number}" for number in range(20)]


def test_shd_plain_zipped_and_gzipped(tmp_path):
    made = tmp_path / "made"
    made.mkdir()
    spikes(made / "shd_train.h5", [number % 10 for number in range(100)], WORDS)
    spikes(made / "shd_test.h5", [4, 5, 11, 11], WORDS)
    forms = []
    for form in ("plain", "zip", "gz"):
        place = tmp_path / form
        place.mkdir()
        for path in made.iterdir():
            if form == "plain":
                shutil.copy(path, place)
            elif form == "zip":
                with zipfile.ZipFile(place / f"{path.name}.zip", "w") as archive:
                    archive.write(path, path.name)
            else:
                (place / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        forms.append(shd(place, download=False))
    for whole in forms:
        assert whole.classes == tuple(WORDS) and counts(whole) == {"train": 90, "validation": 10, "test": 4}
        assert not people(whole)["train"] & people(whole)["validation"]
        assert whole.splits["test"][1].read() == forms[0].splits["test"][1].read()
    with h5py.File(made / "shd_train.h5") as file:
        entry = forms[0].splits["train"][0]
        number = int(entry.key.split("/")[1])
        seconds = file["spikes/times"][number].astype(np.float64)
        assert np.array_equal(entry.read().t, np.sort(np.rint(seconds * 1e6).astype(np.int64)))


def test_the_sample_of_shds_layout(shared, tmp_path):
    for part in ("train", "test"):
        shutil.copy(shared / "data/shd-layout-sample.h5", tmp_path / f"shd_{part}.h5")
    whole = shd(tmp_path, download=False)
    assert whole.classes[:3] == ("zero", "one", "two")
    assert counts(whole)["test"] == 60 and len(whole.splits["test"][0].read()) > 3000


def test_ssc_has_its_own_validation_split(tmp_path):
    for part, count in (("train", 5), ("valid", 3), ("test", 2)):
        spikes(tmp_path / f"ssc_{part}.h5", [1] * count, None)
    whole = ssc(tmp_path, download=False)
    assert counts(whole) == {"train": 5, "validation": 3, "test": 2}
    assert whole.classes == ("0", "1", "2", "3", "4")


def aedat3(events: np.ndarray) -> bytes:
    """Events as DVS128 Gesture's original files have them."""
    data = (events["x"] << 17) | (events["y"] << 2) | (events["p"] << 1) | 1
    body = np.empty((len(events), 2), "<i4")
    body[:, 0], body[:, 1] = data, events["t"]
    head = np.array([1, 0], "<i2").tobytes() + np.array([8, 4, 0, *[len(events)] * 3], "<i4").tobytes()
    return b"#!AER-DAT3.1\r\n#Format: RAW\r\n#Source 1: DVS128\r\n#!END-HEADER\r\n" + head + body.tobytes()


def gesture_events(count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    events = np.zeros(count, [("t", int), ("x", int), ("y", int), ("p", int)])
    events["t"] = np.sort(rng.integers(0, 3_000_000, count)) // 1000 * 1000
    for name, limit in (("x", 128), ("y", 128), ("p", 2)):
        events[name] = rng.integers(0, limit, count)
    return events


def original_form(root: Path) -> None:
    """Six people, two gestures each; one pair of events is out of order."""
    place = root / "DvsGesture"
    place.mkdir(parents=True)
    lists: dict[str, list[str]] = {"train": [], "test": []}
    for user in range(1, 7):
        name = f"user{user:02}_led"
        events = gesture_events(500, user)
        events[[100, 101]] = events[[101, 100]]
        (place / f"{name}.aedat").write_bytes(aedat3(events))
        rows = "class,startTime_usec,endTime_usec\n1,0,1000000\n11,1500000,2500000\n"
        (place / f"{name}_labels.csv").write_text(rows)
        lists["train" if user <= 4 else "test"].append(f"{name}.aedat")
    for split, names in lists.items():
        (place / f"trials_to_{split}.txt").write_text("\n".join(names) + "\n")


def cut_form(root: Path) -> None:
    """The same gestures as arrays in milliseconds."""
    for user in range(1, 7):
        events = gesture_events(500, user)
        place = root / ("ibmGestureTrain" if user <= 4 else "ibmGestureTest") / f"user{user:02}_led"
        place.mkdir(parents=True)
        for label, start, stop in ((0, 0, 1000), (10, 1500, 2500)):
            cut = events[(events["t"] >= start * 1000) & (events["t"] < stop * 1000)]
            columns = [cut["x"], cut["y"], cut["p"], cut["t"] // 1000]
            np.save(place / f"{label}.npy", np.stack(columns, 1).astype(np.float64))


def test_both_forms_of_dvs128_gesture(tmp_path):
    original_form(tmp_path / "a")
    cut_form(tmp_path / "b")
    first, second = (dvs128_gesture(tmp_path / form, download=False) for form in "ab")
    assert counts(first) == counts(second) == {"train": 6, "validation": 2, "test": 4}
    assert people(first) == people(second) and len(people(first)["validation"]) == 1
    for split in ("train", "validation", "test"):
        for one, other in zip(first.splits[split], second.splits[split], strict=True):
            assert (one.label, one.subject) == (other.label, other.subject)
            assert sorted(one.read().to_structured().tolist()) == sorted(
                other.read().to_structured().tolist()
            )
    assert first.splits["test"][1].label == 10 and first.classes[10] == "other gestures"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93NUMPY\x01\x00",
        b"\x93NUMPY\x01\x00\x48\x00{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 4), }\n" % 2**40,
        b"\x93NUMPY\x01\x00\x05\x00({[(\n",
        b"no array at all",
    ],
)
def test_damaged_gestures_are_told_of_by_name(tmp_path, data):
    cut_form(tmp_path)
    path = next(tmp_path.glob("ibmGestureTest/*/10.npy"))
    path.write_bytes(data)
    whole = dvs128_gesture(tmp_path, download=False)
    entry = next(entry for entry in whole.splits["test"] if entry.key.endswith("/".join(path.parts[-2:])))
    with pytest.raises(InputError, match=r"10.npy: array: expected a whole .npy file, got "):
        entry.read()


def test_dvs128_gesture_in_archives(tmp_path):
    original_form(tmp_path / "made")
    with tarfile.open(tmp_path / "DvsGesture.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "made/DvsGesture", "DvsGesture")
    whole = dvs128_gesture(tmp_path, download=False)
    assert counts(whole)["test"] == 4 and sorted(path.name for path in tmp_path.iterdir()) == [
        "DvsGesture", "DvsGesture.tar.gz", "made"
    ]  # fmt: skip


def test_an_archive_that_climbs_out_is_refused(tmp_path):
    (tmp_path / "evil").write_text("x")
    with tarfile.open(tmp_path / "DvsGesture.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "evil", "../evil")
    with pytest.raises(InputError, match="archive: expected a whole archive"):
        dvs128_gesture(tmp_path, download=False)


@pytest.mark.parametrize("name", ["shd_train.h5.zip", "shd_train.h5.gz", "DvsGesture.tar.gz"])
def test_damaged_archives(tmp_path, name):
    spikes(tmp_path / "shd_test.h5", [1], WORDS)
    good = tmp_path / "good"
    with zipfile.ZipFile(good, "w") as archive:
        archive.writestr("shd_train.h5", bytes(100_000))
    data = (
        gzip.compress(np.random.default_rng(0).bytes(100_000)) if name.endswith("gz") else good.read_bytes()
    )
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    collect = dvs128_gesture if name.startswith("Dvs") else shd
    with pytest.raises(InputError, match=rf"{name}: archive: expected a whole archive"):
        collect(tmp_path, download=False)
    assert not (tmp_path / "shd_train.h5").exists() and not (tmp_path / "DvsGesture").exists()


def test_what_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match=r"expected shd_train.h5, or that with .zip or .gz, got neither"):
        shd(tmp_path, download=False)
    with pytest.raises(InputError, match=r"expected DvsGesture, or ibmGestureTrain, or either as .tar.gz"):
        dvs128_gesture(tmp_path, download=False)
    with pytest.raises(InputError, match=r"Train: expected folders 0 to 9 with .bin files, got none"):
        n_mnist(tmp_path)
    with pytest.raises(FileNotFoundError, match="audiomnist-spikes-train"):
        audiomnist(tmp_path)


def test_files_of_another_layout(tmp_path):
    for name in ("audiomnist-spikes-train.h5", "shd_train.h5", "shd_test.h5"):
        with h5py.File(tmp_path / name, "w") as file:
            file["other"] = 1
    with pytest.raises(
        InputError, match=r"audiomnist-spikes-train.h5: columns: expected t_us, channel, .* got other"
    ):
        audiomnist(tmp_path)
    with pytest.raises(InputError, match=r"shd_train.h5: layout: expected labels, as SHD has it, got other"):
        shd(tmp_path, download=False)
    for part in ("train", "valid", "test"):
        (tmp_path / f"ssc_{part}.h5").write_bytes(b"no HDF5")
    with pytest.raises(InputError, match=r"ssc_train.h5: HDF5: expected a whole file"):
        ssc(tmp_path, download=False)


def test_offsets_that_do_not_cover_the_events(tmp_path):
    """Unseen, the last recording would be shorter than it was."""
    for end in (9, 11):
        place = tmp_path / str(end)
        place.mkdir()
        with h5py.File(place / "audiomnist-spikes-train.h5", "w") as file:
            file["t_us"], file["channel"] = np.arange(10, dtype="u4"), np.zeros(10, "u2")
            file["offset"], file["label"], file["speaker"] = [0, 4, end], [1, 2], [1, 2]
        with pytest.raises(InputError, match=r"train.h5: offset: expected rows from 0 to 10, got \[ ?0 "):
            audiomnist(place)


def test_names_and_places(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"got 'sdh' \(did you mean 'shd'\?\)"):
        es.datasets.load("sdh")
    with pytest.raises(InputError, match="split: expected one of train, validation, test, got 'tset'"):
        es.datasets.load("digits", "tset")
    monkeypatch.setenv("EVENTSSM_DATA", str(tmp_path))
    assert es.datasets.store_path("shd") == tmp_path / "shd"
    with pytest.raises(
        InputError, match="shd: expected a store, as `eventssm prepare shd` makes it, got none"
    ):
        es.datasets.load("shd")
    with pytest.raises(InputError, match="`eventssm prepare n-mnist --data-dir DIR` makes it"):
        es.datasets.load("n-mnist")
    with pytest.raises(InputError, match="data_dir: expected a folder with the files of n-mnist, got none"):
        es.datasets.prepare("n-mnist")
    monkeypatch.delenv("EVENTSSM_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert es.datasets.data_root() == tmp_path / "cache/eventssm"
