"""Checks on what a classifier is called with."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from jaxtyping import Array, Float, Int

from eventssm import _checks


def checked(
    channels: ArrayLike, gaps: ArrayLike, length: ArrayLike | None, embedding: Float[Array, "channel width"]
) -> tuple[Int[Array, " slot"], Float[Array, " slot"], Int[Array, ""]]:
    """Channels, gaps and count of one recording, at least one slot long and harmless in its padding.

    Values are checked where they are known; inside `jax.jit` a channel that the sensor does not have gives
    NaN.
    """
    channels, gaps = _as_array(channels), _as_array(gaps)
    _checks.check(channels.ndim == 1, "channels", "one axis (use jax.vmap for batches)", f"shape {channels.shape}")
    _checks.check(gaps.shape == channels.shape, "gaps", f"shape {channels.shape}, as channels", f"shape {gaps.shape}")
    slots = channels.shape[0]
    if slots:
        _checks.check(
            jnp.issubdtype(channels.dtype, jnp.integer), "channels", "whole numbers", f"dtype {channels.dtype}"
        )
    count = jnp.asarray(slots if length is None else length).astype(jnp.int32)
    if _known(channels, gaps, count):
        _check_values(np.asarray(channels), np.asarray(gaps), int(count), embedding.shape[0])

    padding = 0 if slots else 1
    channels = jnp.pad(jnp.asarray(channels).astype(jnp.int32), (0, padding))
    gaps = jnp.pad(jnp.asarray(gaps).astype(embedding.dtype), (0, padding))
    real = jnp.arange(slots + padding, dtype=jnp.int32) < count
    # Past the last row rather than -1, which would count from the end.
    channels = jnp.where(channels < 0, embedding.shape[0], channels)
    return jnp.where(real, channels, 0), jnp.where(real, gaps, jnp.zeros_like(gaps)), count


def _check_values(channels: np.ndarray, gaps: np.ndarray, count: int, limit: int) -> None:
    _checks.check(0 <= count <= len(channels), "length", f"0 <= length <= {len(channels)}", count)
    _checks.check_range(channels[:count], limit, "channels")
    finite = np.isfinite(gaps[:count]) & (gaps[:count] >= 0)
    _checks.check_every(finite, "gaps", "a finite gap >= 0", gaps[:count])


def _as_array(values: ArrayLike) -> Array | np.ndarray:
    return values if isinstance(values, jax.Array | np.ndarray) else np.asarray(values)


def _known(*values: ArrayLike) -> bool:
    return not any(isinstance(value, jax.core.Tracer) for value in values)
