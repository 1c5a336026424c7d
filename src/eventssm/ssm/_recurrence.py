"""The recurrence of a layer, kept at the ends of groups only, and its adjoint.

    x[m] = exp(Λ δ Δ[m]) x[m-1] + drive[m]        kept: x[every - 1], x[2 every - 1], ...

The drive of step m is row m of `rows`, or row `index[m]` where there is an index: what the first block does
to an event before its recurrence depends on the channel alone. Nothing of the size (steps x states) is kept
between forward and reverse, which goes through the steps again. CPUs have compiled kernels for both;
elsewhere, and as their twin, each group is first reduced to one step,

    b[k] = sum over m in group k of exp(Λ δ (T[k] - t[m])) drive[m]      T[k] = time of the group's last step

in chunks whose insides are computed again in reverse.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float, Int32

from eventssm.ssm._discretisation import decay, input_factor
from eventssm.ssm._foreign import Foreign, Operands, Shape
from eventssm.ssm._scan import linear_scan
from eventssm.ssm._steps import real_steps

CHUNK = 4096
"""Steps that the form without kernels holds at a time."""

Rates = Float[Array, "3 state"]
Rows = Float[Array, "row 2 state"]
States = Float[Array, "group 2 state"]
State = Float[Array, "2 state"]


def recurrence(
    rates: Rates,
    gaps: Float[Array, " step"],
    rows: Rows,
    count: Int32[Array, ""],
    initial: State,
    index: Int32[Array, " step"] | None = None,
    *,
    every: int = 1,
    holds: bool = False,
    native: bool = True,
    shared: bool = False,
) -> tuple[States, State]:
    """States after every `every` of the first `count` steps, and the state after the last of them.

    `rates` are the real and the imaginary parts of Λ, and δ. With `holds` the drive is multiplied by
    `(exp(Λ δ Δ) - 1) / Λ`, as `zoh` needs it. A group that is not complete has the state zero. An index that
    has no row makes the state NaN. No derivative is taken by the gaps: they are data. `shared` promises that
    gradients are taken outside of a surrounding `jax.vmap`: its recordings then add to one table.
    """
    if index is None:
        index = jnp.zeros(0, jnp.int32)
    count = jnp.clip(count, 0, gaps.shape[0])
    operands = rates, lax.stop_gradient(gaps), index, rows, count, initial
    states, last = _recurrence(*operands, every=every, holds=holds, native=native, shared=shared)
    return states, last


def _plain(
    rates: Rates,
    gaps: Float[Array, " step"],
    index: Int32[Array, " at"],
    rows: Rows,
    count: Int32[Array, ""],
    initial: State,
    *,
    every: int,
    holds: bool,
) -> tuple[States, State]:
    """The recurrence by groups, in chunks."""
    steps = gaps.shape[0]
    groups = min(max(CHUNK // every, 1), max(-(-steps // every), 1))
    padding = -steps % (groups * every)
    shape = (-1, groups, every)
    real = real_steps(steps + padding, count)
    gaps = jnp.where(real, jnp.pad(gaps, (0, padding)), 0.0).reshape(shape)
    if index.shape[0]:
        at = jnp.pad(jnp.where(index < 0, rows.shape[0], index), (0, padding))
        drives = at.reshape(shape)
    else:
        drives = jnp.pad(rows[:steps], ((0, padding), (0, 0), (0, 0))).reshape(*shape, *rows.shape[1:])

    eigenvalues, delta = lax.complex(rates[0], rates[1]), rates[2]

    @jax.checkpoint
    def chunk(x: Array, element: tuple[Array, Array, Array]) -> tuple[Array, Array]:
        gap, drive, there = element
        if index.shape[0]:
            drive = rows.at[drive].get(mode="fill", fill_value=np.nan)
        drive = jnp.where(there[..., None, None], drive, 0.0)
        driven = lax.complex(drive[..., 0, :], drive[..., 1, :])
        if holds:
            driven = input_factor("zoh", eigenvalues, delta, gap) * driven
        later = jnp.pad(gap[:, 1:], ((0, 0), (0, 1)))
        after = jnp.cumsum(later[:, ::-1], axis=1)[:, ::-1]
        reduced = (decay(eigenvalues, delta, after) * driven).sum(1)
        states, x = linear_scan(decay(eigenvalues, delta, gap.sum(1)), reduced, x)
        return x, states

    start = lax.complex(initial[0], initial[1])
    last, states = lax.scan(chunk, start, (gaps, drives, real.reshape(shape)))
    states = states.reshape(-1, states.shape[-1])[: -(-steps // every)]
    states = jnp.where(real_steps(states.shape[0], count // every)[:, None], states, 0.0)
    return jnp.stack((states.real, states.imag), 1), jnp.stack((last.real, last.imag))


def _shapes(operands: Operands, every: int) -> tuple[Shape, ...]:
    gaps, initial = operands[1], operands[5]
    return (-(-gaps.shape[-1] // every), *initial.shape), initial.shape


_recurrence = Foreign(kernel=0, plain=_plain, shapes=_shapes, learnt=(0, 3, 5), table=3, kept=(0,))
