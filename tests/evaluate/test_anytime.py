"""Accuracy on the way: the conventions on examples by hand, and against a plain loop."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eventssm.evaluate import Evaluation, over_events, over_time
from tests.evaluate.made import outcomes


def test_over_events_by_hand():
    # Class 1 is right for both. The first, 25 events: wrong, right. The second, 40 events: wrong, right,
    # wrong, right. Prior: class 0.
    found = over_events(outcomes([1, 1], [[0, 1], [2, 1, 0, 1]], [25, 40]))
    assert found.at.tolist() == [0, 10, 20, 30, 40]
    assert found.accuracy.tolist() == [0.0, 0.0, 1.0, 0.5, 1.0]  # the first one's last prediction stands
    assert found.predicted.tolist() == [0.0, 1.0, 1.0, 1.0, 1.0]
    assert found.ended.tolist() == [0.0, 0.0, 0.0, 0.5, 1.0]


def test_before_the_first_prediction_there_is_the_prior():
    found = over_events(outcomes([1, 0, 2], [[1], [1], []], [19, 12, 3], prior=0))
    assert found.at.tolist() == [0, 10, 19]
    assert found.accuracy.tolist() == [1 / 3, 1 / 3, 1 / 3]
    assert found.predicted.tolist() == [0.0, 2 / 3, 2 / 3] and found.ended.tolist() == [0.0, 1 / 3, 1.0]


def test_over_time_by_hand():
    made = outcomes([1, 1], [[0, 1], [1, 1]], [100, 50], [[20, 80], [0, 50]])
    found = over_time(made)
    at = dict(zip(found.at.tolist(), found.accuracy.tolist(), strict=True))
    assert (at[0], at[19], at[20], at[79], at[80], at[100]) == (0.5, 0.5, 0.5, 0.5, 1.0, 1.0)
    assert found.predicted[found.at == 19] == 0.5 and found.predicted[found.at == 20] == 1.0
    assert found.at[-1] == 100


recordings = st.lists(
    st.tuples(st.integers(0, 2), st.lists(st.integers(0, 2), max_size=6), st.integers(0, 9)), min_size=1
)


@given(recordings, st.integers(0, 2))
def test_against_a_plain_loop(rows, prior):
    labels = [label for label, _, _ in rows]
    said = [classes for _, classes, _ in rows]
    events = [10 * len(classes) + more for _, classes, more in rows]
    made = outcomes(labels, said, events, prior=prior)
    for curve in (over_events(made), over_time(made)):
        for at, accuracy, predicted, ended in zip(
            curve.at, curve.accuracy, curve.predicted, curve.ended, strict=True
        ):
            now = [([prior, *classes])[: at // 10 + 1][-1] for classes in said]
            assert accuracy == np.mean([one == label for one, label in zip(now, labels, strict=True)])
            assert predicted == np.mean([bool(classes) and at >= 10 for classes in said])
            assert ended == np.mean([at >= count for count in events])
        assert curve.accuracy[-1] == Evaluation.of(made).accuracy.value and curve.ended[-1] == 1.0


def test_long_recordings_give_few_points_and_the_true_end():
    found = over_events(outcomes([1], [[0] * 999 + [1]], [10_003]))
    assert len(found.at) == 257 and found.at[[0, 1, -2, -1]].tolist() == [0, 40, 10_000, 10_003]
    assert found.accuracy[-2:].tolist() == [1.0, 1.0] and found.accuracy[:-2].max() == 0.0


def test_when_it_is_nearly_as_good_as_at_the_end():
    said = [[0, 1, 1, 1], [1, 0, 1, 1], [0, 0, 0, 1]]
    made = Evaluation.of(outcomes([1, 1, 1], said, [40, 40, 40]))
    assert made.near_final(made.over_events) == 40
    assert made.over_events.reaches(0.6) == 30 and made.over_events.reaches(0.0) == 0
    assert made.over_events.reaches(1.01) is None
