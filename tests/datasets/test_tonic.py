"""Data sets of other libraries."""

import numpy as np
import pytest

from eventssm import InputError
from eventssm.datasets import MemoryDataset, from_indexable
from tests.datasets.small import CAMERA, events_of


class Tonic:
    """As tonic's data sets look from outside."""

    sensor_size = (5, 4, 2)
    classes = ("still", "wave")

    def __len__(self):
        return 6

    def __getitem__(self, index):
        if index >= 6:
            raise IndexError(index)
        array = events_of(CAMERA, 20, index).to_structured()
        return array[::-1].copy() if index == 3 else array, index % 2


class Audio:
    """As tonic's SHD: structured (t, x, p), a polarity that means nothing, labels in `targets`."""

    sensor_size = (700, 1, 1)
    targets = np.array([2, 0])

    def __len__(self):
        return 2

    def __getitem__(self, index):
        array = np.zeros(4, [("t", int), ("x", int), ("p", int)])
        array["t"], array["x"], array["p"] = [10, 10, 5, 30], [699, 1, 2, 3], 1
        return array, int(self.targets[index])


def test_a_camera():
    whole = from_indexable("waves", {"train": Tonic(), "test": Tonic()})
    assert whole.sensor.shape == CAMERA.shape and whole.classes == ("still", "wave")
    dataset = MemoryDataset.of(whole, "train")
    assert dataset.labels.tolist() == [0, 1, 0, 1, 0, 1] and dataset.keys[2] == "train/2"
    assert dataset[2].events.to_structured().tolist() == Tonic()[2][0].tolist()
    assert np.array_equal(dataset[3].events.t, events_of(CAMERA, 20, 3).t)


def test_a_cochlea_sorted_stably():
    dataset = MemoryDataset.of(from_indexable("audio", {"train": Audio()}), "train")
    assert dataset.sensor.channels == 700 and dataset.classes == ("0", "1", "2")
    assert dataset.labels.tolist() == [2, 0]
    assert dataset[0].events.t.tolist() == [5, 10, 10, 30]
    assert dataset[0].events.channel.tolist() == [2, 699, 1, 3]


def test_a_list_of_pairs_with_a_sensor():
    pairs = [(events_of(CAMERA, 3, 0).to_structured(), 1), (events_of(CAMERA, 0, 0).to_structured(), 0)]
    dataset = MemoryDataset.of(from_indexable("pairs", {"train": pairs}, CAMERA), "train")
    assert dataset.lengths.tolist() == [3, 0] and dataset.classes == ("0", "1")


def test_what_cannot_be_used():
    with pytest.raises(InputError, match="splits: expected a data set for at least one of train, validation"):
        from_indexable("none", {})
    with pytest.raises(InputError, match="sensor: expected one to be given, as the data set has no"):
        from_indexable("pairs", {"train": [(np.zeros(0), 0)]})
    with pytest.raises(InputError, match="labels: expected a whole number for each recording, got dtype"):
        from_indexable("pairs", {"train": [(np.zeros(0), "a")]}, CAMERA)
