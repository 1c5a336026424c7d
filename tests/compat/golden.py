"""Reading the golden values beside the checkout."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Case(NamedTuple):
    """One run of the published code."""

    config: dict[str, Any]
    arrays: dict[str, np.ndarray]

    def under(self, prefix: str) -> dict[str, np.ndarray]:
        return {
            name.removeprefix(prefix): array for name, array in self.arrays.items() if name.startswith(prefix)
        }

    def params(self, dtype: jnp.dtype) -> dict[str, jax.Array]:
        return {name: jnp.asarray(array, dtype) for name, array in self.under("param/").items()}

    def batch_stats(self, dtype: jnp.dtype) -> dict[str, jax.Array]:
        stats = self.under("batch_stats/").items()
        return {f"batch_stats/{name}": jnp.asarray(array, dtype) for name, array in stats}

    @property
    def batch(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return tuple(self.arrays[f"in/{name}"] for name in ("tokens", "timesteps", "lengths"))


def load(shared: Path, name: str) -> Case:
    folder = shared / "golden"
    with np.load(folder / f"{name}.npz") as arrays:
        return Case(json.loads((folder / f"{name}.json").read_text()), dict(arrays))
