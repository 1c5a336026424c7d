"""Memory does not grow with the file: a scaled-down run of `benchmarks/files.py`."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SUFFIXES = ["raw", "h5", "npz"]
SMALL, LARGE = 3_000_000, 7_000_000
MOST_MB = 25
"""Of growth from one to the other: a single column of int64 would be 32 MB, whole events 52 and more."""

PROGRAM = """
import json, pathlib, runpy, sys
bench = runpy.run_path(sys.argv[1])
print(json.dumps(bench["main"](pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])))
"""


def peaks(folder: Path, events: int, suffixes: list[str]) -> dict[str, float]:
    arguments = [str(ROOT / "benchmarks/files.py"), str(folder), str(events), *suffixes]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_conversion_and_chunks_in_constant_memory(tmp_path):
    small, large = (peaks(tmp_path, events, SUFFIXES) for events in (SMALL, LARGE))
    assert len(large) == 1 + 2 * len(SUFFIXES)
    assert {step: peak - small[step] for step, peak in large.items() if peak - small[step] > MOST_MB} == {}
