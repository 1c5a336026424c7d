"""HDF5 in the layouts of SHD, Prophesee and DSEC, whole and damaged."""

import h5py
import numpy as np
import pytest

import eventssm as es
from eventssm import InputError
from eventssm.files import count_recordings, each_recording
from tests.files.samples import CAMERA, COCHLEA, SAMPLES, random_events

EVENTS = random_events()
T_OFFSET = 49_000_000_000


def shd(path, times, units, dtype="f2", **options) -> None:
    with h5py.File(path, "w", **options) as file:
        for name, rows, kind in (("times", times, dtype), ("units", units, "u2")):
            made = file.create_dataset(f"spikes/{name}", (len(rows),), h5py.vlen_dtype(np.dtype(kind)))
            for number, row in enumerate(rows):
                made[number] = np.asarray(row, kind)


def plain(path, **columns) -> None:
    with h5py.File(path, "w") as file:
        file.attrs["width"], file.attrs["height"] = 64, 48
        for name in ("t", "x", "y", "p"):
            column = columns.get(name, getattr(EVENTS, name).astype(np.int64))
            file.create_dataset(f"events/{name}", data=column)


def test_float16_seconds_to_the_nearest_microsecond_and_stably_sorted(tmp_path):
    """Just below one second a step of float16 is 488 us: rounding leaves events in any order, and ties."""
    exact = [0.0, 0.1, 0.2, 0.9004, 0.9002, 0.9003, 0.5, 1.3]
    shd(tmp_path / "a.h5", [exact, [0.25]], [[0, 1, 2, 3, 4, 5, 6, 699], [7]])
    events = es.read(tmp_path / "a.h5", index=0)
    stored = np.array(exact, "f2").astype(np.float64)
    assert stored[3] == stored[4] == stored[5] == 0.900390625
    assert events.t.tolist() == [0, 99976, 199951, 500000, 900391, 900391, 900391, 1299805]
    assert events.channel.tolist() == [0, 1, 2, 6, 3, 4, 5, 699]
    assert es.read(tmp_path / "a.h5", index=1).t.tolist() == [250_000]


def test_many_recordings(tmp_path):
    shd(tmp_path / "a.h5", [[0.5, 0.6], [], [0.125]], [[1, 2], [], [3]], dtype="f8")
    assert count_recordings(tmp_path / "a.h5") == 3
    assert [len(events) for events in each_recording(tmp_path / "a.h5")] == [2, 0, 1]
    with pytest.raises(
        InputError, match="index: expected the number of one of 3 recordings, from 0 on, got none"
    ):
        es.read(tmp_path / "a.h5")
    with pytest.raises(InputError, match="index: expected 0 <= index < 3, got 3"):
        es.read(tmp_path / "a.h5", index=3)
    with pytest.raises(InputError, match=r"index: expected a whole number >= 0, got -1"):
        es.read(tmp_path / "a.h5", index=-1)


def test_every_recording_of_the_sample(shared):
    path = shared / "data/shd-layout-sample.h5"
    counts = [len(events) for events in each_recording(path)]
    with h5py.File(path) as file:
        assert counts == [len(row) for row in file["spikes/units"]]


def test_records_at_the_root(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["events"] = EVENTS.to_structured()
    assert es.read(tmp_path / "a.h5", sensor=CAMERA) == EVENTS


@pytest.mark.parametrize("name", ["hdf5-prophesee", "hdf5-dsec", "hdf5"])
def test_cameras(tmp_path, name):
    SAMPLES[name][1](tmp_path / "a.h5")
    events = es.read(tmp_path / "a.h5")
    assert events.sensor.name == ("640x480" if name == "hdf5-dsec" else "64x48")
    assert np.array_equal(events.t, EVENTS.t + T_OFFSET * (name == "hdf5-dsec"))
    assert all(np.array_equal(getattr(events, column), getattr(EVENTS, column)) for column in ("x", "y", "p"))
    assert count_recordings(tmp_path / "a.h5") == 1


def test_compression_that_a_plugin_knows(tmp_path):
    plugin = pytest.importorskip("hdf5plugin")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        for name in ("t", "x", "y", "p"):
            column = getattr(EVENTS, name)
            file.create_dataset(f"events/{name}", data=column, chunks=(16,), compression=plugin.Blosc())
        file["t_offset"] = 5
    assert np.array_equal(es.read(tmp_path / "a.h5").t, EVENTS.t + 5)


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ({"t": EVENTS.t[::-1]}, r"t\[1\]: expected a time >= "),
        ({"t": EVENTS.t - 10**6}, r"t\[0\]: expected a time >= 0 "),
        ({"t": EVENTS.t + 0.5}, r"t\[0\]: expected a whole number"),
        ({"x": EVENTS.x[:-1]}, r"events/x: expected 40 rows, got shape \(39,\)"),
        ({"x": np.append(EVENTS.x, 1)}, r"events/x: expected 40 rows, got shape \(41,\)"),
        ({"y": EVENTS.y.astype("i2") - 48}, r"y\[0\]: expected 0 <= y < 48, got -"),
        ({"p": EVENTS.p[:, None]}, r"events/p: expected 40 rows, got shape \(40, 1\)"),
        ({"p": np.full(40, b"ON")}, r"p: expected whole numbers, got dtype \|S2"),
        ({"p": np.zeros(40, "V2000")}, "events/p: expected at most 1024 bytes a row, got 2000"),
    ],
)
def test_columns_that_are_no_events(tmp_path, columns, complaint):
    plain(tmp_path / "a.h5", **columns)
    with pytest.raises(InputError, match=complaint):
        es.read(tmp_path / "a.h5")


