"""What a classifier is called with: checked where it is known, and made harmless where it is padding."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from jaxtyping import Array, Float, Int, Int32

from eventssm import _checks
from eventssm.ssm import Steps, real_steps

_LONGEST = float(np.finfo(np.float32).max)

Recording = tuple[Int[Array, " event"], Float[Array, " event"], Int32[Array, ""]]


def checked(channels: ArrayLike, gaps: ArrayLike, length: ArrayLike | None, limit: int) -> Recording:
    """Channels, gaps and count of one recording of a sensor with `limit` channels.

    Values are checked where they are known, which is not inside `jax.jit` or `jax.vmap`.
    """
    channels, gaps = _array(channels), _array(gaps)
    shape = channels.shape
    _checks.check(len(shape) == 1, "channels", "one axis (jax.vmap makes batches)", f"shape {shape}")
    _checks.check(gaps.shape == shape, "gaps", f"shape {shape}, as channels", f"shape {gaps.shape}")
    if not shape[0]:
        channels = np.zeros(0, np.int32)
    whole = jnp.issubdtype(channels.dtype, jnp.integer)
    _checks.check(bool(whole), "channels", "whole numbers", f"dtype {channels.dtype}")
    numbers = jnp.issubdtype(gaps.dtype, jnp.floating) or jnp.issubdtype(gaps.dtype, jnp.integer)
    _checks.check(bool(numbers), "gaps", "numbers (milliseconds)", f"dtype {gaps.dtype}")
    count = shape[0] if length is None else length
    if not any(isinstance(value, jax.core.Tracer) for value in (channels, gaps, count)):
        number = np.asarray(count)
        whole = number.ndim == 0 and np.issubdtype(number.dtype, np.integer)
        _checks.check(whole, "length", "one whole number", repr(count))
        known = int(number)
        _checks.check(0 <= known <= shape[0], "length", f"0 <= length <= {shape[0]}", known)
        real_channels, real_gaps = np.asarray(channels)[:known], np.asarray(gaps)[:known]
        _checks.check_range(real_channels, limit, "channels")
        possible = (real_gaps >= 0) & (real_gaps <= _LONGEST)
        _checks.check_every(possible, "gaps", "a finite gap >= 0", real_gaps)
    return jnp.asarray(channels), jnp.asarray(gaps), jnp.asarray(count).astype(jnp.int32)


def embed(
    embedding: Float[Array, "channel width"],
    channels: Int[Array, " event"],
    gaps: Float[Array, " event"],
    count: Int32[Array, ""],
    shared: bool = False,
) -> Steps:
    """Events as rows of the embedding; NaN for a channel that the sensor does not have, or a wrong count.

    There is at least one step, if only of padding, so that no layer meets an empty sequence.
    """
    if channels.shape[0] == 0:
        channels, gaps = jnp.zeros(1, jnp.int32), jnp.zeros(1)
    slots = channels.shape[0]
    possible = (count >= 0) & (count <= slots)
    index = jnp.where(possible, channels.astype(jnp.int32), -1)
    count = jnp.where(possible, count, slots)
    index = jnp.where(real_steps(slots, count), index, 0)
    return Steps(embedding, gaps.astype(embedding.dtype), count, index, shared)


def _array(values: ArrayLike) -> Array | np.ndarray:
    return values if isinstance(values, jax.Array | np.ndarray) else np.asarray(values)
