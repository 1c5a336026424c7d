"""The recurrence `x[m] = exp(Λ δ Δ[m]) x[m-1] + drive[m]` of one recording, and its adjoint.

The drive of step m is a row of a table: row `index[m]`, or row m where there is no index. With `holds` it is
multiplied by `(exp(Λ δ Δ[m]) - 1) / Λ`. The state is kept after every `every` steps and after the last step;
nothing is kept of the steps between, which the adjoint goes through again.

All arrays have one axis. `rates` holds the real parts of Λ, its imaginary parts, and δ; a row or a state
holds real parts, then imaginary parts. `lo` to `hi` are the states to work on: a caller shares them out to
threads. A step whose row does not exist makes the state NaN.
"""

from typing import Any

import numpy as np
from numba import njit

from eventssm.kernels._decay import REACH, complex_exp, held
from eventssm.kernels._lanes import load, splat, store, width

_KEPT = 8
_FLUSH = 64
"""Groups after which sums over steps are added to the totals, so that few digits are lost."""


@njit(nogil=True, error_model="numpy")
def forward(
    zero: Any,
    lo: int,
    hi: int,
    rates: Any,
    gaps: Any,
    index: Any,
    rows: Any,
    steps: int,
    every: int,
    holds: bool,
    initial: Any,
    states: Any,
    last: Any,
) -> None:
    """Writes the states after every `every` steps, zeros where there are no more, and the last state."""
    wide = len(rates) // 3
    limit = len(rows) // (2 * wide)
    for s in range(lo, hi, width(zero)):
        real, imag, delta = load(zero, rates, s), load(zero, rates, wide + s), load(zero, rates, 2 * wide + s)
        reach = _reach(rates, s, width(zero))
        x, y = load(zero, initial, s), load(zero, initial, wide + s)
        waits, at = 0, s
        for m in range(steps):
            gap = gaps[m]
            elapsed = delta * splat(zero, gap)
            a, b = real * elapsed, imag * elapsed
            decay, decay_imag = complex_exp(a, b, gap <= reach)
            row: Any = np.int64(index[m]) if len(index) else m
            if 0 <= row < limit:
                place = 2 * wide * row + s
                u, v = load(zero, rows, place), load(zero, rows, place + wide)
            else:
                u = v = splat(zero, np.nan)
            if holds:
                phi, phi_imag, _, _ = held(a, b, decay, decay_imag)
                u, v = elapsed * (phi * u - phi_imag * v), elapsed * (phi * v + phi_imag * u)
            x, y = decay * x - decay_imag * y + u, decay * y + decay_imag * x + v
            waits += 1
            if waits == every:
                store(states, at, x)
                store(states, at + wide, y)
                at += 2 * wide
                waits = 0
        store(last, s, x)
        store(last, wide + s, y)
        while at < len(states):
            store(states, at, zero)
            store(states, at + wide, zero)
            at += 2 * wide