@pytest.mark.parametrize(
    ("times", "units", "complaint"),
    [
        ([0.1, 0.2], [1], "units: expected 2 values, as many as times, got 1"),
        ([0.1, np.nan], [1, 2], r"times\[1\]: expected seconds below 1000000000, got nan"),
        ([0.1, np.inf], [1, 2], r"times\[1\]: expected seconds below 1000000000, got inf"),
        ([-0.1, 0.2], [1, 2], r"t\[0\]: expected a time >= 0"),
        ([0.1, 0.2], [1, 700], r"channel\[1\]: expected 0 <= channel < 700, got 700"),
    ],
)
def test_spikes_that_are_no_events(tmp_path, times, units, complaint):
    shd(tmp_path / "a.h5", [times], [units])
    with pytest.raises(InputError, match=complaint) as told:
        es.read(tmp_path / "a.h5")
    assert str(told.value).startswith(f"{tmp_path / 'a.h5'}: ")


def test_sizes_that_cost_nothing_to_claim(tmp_path):
    """2^40 rows of nothing, and a chunk of 8 TiB, in a few kilobytes."""
    for chunks in ((2**10,), (2**29,)):
        with h5py.File(tmp_path / "a.h5", "w") as file:
            for name in ("t", "x", "y", "p"):
                rows = 2**40 if len(chunks) and chunks[0] == 2**10 else 40
                made = file.create_dataset(f"events/{name}", (rows,), "u4", chunks=chunks, maxshape=(None,))
                if rows == 2**40:
                    made[:3] = [1, 2, 3]
        wanted = "rows that were written|chunks of at most"
        with pytest.raises(InputError, match=rf"events/t: expected ({wanted})"):
            es.read(tmp_path / "a.h5", sensor=CAMERA)


@pytest.mark.parametrize("made", ["nothing", "other", "dataset", "half", "spikes", "fixed"])
def test_other_layouts(tmp_path, made):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        if made == "other":
            file["a\nb"] = 1
        elif made == "dataset":
            file["events"] = np.zeros((1000, 4))
        elif made == "half":
            file["events/t"] = np.arange(4)
        elif made == "spikes":
            file["spikes"] = np.arange(4)
        elif made == "fixed":
            file["spikes/times"], file["spikes/units"] = np.zeros((1, 9)), np.zeros((1, 9), int)
    with pytest.raises(InputError, match=r"a.h5: (layout|HDF5|/spikes/times): expected ") as told:
        es.read(tmp_path / "a.h5")
    assert "\n" not in str(told.value)


def test_cut_short(tmp_path):
    for name in ("hdf5", "hdf5-shd", "hdf5-prophesee"):
        SAMPLES[name][1](tmp_path / "whole")
        data = (tmp_path / "whole").read_bytes()
        for end in range(9, len(data), len(data) // 40):
            (tmp_path / "a.h5").write_bytes(data[:end])
            with pytest.raises(
                InputError,
                match=r"a.h5: (HDF5: expected a whole file in a known|heap at byte \d+: expected an)",
            ):
                es.read(tmp_path / "a.h5")


def test_what_is_written_has_shds_layout(tmp_path):
    events = random_events(COCHLEA)
    es.write(events, tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        assert np.array_equal(file["spikes/times"][0], events.t / 1e6)
        assert np.array_equal(file["spikes/units"][0], events.channel)
