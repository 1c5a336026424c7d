"""The small data set, stores of it, and programs that tests of training share."""

from collections.abc import Iterator
from pathlib import Path

import jax
import pytest
from jax.experimental.compilation_cache import compilation_cache

from tests.train.small import make_folder


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recordings of two classes, and a store of them below the same folder."""
    base = tmp_path_factory.mktemp("small")
    make_folder(base / "data")
    return base / "data"


@pytest.fixture(autouse=True)
def stores(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """Stores are kept in a temporary folder, and commands leave JAX's cache alone."""
    monkeypatch.setenv("EVENTSSM_DATA", str(data.parent / "stores"))
    monkeypatch.setenv("EVENTSSM_COMPILATION_CACHE", "off")


@pytest.fixture(autouse=True, scope="package")
def compile_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Several runs train the same small model: it is compiled for the first."""
    options = {
        "jax_compilation_cache_dir": str(tmp_path_factory.mktemp("compiled")),
        "jax_persistent_cache_min_compile_time_secs": 0.0,
    }
    before = {name: getattr(jax.config, name) for name in options}
    for name, value in options.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()
    yield
    for name, value in before.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()