@njit(nogil=True, error_model="numpy")
def backward(
    zero: Any,
    lo: int,
    hi: int,
    rates: Any,
    gaps: Any,
    index: Any,
    rows: Any,
    steps: int,
    every: int,
    holds: bool,
    adds: bool,
    initial: Any,
    states: Any,
    to_states: Any,
    to_last: Any,
    to_rates: Any,
    to_rows: Any,
    to_initial: Any,
) -> None:
    """Writes the cotangents of rates, initial state and rows; with `adds`, adds to those of the rows."""
    wide = len(rates) // 3
    limit = len(rows) // (2 * wide)
    w = width(zero)
    kept = np.empty(every * _KEPT * w, rates.dtype)
    for s in range(lo, hi, w):
        real, imag, delta = load(zero, rates, s), load(zero, rates, wide + s), load(zero, rates, 2 * wide + s)
        reach = _reach(rates, s, w)
        p, q = load(zero, to_last, s), load(zero, to_last, wide + s)
        sums = (zero, zero, zero, zero, zero)
        totals = sums
        groups, rest = divmod(steps, every)
        for group in range(groups, -1, -1):
            count, first = (rest if group == groups else every), group * every
            x, y = load(zero, initial, s), load(zero, initial, wide + s)
            if group > 0:
                place = 2 * wide * (group - 1) + s
                x, y = load(zero, states, place), load(zero, states, place + wide)
            if group < groups:
                place = 2 * wide * group + s
                p, q = p + load(zero, to_states, place), q + load(zero, to_states, place + wide)

            for j in range(count):
                gap = gaps[first + j]
                elapsed = delta * splat(zero, gap)
                a, b = real * elapsed, imag * elapsed
                decay, decay_imag = complex_exp(a, b, gap <= reach)
                row: Any = np.int64(index[first + j]) if len(index) else first + j
                u = v = zero
                if 0 <= row < limit:
                    place = 2 * wide * row + s
                    u, v = load(zero, rows, place), load(zero, rows, place + wide)
                x, y = decay * x - decay_imag * y, decay * y + decay_imag * x
                at = j * _KEPT * w
                store(kept, at, decay)
                store(kept, at + w, decay_imag)
                store(kept, at + 2 * w, x)
                store(kept, at + 3 * w, y)
                if holds:
                    phi, phi_imag, slope, slope_imag = held(a, b, decay, decay_imag)
                    phi, phi_imag = elapsed * phi, elapsed * phi_imag
                    store(kept, at + 4 * w, phi)
                    store(kept, at + 5 * w, phi_imag)
                    store(kept, at + 6 * w, elapsed * elapsed * slope)
                    store(kept, at + 7 * w, elapsed * elapsed * slope_imag)
                    u, v = phi * u - phi_imag * v, phi * v + phi_imag * u
                x, y = x + u, y + v

            for j in range(count - 1, -1, -1):
                gap = splat(zero, gaps[first + j])
                row = np.int64(index[first + j]) if len(index) else first + j
                at = j * _KEPT * w
                decay, decay_imag = load(zero, kept, at), load(zero, kept, at + w)
                x, y = load(zero, kept, at + 2 * w), load(zero, kept, at + 3 * w)
                in_range = 0 <= row < limit
                place = 2 * wide * row + s
                f, g = p, q
                if holds:
                    phi, phi_imag = load(zero, kept, at + 4 * w), load(zero, kept, at + 5 * w)
                    f, g = p * phi + q * phi_imag, q * phi - p * phi_imag
                    if in_range:
                        slope, slope_imag = load(zero, kept, at + 6 * w), load(zero, kept, at + 7 * w)
                        u, v = load(zero, rows, place), load(zero, rows, place + wide)
                        c, d = p * u + q * v, q * u - p * v  # cotangent of the factor
                        sums = (
                            sums[0],
                            sums[1],
                            sums[2] + (slope * c + slope_imag * d),
                            sums[3] + (slope * d - slope_imag * c),
                            sums[4] + gap * (decay * c + decay_imag * d),
                        )
                if in_range:
                    if adds:
                        f, g = f + load(zero, to_rows, place), g + load(zero, to_rows, place + wide)
                    store(to_rows, place, f)
                    store(to_rows, place + wide, g)
                sums = (
                    sums[0] + gap * (p * x + q * y),
                    sums[1] + gap * (q * x - p * y),
                    sums[2],
                    sums[3],
                    sums[4],
                )
                p, q = p * decay + q * decay_imag, q * decay - p * decay_imag

            if group % _FLUSH == 0:
                totals = _added(totals, sums)
                sums = (zero, zero, zero, zero, zero)

        store(to_rates, s, delta * totals[0] + totals[2])
        store(to_rates, wide + s, delta * totals[1] + totals[3])
        store(to_rates, 2 * wide + s, real * totals[0] + imag * totals[1] + totals[4])
        store(to_initial, s, p)
        store(to_initial, wide + s, q)
        if not adds:
            for row in range(steps, limit):
                store(to_rows, 2 * wide * row + s, zero)
                store(to_rows, 2 * wide * row + wide + s, zero)


@njit(forceinline=True)
def _added(first: Any, second: Any) -> Any:
    return (
        first[0] + second[0],
        first[1] + second[1],
        first[2] + second[2],
        first[3] + second[3],
        first[4] + second[4],
    )


@njit
def _reach(rates: Any, s: int, count: int) -> float:
    """The longest gap over which no phase of these states goes beyond what the polynomials take."""
    wide = len(rates) // 3
    fastest = 0.0
    for k in range(s, s + count):
        fastest = max(fastest, abs(rates[wide + k] * rates[2 * wide + k]))
    return REACH / fastest if fastest > 0 else np.inf
