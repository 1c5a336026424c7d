"""The figures of an evaluation against closed forms, known values and other people's code."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from eventssm import InputError
from eventssm.evaluate import Evaluation, Proportion, calibrate, class_table, confusion_matrix, most_confused
from tests.evaluate.made import outcomes


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    [
        (8, 10, 0.4901625, 0.9433178),  # R, binom::binom.wilson(8, 10)
        (0, 10, 0.0, 0.2775328),
        (10, 10, 0.7224672, 1.0),
        (0, 1, 0.0, 0.7934507),
    ],
)
def test_wilson_against_known_values(right, of, low, high):
    assert Proportion(right, of).interval == pytest.approx((low, high), abs=5e-8)


@given(st.integers(1, 5000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_wilson_against_scipy(counts):
    right, of = counts
    want = scipy.stats.binomtest(right, of).proportion_ci(0.95, "wilson")
    assert Proportion(right, of).interval == pytest.approx((want.low, want.high), abs=1e-12)
    assert Proportion(of - right, of).interval == pytest.approx((1 - want.high, 1 - want.low), abs=1e-12)


@pytest.mark.parametrize(
    ("right", "of", "complaint"),
    [
        (0, 0, "of: expected a whole number >= 1, got 0"),
        (3, 2, "right: expected 0 <= right <= 2, got 3"),
        (-1, 2, "right: expected 0 <= right <= 2, got -1"),
    ],
)
def test_wilson_refuses(right, of, complaint):
    with pytest.raises(InputError, match=complaint):
        Proportion(right, of)


def test_confusion_and_classes():
    labels, predicted = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 0, 1, 1, 0, 1])
    matrix = confusion_matrix(labels, predicted, 4)
    assert matrix.tolist() == [[2, 1, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    rows = class_table(matrix, ("a", "b", "c", "d"))
    assert [row.count for row in rows] == [3, 2, 1, 0]
    assert [row.recall for row in rows] == [2 / 3, 1 / 2, 0.0, None]
    assert [row.precision for row in rows] == [2 / 3, 1 / 3, None, None]
    assert most_confused(matrix, ("a", "b", "c", "d"), 2) == [("a", "b", 1), ("b", "a", 1)]
    assert most_confused(np.eye(3, dtype=np.int64), ("a", "b", "c"), 5) == []


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_confusion_counts_pairs(pairs):
    labels, predicted = np.array(pairs).T
    matrix = confusion_matrix(labels, predicted, 5)
    assert all(matrix[true, said] == pairs.count((true, said)) for true in range(5) for said in range(5))


def test_loss_and_accuracy_in_closed_form():
    found = Evaluation.of(outcomes([0, 1, 2, 2], [[0], [1], [1], []], [10, 10, 10, 3], prior=0))
    sure = math.log((math.e + 2) / math.e)
    assert found.loss == pytest.approx(sure + 2 / 4, abs=1e-12)  # two are wrong, a logit of 1 further away
    assert (found.accuracy.right, found.accuracy.of) == (2, 4)
    assert found.balanced_accuracy == pytest.approx(2 / 3)
    assert found.outcomes.confidences == pytest.approx(math.e / (math.e + 2))


def test_loss_of_large_logits_does_not_overflow():
    made = outcomes([0, 1], [[0], [0]], [10, 10])
    made.logits[:] *= np.float32(1e30)
    assert made.losses[0] == 0 and made.losses[1] == pytest.approx(float(np.float32(1e30)))


def test_calibration_in_closed_form():
    confidences = np.array([0.1, 0.2, 0.2, 0.61, 0.8, 1.0])
    right = np.array([False, False, True, True, True, True])
    found = calibrate(confidences, right, bins=5)
    assert [b.count for b in found.bins] == [3, 0, 0, 2, 1]  # (0, 0.2], ..., (0.6, 0.8], (0.8, 1]
    assert found.bins[0].accuracy == pytest.approx(1 / 3) and found.bins[1].accuracy is None
    want = (3 * abs(1 / 3 - 0.5 / 3) + 2 * abs(1 - 0.705) + 0) / 6
    assert found.error == pytest.approx(want)


def test_calibration_of_one_who_is_always_sure():
    assert calibrate(np.ones(4), np.array([True, False, False, False])).error == pytest.approx(0.75)
    assert calibrate(np.ones(4), np.zeros(4, bool)).error == pytest.approx(1.0)
    assert calibrate(np.zeros(2), np.zeros(2, bool)).bins[0].count == 2


def test_calibration_of_one_who_is_honest(rng):
    confidences = rng.uniform(0, 1, 200_000)
    assert calibrate(confidences, rng.random(200_000) < confidences).error < 0.006


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1), st.integers(1, 30))
def test_calibration_loses_nobody(rows, bins):
    confidences, right = (np.array(column) for column in zip(*rows, strict=True))
    found = calibrate(confidences, right, bins)
    assert sum(b.count for b in found.bins) == len(rows) and 0 <= found.error <= 1
    for b in found.bins:
        assert b.confidence is None or b.low - 1e-12 <= b.confidence <= b.high + 1e-12


def test_calibration_refuses_what_is_no_probability():
    with pytest.raises(InputError, match=r"confidences\[1\]: expected a probability, got nan"):
        calibrate(np.array([0.5, np.nan]), np.array([True, True]))
