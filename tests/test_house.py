"""The layers of the house, its light import, and the size of its files."""

import ast
import operator
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "eventssm"

LAYERS = {
    "_checks": 0, "events": 0, "files": 0, "cochlea": 0, "kernels": 0,
    "datasets": 0, "transforms": 0, "batching": 0, "plots": 0,
    "ssm": 1,
    "model": 2, "compat": 2,
    "train": 3, "evaluate": 3, "report": 3,
    "stream": 4,
    "bench": 5, "cli": 5,
}  # fmt: skip
"""Layer of every part; a part imports its own layer and those below (`stream` only layer 0)."""


def imported_parts(path: Path) -> set[str]:
    """Parts of this package that a file imports, inside functions and type checking too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "eventssm":
            rest = node.module.split(".")[1:]
            found |= {rest[0]} if rest else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("eventssm.")}
    return found


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def test_every_part_has_a_layer():
    assert {part_of(path) for path in FILES} == LAYERS.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_down(path):
    part = part_of(path)
    for other in imported_parts(path) - {part}:
        assert LAYERS[other] <= LAYERS[part], f"{part} (layer {LAYERS[part]}) imports {other}"
        assert part != "stream" or LAYERS[other] == 0, f"stream imports {other}, which needs JAX"


def test_the_test_above_sees_an_upward_import(tmp_path):
    for line in (
        "from eventssm.model import Classifier",
        "import eventssm.model",
        "from eventssm import model",
    ):
        file = tmp_path / "upward.py"
        file.write_text(f"def late():\n    {line}\n")
        assert imported_parts(file) == {"model"}


@pytest.mark.parametrize("module", ["eventssm", "eventssm.events", "eventssm.stream", "eventssm.cli"])
def test_import_is_light(module):
    program = f"import sys, {module}; print(sorted({{'jax', 'equinox', 'optax'}} & sys.modules.keys()))"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_what_needs_jax_is_there_when_named():
    import eventssm as es

    assert es.Classifier is es.model.Classifier and es.presets is es.model.presets
    assert es.compat.reference_logits and es.ssm.linear_scan and es.stream
    assert {"Classifier", "Events", "presets", "compat"} <= set(dir(es))
    with pytest.raises(AttributeError, match="no attribute 'Clasifier'"):
        operator.attrgetter("Clasifier")(es)


@pytest.mark.parametrize("path", [*FILES, *(ROOT / "tests").rglob("*.py")], ids=lambda path: path.name)
def test_files_are_small(path):
    assert len(path.read_text().splitlines()) <= 400
