"""The embedded data set."""

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eventssm as es
from eventssm import InputError
from eventssm.datasets._digits import decode, encode


def test_what_is_in_it():
    splits = {split: es.datasets.load("digits", split) for split in es.datasets.SPLITS}
    assert {split: len(dataset) for split, dataset in splits.items()} == {
        "train": 1800, "validation": 200, "test": 400
    }  # fmt: skip
    train = splits["train"]
    assert train.sensor.channels == 140 and len(train.classes) == 10
    assert np.bincount(train.labels).tolist() == [180] * 10
    people = [{key.split("/")[0] for key in dataset.keys} for dataset in splits.values()]
    assert [len(group) for group in people] == [36, 4, 8] and len(set.union(*people)) == 48
    assert sum(int(dataset.lengths.sum()) for dataset in splits.values()) == 4_340_344


def test_it_is_every_fifth_channel_of_the_recordings(shared):
    test = es.datasets.load("digits", "test")
    with h5py.File(shared / "data/audiomnist-spikes-test.h5") as file:
        offsets, labels = file["offset"][:], file["label"][:]
        for number in (0, 1, 57, 399):
            t, channel = (file[name][offsets[number] : offsets[number + 1]] for name in ("t_us", "channel"))
            kept = channel % 5 == 0
            events, label = test[number]
            assert label == labels[number]
            assert np.array_equal(events.t, t[kept]) and np.array_equal(events.channel, channel[kept] // 5)


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 9),
            st.integers(1, 255),
            st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 139)), max_size=30),
        ),
        max_size=6,
    )
)
def test_decode_is_the_inverse_of_encode(drawn):
    labels = np.array([label for label, _, _ in drawn], np.uint8)
    speakers = np.array([speaker for _, speaker, _ in drawn], np.uint8)
    recordings = []
    for _, _, events in drawn:
        ticks = np.cumsum([delta for delta, _ in events], dtype=np.int64)
        t = np.rint(ticks * 1000 / 12).astype(np.int64)
        recordings.append((t, np.array([channel for _, channel in events], np.uint8)))
    got_labels, got_speakers, got = decode(encode(labels, speakers, recordings))
    assert np.array_equal(got_labels, labels) and np.array_equal(got_speakers, speakers)
    for (t, channel), (want_t, want_channel) in zip(got, recordings, strict=True):
        assert np.array_equal(t, want_t) and np.array_equal(channel, want_channel)


def test_times_between_ticks_are_refused():
    one = (np.array([0, 100]), np.array([1, 2]))
    with pytest.raises(InputError, match=r"t\[1\]: expected a whole number of ticks, got 100"):
        encode(np.zeros(1, np.uint8), np.zeros(1, np.uint8), [one])
