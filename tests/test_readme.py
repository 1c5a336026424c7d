"""The README's Python, and the examples, run as they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
QUICK = {**os.environ, "JAX_DISABLE_MOST_OPTIMIZATIONS": "1"}
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [
    (document.name, block)
    for document in DOCUMENTS
    for block in re.findall(r"```python\n(.*?)```", document.read_text(), re.DOTALL)
]


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=folder, env=QUICK)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("name", "block"), BLOCKS, ids=[name for name, _ in BLOCKS])
def test_a_block_of_the_documents_runs(tmp_path, name, block):
    assert run(tmp_path, "-c", block).strip()


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_an_example_runs(tmp_path, path):
    assert run(tmp_path, str(path)).strip()
