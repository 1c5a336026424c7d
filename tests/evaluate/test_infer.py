"""Every recording once and whole: batches against a plain loop over one recording at a time."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm import Events, InputError, Sensor
from eventssm.datasets import MemoryDataset, Sample
from eventssm.evaluate import Evaluation, Outcomes, infer
from eventssm.evaluate._plan import plan_groups
from tests.evaluate.made import CLASSES, SENSOR, classifier, dataset

LENGTHS = (0, 3, 130, 65, 300, 64, 65, 3, 64, 130, 64)


def one_at_a_time(model, data):
    """What the model's whole-sequence calls say of each recording, without batches and padding."""
    for number in range(len(data)):
        events, label = data[number]
        channels, gaps = events.channel, events.gaps_ms()
        found = model.anytime(channels, gaps)
        yield label, np.asarray(model(channels, gaps)), np.asarray(found.logits)[: int(found.count)], events


@pytest.mark.parametrize(
    ("head", "pooling", "slots"),
    [("mean", "mean", 200), ("time", "last", 1 << 17)],
)
def test_batches_give_what_a_plain_loop_gives(head, pooling, slots):
    model, data = classifier(head=head, pooling=pooling), dataset(LENGTHS)
    found = infer(model, data, slots=slots)
    start, losses, right = 0, [], 0
    for number, (label, final, on_the_way, events) in enumerate(one_at_a_time(model, data)):
        np.testing.assert_allclose(found.logits[number], final, rtol=2e-5, atol=2e-5)
        stop = start + found.counts[number]
        assert found.said[start:stop].tolist() == on_the_way.argmax(1).tolist()
        assert found.times[start:stop].tolist() == [int(t - events.t[0]) for t in events.t[3::4]]
        assert found.durations[number] == events.duration and found.events[number] == len(events)
        start = stop
        exact = final.astype(np.float64)
        losses.append(np.log(np.exp(exact - exact[label]).sum()))
        right += int(final.argmax() == label)
    assert start == len(found.said) == len(found.times)
    evaluation = Evaluation.of(found)
    assert (evaluation.accuracy.right, evaluation.accuracy.of) == (right, len(LENGTHS))
    assert evaluation.loss == pytest.approx(np.mean(losses), abs=1e-5)
    assert evaluation.too_short == 3 and evaluation.confusion.sum() == len(LENGTHS)


def test_the_order_of_recordings_changes_nothing():
    model, data = classifier(), dataset(LENGTHS)
    order = np.random.default_rng(1).permutation(len(data)).tolist()
    mixed = MemoryDataset(SENSOR, CLASSES, [data[i] for i in order], [data.keys[i] for i in order])
    one, other = infer(model, data), infer(model, mixed)
    assert other.keys == tuple(one.keys[i] for i in order)
    np.testing.assert_allclose(other.logits, one.logits[order], rtol=1e-5, atol=1e-5)
    assert Evaluation.of(other).confusion.tolist() == Evaluation.of(one).confusion.tolist()


@pytest.mark.parametrize("slots", [64, 100, 1000, 1 << 17])
def test_every_recording_is_in_one_group_that_holds_it(slots, rng):
    lengths = np.concatenate([rng.integers(0, 500, 301), [0, 7000]])
    groups = list(plan_groups(lengths, slots))
    items = np.concatenate([group.items for group in groups])
    assert sorted(items.tolist()) == list(range(len(lengths)))
    for group in groups:
        assert lengths[group.items].max() <= group.size and len(group.items) <= group.rows
        assert group.rows * group.size <= slots or group.rows == 1
    assert len({(group.rows, group.size) for group in groups}) <= 6


def test_a_recording_without_a_prediction_has_the_decoders_bias():
    model = eqx.tree_at(lambda tree: tree.decoder.bias, classifier(), jnp.array([0.0, 3.0, 1.0]))
    found = infer(model, dataset([3, 0, 2]))
    assert found.counts.tolist() == [0, 0, 0] and found.prior == 1
    assert found.logits.tolist() == [[0.0, 3.0, 1.0]] * 3


def test_progress_counts_every_recording():
    calls = []
    infer(classifier(), dataset(LENGTHS), slots=100, progress=lambda done, of: calls.append((done, of)))
    assert calls == [(number, len(LENGTHS)) for number in range(1, len(LENGTHS) + 1)]


def test_outcomes_come_back_from_their_file(tmp_path):
    found = infer(classifier(), dataset(LENGTHS))
    found.save(tmp_path / "predictions.npz")
    back = Outcomes.load(tmp_path / "predictions.npz")
    assert [p.name for p in tmp_path.iterdir()] == ["predictions.npz"]
    for name in Outcomes.__annotations__:
        np.testing.assert_array_equal(getattr(back, name), getattr(found, name), strict=True)
    assert Evaluation.of(back).record() == Evaluation.of(found).record()


@pytest.mark.parametrize("damage", [lambda data: data[:100], lambda data: b"", lambda data: data[::-1]])
def test_a_damaged_file_of_outcomes_is_refused(tmp_path, damage):
    path = tmp_path / "predictions.npz"
    infer(classifier(), dataset([8])).save(path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match="expected predictions that evaluate wrote"):
        Outcomes.load(path)


def test_a_model_that_gives_nan_is_refused():
    model = eqx.tree_at(lambda tree: tree.decoder.bias, classifier(), jnp.array([0.0, jnp.nan, 0.0]))
    with pytest.raises(InputError, match=r"recording r0: expected finite logits, got \["):
        infer(model, dataset([8, 9]))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (
            MemoryDataset(Sensor(name="other", channels=8), CLASSES, []),
            "data: expected 7 channels, as the model, got 8",
        ),
        (MemoryDataset(SENSOR, ("a", "b"), []), "data: expected 3 classes, as the model, got 2"),
        (MemoryDataset(SENSOR, CLASSES, []), "data: expected at least one recording, got none"),
    ],
)
def test_data_that_do_not_fit_are_refused(data, complaint):
    with pytest.raises(InputError, match=complaint):
        infer(classifier(), data)


def test_no_event_at_all():
    nothing = Events(SENSOR, t=np.zeros(0, np.int64), channel=np.zeros(0, np.int32))
    evaluation = Evaluation.of(infer(classifier(), MemoryDataset(SENSOR, CLASSES, [Sample(nothing, 2)])))
    assert evaluation.over_events.at.tolist() == [0] and evaluation.over_time.at.tolist() == [0]
    assert evaluation.over_time.ended.tolist() == [1.0] and evaluation.over_time.predicted.tolist() == [0.0]
