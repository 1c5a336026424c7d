"""Training that is killed with SIGKILL and resumed is, bit for bit, that which was not killed."""

import importlib.util
import os
import random
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "kill_training.py"


def test_kills_change_nothing(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("kill_training", TOOL)
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    monkeypatch.setenv("EVENTSSM_DATA", str(tmp_path / "stores"))
    monkeypatch.setenv("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
    for name in ("JAX_COMPILATION_CACHE_DIR", "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
        monkeypatch.delenv(name)
    random.seed(1)
    assert tool.compare(2, tmp_path) == []
    assert len(tool.lines(tmp_path / "whole")) == 12 * 8
    lines = (tmp_path / "broken" / "metrics.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "broken" / "metrics.jsonl").write_text("".join([lines[1], *lines[1:-1]]))
    assert [found.split(":")[0] for found in tool.differences(tmp_path / "whole", tmp_path / "broken")] == [
        "line 1",
        "96 and 95 lines",
    ]
