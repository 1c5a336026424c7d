"""Measuring: in turns, the median, and what a record says."""

import itertools
import json

import pytest

from eventssm import InputError
from eventssm.bench import Case, Work, all_cases, chosen_cases, measure
from eventssm.cli import _main


def test_medians_of_runs_in_turns():
    calls = []
    ticks = itertools.chain.from_iterable(
        (start, start + length)
        for start, length in zip(range(0, 1000, 100), [1, 10, 2, 20, 9, 30], strict=False)
    )
    case = Case(
        "x",
        "y",
        lambda: Work(100, lambda: calls.append("fast")),
        lambda: Work(50, lambda: calls.append("twin")),
    )
    record = measure(case, repeats=3, memory=False, clock=lambda: float(next(ticks)))
    assert calls == ["fast", "twin"] * 4
    assert (record.events_per_s, record.twin_events_per_s) == (50.0, 2.5)
    assert record.ratio == 20.0 and record.spread == (9 - 1) / 2 and record.repeats == 3
    line = json.loads(record.line())
    assert line["peak_rss_mb"] is None and line["threads"] >= 1
    assert {"eventssm", "jax", "numpy", "python"} <= set(line["versions"])


def test_without_a_twin_there_is_no_ratio():
    record = measure(Case("x", "y", lambda: Work(1, lambda: None)), repeats=1, memory=False)
    assert record.ratio is None and record.twin_events_per_s is None


def test_cases_are_found_by_name_and_group():
    assert [case.name for case in chosen_cases("data/audio")] == ["data/audio"]
    assert {case.name for case in chosen_cases("data")} >= {"data/audio", "data/camera"}
    assert [case.name for case in chosen_cases(None)] == list(all_cases())
    with pytest.raises(
        InputError, match=r"case: expected one of data/audio-plain, .* \(did you mean 'data'\?\)"
    ):
        chosen_cases("dat")
    with pytest.raises(InputError, match="repeats: expected a whole number >= 1, got 0"):
        measure(Case("x", "y", lambda: Work(1, lambda: None)), repeats=0)


def test_a_case_that_fails_alone_says_so():
    case = Case("nowhere", "not among the known ones", lambda: Work(1, lambda: None))
    with pytest.raises(InputError, match="nowhere in a process of its own: expected an end, got KeyError"):
        measure(case, repeats=1)


def test_the_command(capsys):
    assert _main.run(["bench", "data/audio-plain", "--repeats", "1", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["name"] == "data/audio-plain"
    assert record["events_per_s"] > 1e6 and record["peak_rss_mb"] > 50
    assert _main.run(["bench", "--list"]) == 0
    assert "data/camera" in capsys.readouterr().out
