"""A run that the tests of several commands read."""

from pathlib import Path

import pytest

from tests.runs import make_run


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with a checkpoint; its recordings lie beside it."""
    return make_run(tmp_path_factory.mktemp("made")).folder


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands leave the user's cache of compiled programs alone."""
    monkeypatch.setenv("EVENTSSM_COMPILATION_CACHE", "off")
