"""Weighted sums of a table's rows over groups of steps: pooling of steps whose values are rows.

    sums[k] = sum over m in group k of weights[m] rows[index[m]]

CPUs have compiled kernels for it and its adjoint; elsewhere, and as their twin, rows are gathered in chunks
whose insides are computed again in reverse.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float, Int32

from eventssm.ssm._foreign import Foreign, Operands, Shape
from eventssm.ssm._steps import real_steps

CHUNK = 4096
"""Steps that the form without kernels holds at a time."""


def pooled_rows(
    weights: Float[Array, " step"],
    index: Int32[Array, " step"],
    rows: Float[Array, "row width"],
    count: Int32[Array, ""],
    *,
    every: int,
    native: bool = True,
    shared: bool = False,
) -> Float[Array, "group width"]:
    """The sum of every group of `every` steps that is whole among the first `count`; zero for others.

    An index that has no row makes the sum NaN. No derivative is taken by the weights.
    `shared` is that of `recurrence`.
    """
    count = jnp.clip(count, 0, weights.shape[0])
    operands = lax.stop_gradient(weights), index, rows, count
    return _pooled_rows(*operands, every=every, native=native, shared=shared)[0]


def _plain(
    weights: Float[Array, " step"],
    index: Int32[Array, " step"],
    rows: Float[Array, "row width"],
    count: Int32[Array, ""],
    *,
    every: int,
    holds: bool,
) -> tuple[Float[Array, "group width"]]:
    steps, wide = weights.shape[0], rows.shape[1]
    groups = min(max(CHUNK // every, 1), max(-(-steps // every), 1))
    padding = -steps % (groups * every)
    shape = (-1, groups, every)
    within = real_steps(steps + padding, count // every * every)
    weights = jnp.where(within, jnp.pad(weights, (0, padding)), 0.0).reshape(shape)
    at = jnp.pad(jnp.where(index < 0, rows.shape[0], index), (0, padding))
    at = jnp.where(within, at, 0).reshape(shape)

    @jax.checkpoint
    def chunk(element: tuple[Array, Array]) -> Array:
        weight, place = element
        return (weight[..., None] * rows.at[place].get(mode="fill", fill_value=np.nan)).sum(1)

    return (lax.map(chunk, (weights, at)).reshape(-1, wide)[: -(-steps // every)],)


def _shapes(operands: Operands, every: int) -> tuple[Shape, ...]:
    return ((-(-operands[0].shape[-1] // every), operands[2].shape[-1]),)


_pooled_rows = Foreign(kernel=2, plain=_plain, shapes=_shapes, learnt=(2,), table=2, kept=())
