"""The decay over a gap, `exp(Λ δ Δ)`, for lanes and for single numbers.

Lanes have polynomials, off by 2.6e-7 of the decay's size at most. Phases beyond `REACH` are reduced in
float64; beyond 2^30, where neighbouring float32 numbers are turns apart, they are cut. Single numbers have
the C library's functions.
"""

import math
from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

from eventssm.kernels._lanes import (
    Lanes,
    nearest,
    power_of_two,
    quarter_turns,
    quarters_of_far,
    splat,
    where_below,
    width,
    within,
)

REACH = 1e5
_FARTHEST = np.float32(2.0**30)
_LOWEST, _HIGHEST = np.float32(-87.3), np.float32(88.7)
_LOG2E = np.float32(1.44269504)
_LN2 = np.float32(0.693145751953125), np.float32(1.428606765330187e-6)
_QUARTER = np.float32(1.5703125), np.float32(4.837512969970703e-4), np.float32(7.549789948768648e-8)
_PER_QUARTER = np.float32(0.636619772)
_EXP = tuple(np.float32(1 / math.factorial(n)) for n in range(6, -1, -1))
_SIN = np.float32(-1.9515295891e-4), np.float32(8.3321608736e-3), np.float32(-1.6666654611e-1)
_COS = np.float32(2.443315711809948e-5), np.float32(-1.388731625493765e-3), np.float32(4.166664568298827e-2)
_NEAR = 0.0625
"""Where |z|^2 is below it, (exp(z) - 1)/z and its derivative are their series."""


@njit(forceinline=True)
def _exp_lanes(a: Any, b: Any, near: bool) -> Any:
    a = within(a, _LOWEST, _HIGHEST)
    n = nearest(a * splat(a, _LOG2E))
    r = a - n * splat(a, _LN2[0])
    r = r - n * splat(a, _LN2[1])
    p = splat(a, _EXP[0]) * r + splat(a, _EXP[1])
    p = (p * r + splat(a, _EXP[2])) * r + splat(a, _EXP[3])
    p = ((p * r + splat(a, _EXP[4])) * r + splat(a, _EXP[5])) * r + splat(a, _EXP[6])
    size = p * power_of_two(n)

    if near:
        n = nearest(b * splat(b, _PER_QUARTER))
        r = b - n * splat(b, _QUARTER[0])
        r = r - n * splat(b, _QUARTER[1])
        r = r - n * splat(b, _QUARTER[2])
    else:
        n, r = quarters_of_far(within(b, -_FARTHEST, _FARTHEST))
    q = r * r
    sine = (splat(b, _SIN[0]) * q + splat(b, _SIN[1])) * q + splat(b, _SIN[2])
    sine = sine * q * r + r
    cosine = (splat(b, _COS[0]) * q + splat(b, _COS[1])) * q + splat(b, _COS[2])
    cosine = cosine * q * q - splat(b, np.float32(0.5)) * q + splat(b, np.float32(1.0))
    sine, cosine = quarter_turns(n, sine, cosine)
    return size * cosine, size * sine


def complex_exp(a: Any, b: Any, near: bool) -> tuple[Any, Any]:
    """Real and imaginary part of `exp(a + ib)`; `near` says that no |b| is beyond `REACH`."""
    raise AssertionError("compiled code only")


@overload(complex_exp, strict=False)
def _complex_exp(a: Any, b: Any, near: Any) -> Any:
    if isinstance(a, Lanes):
        return lambda a, b, near: _exp_lanes(a, b, near)

    def one(a: Any, b: Any, near: bool) -> Any:
        size = math.exp(a)
        return size * math.cos(b), size * math.sin(b)

    return one


@njit(forceinline=True)
def held(a: Any, b: Any, decay: Any, decay_imag: Any) -> Any:
    """`φ(z) = (exp(z) - 1)/z` and its derivative at `z = a + ib`, whose exponential is given.

    Real and imaginary part of both. Near zero they are their series; elsewhere little cancels.
    """
    zero = a - a
    one = splat(zero, 1.0)
    terms = 8 if width(zero) > 1 else 14
    value, value_imag, slope, slope_imag = one, zero, zero, zero
    for k in range(terms, 1, -1):  # value <- 1 + z value / k, and the derivative of that
        share = splat(zero, 1.0 / k)
        slope, slope_imag = (
            (value + a * slope - b * slope_imag) * share,
            (value_imag + a * slope_imag + b * slope) * share,
        )
        value, value_imag = one + (a * value - b * value_imag) * share, (a * value_imag + b * value) * share

    size = a * a + b * b
    safe = where_below(size, _NEAR, one, size)
    far, far_imag = _by(decay - one, decay_imag, a, b, safe)
    far_slope, far_slope_imag = _by(decay - far, decay_imag - far_imag, a, b, safe)
    return (
        where_below(size, _NEAR, value, far),
        where_below(size, _NEAR, value_imag, far_imag),
        where_below(size, _NEAR, slope, far_slope),
        where_below(size, _NEAR, slope_imag, far_slope_imag),
    )


@njit(forceinline=True)
def _by(x: Any, y: Any, a: Any, b: Any, size: Any) -> Any:
    return (x * a + y * b) / size, (y * a - x * b) / size
