"""One linear recurrence, three drivers, one adjoint.

    x[k] = decay[k] * x[k-1] + drive[k]        x[-1] = initial

The adjoint of a linear recurrence is a linear recurrence, run backwards. With `g` the cotangent of the
states (that of the last state added to its last row):

    λ[k] = g[k] + decay[k+1] * λ[k+1]
    cotangents: drive[k] <- λ[k],  decay[k] <- λ[k] * x[k-1],  initial <- decay[0] * λ[0]

(JAX's convention: a product's cotangent is multiplied by the other factor, not by its conjugate.)
"""

from collections.abc import Callable
from typing import Literal

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Complex

from eventssm import _checks

ScanMethod = Literal["auto", "sequential", "associative", "chunked"]
States = Complex[Array, "step state"]
State = Complex[Array, " state"]
Scan = Callable[[Array, Array, Array], Array]
Residuals = tuple[Array, Array, Array, Array]

CHUNK = 1024


def linear_scan(
    decay: Complex[Array, "step state"],
    drive: Complex[Array, "step state"],
    initial: Complex[Array, " state"],
    method: ScanMethod = "auto",
) -> tuple[Complex[Array, "step state"], Complex[Array, " state"]]:
    """States of `x[k] = decay[k] * x[k-1] + drive[k]`, with `x[-1] = initial`.

    Returns every state and the last one, so that a long sequence can be scanned in pieces. The method
    `auto` is sequential on a CPU and associative elsewhere, chosen when the program is lowered. Reverse
    mode uses the hand-written adjoint; forward mode (`jax.jvp`) is not defined.
    """
    if method == "sequential":
        return sequential_scan(decay, drive, initial)
    if method == "associative":
        return associative_scan(decay, drive, initial)
    if method == "chunked":
        return chunked_scan(decay, drive, initial)
    _checks.check_choice(method, ("auto", "sequential", "associative", "chunked"), "scan method")
    return _platform_scan(decay, drive, initial)


def sequential_scan(decay: States, drive: States, initial: State) -> tuple[States, State]:
    """The recurrence as it is written, one step after the other: the truth."""
    return _with_last(_sequential_states(decay, drive, initial), initial)


def associative_scan(decay: States, drive: States, initial: State) -> tuple[States, State]:
    """The recurrence by a prefix sum over `(a, b) then (c, d) = (ca, cb + d)`, in log(steps) rounds."""
    return _with_last(_associative_states(decay, drive, initial), initial)


def chunked_scan(decay: States, drive: States, initial: State, chunk: int = CHUNK) -> tuple[States, State]:
    """The recurrence in chunks; its reverse keeps one state per chunk and recomputes those between."""
    return _with_last(_chunked_states(decay, drive, initial, chunk), initial)


def _platform_scan(decay: States, drive: States, initial: State) -> tuple[States, State]:
    return _with_last(_platform_states(decay, drive, initial), initial)


def _with_last(states: States, initial: State) -> tuple[States, State]:
    return states, states[-1] if states.shape[0] else initial


def _run_sequential(decay: Array, drive: Array, initial: Array) -> Array:
    def step(x: Array, element: tuple[Array, Array]) -> tuple[Array, Array]:
        x = element[0] * x + element[1]
        return x, x

    return lax.scan(step, initial, (decay, drive))[1]


def _run_associative(decay: Array, drive: Array, initial: Array) -> Array:
    if decay.shape[0] == 0:
        return drive
    drive = drive.at[0].add(decay[0] * initial)
    return lax.associative_scan(_compose, (decay, drive))[1]


def _run_by_platform(decay: Array, drive: Array, initial: Array) -> Array:
    return lax.platform_dependent(decay, drive, initial, cpu=_run_sequential, default=_run_associative)


def _compose(first: tuple[Array, Array], second: tuple[Array, Array]) -> tuple[Array, Array]:
    return second[0] * first[0], second[0] * first[1] + second[1]


def _adjoint(
    run: Scan, decay: Array, initial: Array, states: Array, cotangent: Array, after: Array
) -> tuple[Array, Array, Array]:
    """Cotangents of decay, drive and initial; `after` comes from what follows the last state."""
    if decay.shape[0] == 0:
        return decay, decay, after
    next_decay = jnp.concatenate((decay[1:], jnp.ones_like(decay[:1])))
    adjoint = run(next_decay[::-1], cotangent[::-1], after)[::-1]
    previous = jnp.concatenate((initial[None], states[:-1]))
    return adjoint * previous, adjoint, decay[0] * adjoint[0]


def _differentiable(run: Scan) -> Scan:
    """`run` with the hand-written adjoint, itself differentiable, as its reverse rule."""

    @jax.custom_vjp
    def scan(decay: Array, drive: Array, initial: Array) -> Array:
        return run(decay, drive, initial)

    def forward(decay: Array, drive: Array, initial: Array) -> tuple[Array, tuple[Array, Array, Array]]:
        states = scan(decay, drive, initial)
        return states, (decay, initial, states)

    def backward(residuals: tuple[Array, Array, Array], cotangent: Array) -> tuple[Array, Array, Array]:
        decay, initial, states = residuals
        return _adjoint(scan, decay, initial, states, cotangent, jnp.zeros_like(initial))

    scan.defvjp(forward, backward)
    return scan


_sequential_states = _differentiable(_run_sequential)
_associative_states = _differentiable(_run_associative)
_platform_states = _differentiable(_run_by_platform)


def _chunked_states(decay: Array, drive: Array, initial: Array, chunk: int) -> Array:
    """Pads the end with steps that keep the state, so that chunks are equally long."""
    steps = decay.shape[0]
    padding = -steps % chunk
    decay = jnp.concatenate((decay, jnp.ones((padding, *decay.shape[1:]), decay.dtype)))
    drive = jnp.concatenate((drive, jnp.zeros((padding, *drive.shape[1:]), drive.dtype)))
    shape = (-1, chunk, *decay.shape[1:])
    states = _scan_chunks(decay.reshape(shape), drive.reshape(shape), initial)
    return states.reshape(decay.shape)[:steps]


@jax.custom_vjp
def _scan_chunks(decay: Array, drive: Array, initial: Array) -> Array:
    return _scan_chunks_forward(decay, drive, initial)[0]


def _scan_chunks_forward(decay: Array, drive: Array, initial: Array) -> tuple[Array, Residuals]:
    def one(x: Array, elements: tuple[Array, Array]) -> tuple[Array, tuple[Array, Array]]:
        states = _platform_states(*elements, x)
        return states[-1], (states, x)

    _, (states, starts) = lax.scan(one, initial, (decay, drive))
    return states, (decay, drive, initial, starts)


def _scan_chunks_backward(residuals: Residuals, cotangent: Array) -> tuple[Array, Array, Array]:
    decay, drive, initial, starts = residuals

    def one(after: Array, elements: tuple[Array, ...]) -> tuple[Array, tuple[Array, Array]]:
        chunk_decay, chunk_drive, start, chunk_cotangent = elements
        states = _platform_states(chunk_decay, chunk_drive, start)
        to_decay, to_drive, to_start = _adjoint(
            _platform_states, chunk_decay, start, states, chunk_cotangent, after
        )
        return to_start, (to_decay, to_drive)

    to_initial, (to_decay, to_drive) = lax.scan(
        one, jnp.zeros_like(initial), (decay, drive, starts, cotangent), reverse=True
    )
    return to_decay, to_drive, to_initial


_scan_chunks.defvjp(_scan_chunks_forward, _scan_chunks_backward)
