"""Figures as parts of a page: themed, named, and the same each time."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from eventssm.plots import (
    AnytimeLines,
    ReliabilityBin,
    ScaleRow,
    plot_anytime,
    plot_confusion,
    plot_reliability,
    plot_time_scales,
    plot_training,
    save,
    themed_svg,
)

LINES = AnytimeLines(np.array([0, 10]), np.array([0.1, 0.9]), np.array([0.0, 1.0]), np.array([0.0, 1.0]))


def figures():
    yield "confusion", plot_confusion(np.array([[3, 1], [0, 2]]), ("<a>", "b&c"), "5 of 6 < 1")
    yield "anytime", plot_anytime(LINES, LINES, (0.8, 0.95), 0.5, "title")
    bins = [ReliabilityBin(0.0, 0.5, 0, None, None), ReliabilityBin(0.5, 1.0, 4, 0.9, 0.75)]
    yield "calibration", plot_reliability(bins, "title")
    yield "training", plot_training({"loss": {"train": [(1.0, 2.0), (2.0, 1.0)], "batches": [(0.5, 3.0)]}}, 2)
    rows = [
        ScaleRow("first", np.array([20.0, 400.0]), np.array([3.0]), np.array([30.0]), np.array([4.0])),
        ScaleRow("second", np.array([25.0]), np.zeros(0)),
    ]
    yield "scales", plot_time_scales(rows, "ms")


@pytest.mark.parametrize("name", ["confusion", "anytime", "calibration", "training", "scales"])
def test_a_themed_figure(name, tmp_path):
    figure = dict(figures())[name]
    text = themed_svg(figure, name, "said &amp; done")
    root = ET.fromstring(text.replace("<svg ", '<svg xmlns:xlink="http://www.w3.org/1999/xlink" ', 1))
    assert root.tag == "svg" and root.get("aria-label") == "said & done"
    assert not re.search(r"#(22303c|6b7a88|d1495b|2e6f9e|ffffff)", text) and "var(--ink)" in text
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert all(one.startswith(f"{name}-") for one in ids) and len(set(ids)) == len(ids)
    for target in re.findall(r'(?:href="|url\()#([^")]*)', text):
        assert target in ids
    assert "<style" not in text and "font-family" not in text and "<text" in text
    assert themed_svg(dict(figures())[name], name, "said &amp; done") == text
    save(figure, tmp_path / "same.png")
    assert (tmp_path / "same.png").read_bytes().startswith(b"\x89PNG")


def test_counts_are_written_where_there_is_room():
    small = themed_svg(plot_confusion(np.diag([7, 8]), ("a", "b"), ""), "small", "")
    assert ">7<" in re.sub(r"\s", "", small)
    large = themed_svg(plot_confusion(7 * np.eye(60, dtype=int), tuple(map(str, range(60))), ""), "large", "")
    assert large.count("<text") < 70


def test_a_matrix_of_nothing():
    assert "<svg" in themed_svg(plot_confusion(np.zeros((2, 2), int), ("a", "b"), ""), "none", "")
