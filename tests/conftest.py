"""What every test runs under, and what tests share."""

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

SOURCE = Path(__file__).parents[1] / "src"


def typed_modules() -> list[str]:
    """Modules whose calls are checked against their types: all but those that numba compiles."""
    files = (path for path in SOURCE.rglob("*.py") if path.name != "__init__.py")
    checked = (path for path in files if "numba" not in path.read_text())
    return [".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in checked]


jaxtyping.install_import_hook(typed_modules(), "beartype.beartype")
jax.config.update("jax_numpy_dtype_promotion", "strict")

hypothesis.settings.register_profile("house", deadline=None, print_blob=True)
hypothesis.settings.load_profile("house")

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(autouse=True)
def compile_quickly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Most tests compile small programs and run them once; `optimised` marks those that run as users do."""
    jax.config.update("jax_disable_most_optimizations", not request.node.get_closest_marker("optimised"))
    yield
    jax.config.update("jax_disable_most_optimizations", False)


@pytest.fixture
def as_a_user() -> Iterator[None]:
    """Without the type checks that only tests have, so that wrong arguments meet the package's own."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data and golden values beside the checkout."""
    if not (SHARED / "golden").is_dir():
        pytest.skip("NOT RUN: ../shared (golden values, real recordings) is not beside this checkout")
    return SHARED


@pytest.fixture(params=["float32", "float64"])
def dtype(request: pytest.FixtureRequest) -> Iterator[jnp.dtype]:
    """Both float types; JAX's 64-bit types are on for the second."""
    with jax.enable_x64(request.param == "float64"):
        yield jnp.dtype(request.param)


@pytest.fixture
def float64() -> Iterator[jnp.dtype]:
    """JAX's 64-bit types on."""
    with jax.enable_x64(True):
        yield jnp.dtype("float64")


@pytest.fixture
def rng() -> np.random.Generator:
    """Random numbers, the same in every run."""
    return np.random.default_rng(20240621)
