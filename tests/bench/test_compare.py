"""Two files of records side by side."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_ratios_and_noise(tmp_path):
    record = {"events_per_s": 100.0, "spread": 0.1, "peak_rss_mb": None}
    before = [{**record, "name": "a"}, {**record, "name": "b"}, {**record, "name": "gone"}]
    after = [{**record, "name": "a", "events_per_s": 150.0}, {**record, "name": "b", "events_per_s": 103.0}]
    files = []
    for name, lines in (("before", before), ("after", after)):
        files.append(tmp_path / f"{name}.jsonl")
        files[-1].write_text("\n".join(map(json.dumps, lines)))
    command = [sys.executable, ROOT / "benchmarks" / "compare.py", *files]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    assert lines == ["| a | 100 | 150 | 1.50 | - | - |  |", "| b | 100 | 103 | 1.03 | - | - | noise |"]


def test_the_records_that_are_kept_can_be_read():
    kept = sorted((ROOT / "benchmarks" / "records").glob("*.jsonl"))
    assert kept
    for path in kept:
        names = [json.loads(line)["name"] for line in path.read_text().splitlines()]
        assert "train/shd-medium" in names
