"""Labelled recordings of one file, in both layouts."""

import h5py
import numpy as np
import pytest

from eventssm import InputError, Sensor
from eventssm.datasets import labelled_file


def test_shds_layout(shared):
    found = labelled_file(shared / "data/shd-layout-sample.h5")
    assert len(found) == 60 and found.classes[3] == "three" and found.sensor.channels == 700
    with h5py.File(shared / "data/shd-layout-sample.h5") as file:
        assert found.labels.tolist() == file["labels"][:].tolist()
        assert found.lengths.tolist() == [len(row) for row in file["spikes/times"]]


def test_audiomnists_layout(tmp_path):
    path = tmp_path / "new-speakers.h5"
    with h5py.File(path, "w") as file:
        file["t_us"], file["channel"] = np.arange(7, dtype=np.uint32), np.arange(7, dtype=np.uint16)
        file["offset"], file["label"], file["speaker"] = [0, 3, 3, 7], [9, 0, 4], [50, 51, 60]
    found = labelled_file(path)
    assert found.labels.tolist() == [9, 0, 4] and found.lengths.tolist() == [3, 0, 4]
    assert found[2].events.channel.tolist() == [3, 4, 5, 6] and found.classes[9] == "nine"
    with pytest.raises(InputError, match=r"new-speakers.h5: channel\[3\]: expected 0 <= channel < 6, got 6"):
        labelled_file(path, Sensor(name="small", channels=6))


def test_what_is_neither_is_refused(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["something"] = 1
    with pytest.raises(InputError, match=r"layout: expected spikes and labels, or t_us, .* got something"):
        labelled_file(tmp_path / "other.h5")
    (tmp_path / "text.h5").write_text("no")
    with pytest.raises(InputError, match=r"text.h5: HDF5: expected a whole file"):
        labelled_file(tmp_path / "text.h5")
    with pytest.raises(FileNotFoundError):
        labelled_file(tmp_path / "gone.h5")
