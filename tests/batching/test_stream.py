"""Streams of batches: restored at every step, the same with any number of workers."""

import json
import subprocess
import sys

import pytest

import eventssm as es
from eventssm import InputError
from eventssm.batching import Batches, BatchStream
from eventssm.datasets import MemoryDataset
from tests.batching.test_batches import AUGMENTED, COCHLEA, dataset, equal

BATCHES = Batches(dataset(10), AUGMENTED)
STEPS = 2 * BATCHES.steps + 1
"""Into the third epoch."""


def expected():
    return [BATCHES.batch(*divmod(number, BATCHES.steps)) for number in range(STEPS)]


def test_epochs_come_one_after_the_other():
    with BatchStream(BATCHES) as stream:
        for want in expected():
            assert equal(next(stream), want)


def test_the_next_batch_is_the_same_after_a_restore_at_every_step():
    want = expected()
    with BatchStream(BATCHES) as stream:
        states = []
        for _ in range(STEPS - 1):
            states.append(json.loads(json.dumps(stream.get_state())))
            next(stream)
    assert states[0] == {"epoch": 0, "step": 0} and states[-1] == {"epoch": 1, "step": BATCHES.steps - 1}
    with BatchStream(BATCHES) as stream:
        for number, state in reversed(list(enumerate(states))):
            stream.set_state(state)
            assert equal(next(stream), want[number]) and equal(next(stream), want[number + 1])
            assert stream.get_state() == dict(
                zip(("epoch", "step"), divmod(number + 2, BATCHES.steps), strict=True)
            )


def test_workers_change_nothing():
    want = expected()
    with BatchStream(BATCHES, workers=2) as stream:
        assert equal(next(stream), want[0])
        state = stream.get_state()
        for number in range(1, STEPS):
            assert equal(next(stream), want[number])
    with BatchStream(BATCHES) as stream:
        stream.set_state(state)
        assert equal(next(stream), want[1])


def test_what_is_left_of_an_epoch():
    with BatchStream(BATCHES) as stream:
        next(stream)
        assert len(list(stream.epoch())) == BATCHES.steps - 1
        assert len(list(stream.epoch())) == BATCHES.steps and stream.get_state() == {"epoch": 2, "step": 0}


def test_a_stream_goes_on_after_it_was_closed():
    stream = BatchStream(BATCHES)
    first = next(stream)
    stream.close()
    stream.close()
    assert equal(first, expected()[0]) and equal(next(stream), expected()[1])
    stream.close()


def test_workers_end_with_a_process_that_is_killed():
    program = """
import time
from eventssm.batching import BatchStream
from tests.batching.test_stream import BATCHES

stream = BatchStream(BATCHES, workers=1)
next(stream)
print("made", flush=True)
time.sleep(600)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "made\n"
    process.kill()
    process.communicate(timeout=30)  # to the end of its output, which its worker shares


def test_wrong_states_and_numbers():
    stream = BatchStream(BATCHES)
    with pytest.raises(InputError, match="state: expected epoch and step, got next"):
        stream.set_state({"next": 3})
    with pytest.raises(InputError, match=f"step: expected 0 <= step < {BATCHES.steps}, got 99"):
        stream.set_state({"epoch": 0, "step": 99})
    with pytest.raises(InputError, match="epoch: expected a whole number >= 0, got -1"):
        stream.set_state({"epoch": -1, "step": 0})
    with pytest.raises(InputError, match="workers: expected a whole number >= 0, got -1"):
        BatchStream(BATCHES, workers=-1)
    with pytest.raises(InputError, match="data set: expected at least one recording, got none"):
        BatchStream(Batches(MemoryDataset(COCHLEA, ["a"], [])))


def test_real_speech_augmented():
    batches = Batches(es.datasets.load("digits", "validation"), AUGMENTED)
    with BatchStream(batches) as stream:
        samples = [sample for batch in stream.epoch() for sample in batch.samples.tolist()]
    assert sorted(samples) == list(range(200))
