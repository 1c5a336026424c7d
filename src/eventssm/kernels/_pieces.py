"""The kernels behind XLA's calls, each call cut into pieces that threads can do apart.

A piece is some states of one recording, or of all recordings where they add to one table of cotangents.
Operands have the same batch axes in front, of length 1 where all recordings share one, or none of them.
"""

from typing import Any

import numpy as np
from numba import carray, njit

from eventssm.kernels import _frame, _pooling, _recurrence
from eventssm.kernels._frame import argument, attribute, length, rank, result
from eventssm.kernels._lanes import WIDTH, lanes_of_zero, store, width
from eventssm.kernels._memory import pointer

RECURRENCE, RECURRENCE_ADJOINT, POOLING, POOLING_ADJOINT = range(4)
"""Values of the attribute `kernel`. The others are `every` and `holds`; XLA sorts them by name."""

_EVERY, _HOLDS, _KERNEL = range(3)


@njit
def _guide(frame: int) -> int:
    """A buffer that has all batch axes, and two of its own."""
    kernel = attribute(frame, _KERNEL)
    if kernel == RECURRENCE:
        return result(frame, 1)
    if kernel == POOLING_ADJOINT:
        return argument(frame, 4)
    return result(frame, 0)


@njit
def _part(frame: int, buffer: int, own: int, like: Any, number: int) -> Any:
    """Recording `number`'s part of a buffer, the last `own` axes of it, laid out as one axis."""
    total = 1
    for axis in range(-own, 0):
        total *= length(buffer, axis)
    guide = _guide(frame)
    place, apart = 0, 1
    for axis in range(own + 1, rank(buffer) + 1):
        here, everywhere = length(buffer, -axis), length(guide, own - axis - 2)
        if here > 1:
            place += (number % everywhere) * apart
        number //= everywhere
        apart *= here
    everything = carray(pointer(_frame.data(buffer)), ((place + 1) * total,), like)
    return everything[place * total :]


@njit
def _states(frame: int) -> int:
    """States or features that a call works on."""
    return length(_guide(frame), -1)


@njit
def _recordings(frame: int) -> int:
    """How many recordings a call works on."""
    guide = _guide(frame)
    count = 1
    for axis in range(rank(guide) - 2):
        count *= length(guide, axis)
    return count


@njit
def _share_table(frame: int) -> bool:
    """Whether all recordings add to one table."""
    kernel = attribute(frame, _KERNEL)
    if kernel == RECURRENCE_ADJOINT:
        return rank(result(frame, 1)) == 3 and rank(_guide(frame)) > 2
    return kernel == POOLING_ADJOINT and rank(result(frame, 0)) == 2 and rank(_guide(frame)) > 2


@njit
def _adds(frame: int) -> bool:
    """Whether many steps may add to the cotangent of one row of a recurrence's table."""
    return length(argument(frame, 2), -1) > 0 or _share_table(frame)


@njit
def count_pieces(frame: int) -> int:
    """Into how many pieces a call is cut."""
    chunks = -(-_states(frame) // WIDTH)
    return chunks if _share_table(frame) else chunks * _recordings(frame)


@njit
def do_piece(frame: int, piece: int) -> None:
    """Do one of them."""
    chunks = -(-_states(frame) // WIDTH)
    recording, chunk = divmod(piece, chunks)
    lo = chunk * WIDTH
    hi = min(lo + WIDTH, _states(frame))
    first, last = recording, recording + 1
    if _share_table(frame):
        first, last = 0, _recordings(frame)
    if _frame.kind(argument(frame, 0)) == _frame.FLOAT64:
        _do_recordings(0.0, np.float64, frame, lo, hi, first, last)
    elif hi - lo == WIDTH:
        _do_recordings(lanes_of_zero(), np.float32, frame, lo, hi, first, last)
    else:
        _do_recordings(np.float32(0), np.float32, frame, lo, hi, first, last)


@njit
def _do_recordings(zero: Any, real: Any, frame: int, lo: int, hi: int, first: int, last: int) -> None:
    kernel = attribute(frame, _KERNEL)
    if kernel == RECURRENCE_ADJOINT and _adds(frame):
        table = _part(frame, result(frame, 1), 3, real, first)
        _clear(zero, table, 2 * _states(frame), lo, hi)
        _clear(zero, table, 2 * _states(frame), lo + _states(frame), hi + _states(frame))
    elif kernel == POOLING_ADJOINT:
        _clear(zero, _part(frame, result(frame, 0), 2, real, first), _states(frame), lo, hi)
    for number in range(first, last):
        if kernel == RECURRENCE:
            _recur(zero, real, frame, lo, hi, number)
        elif kernel == RECURRENCE_ADJOINT:
            _recur_back(zero, real, frame, lo, hi, number)
        elif kernel == POOLING:
            _pool(zero, real, frame, lo, hi, number)
        else:
            _pool_back(zero, real, frame, lo, hi, number)


@njit
def _clear(zero: Any, table: Any, wide: int, lo: int, hi: int) -> None:
    """Zeros in some columns of a table."""
    for row in range(0, len(table), wide):
        for s in range(lo, hi, width(zero)):
            store(table, row + s, zero)


@njit
def _recur(zero: Any, real: Any, frame: int, lo: int, hi: int, number: int) -> None:
    _recurrence.forward(
        zero,
        lo,
        hi,
        _part(frame, argument(frame, 0), 2, real, number),
        _part(frame, argument(frame, 1), 1, real, number),
        _part(frame, argument(frame, 2), 1, np.int32, number),
        _part(frame, argument(frame, 3), 3, real, number),
        _part(frame, argument(frame, 4), 0, np.int32, number)[0],
        attribute(frame, _EVERY),
        attribute(frame, _HOLDS) != 0,
        _part(frame, argument(frame, 5), 2, real, number),
        _part(frame, result(frame, 0), 3, real, number),
        _part(frame, result(frame, 1), 2, real, number),
    )


@njit
def _recur_back(zero: Any, real: Any, frame: int, lo: int, hi: int, number: int) -> None:
    _recurrence.backward(
        zero,
        lo,
        hi,
        _part(frame, argument(frame, 0), 2, real, number),
        _part(frame, argument(frame, 1), 1, real, number),
        _part(frame, argument(frame, 2), 1, np.int32, number),
        _part(frame, argument(frame, 3), 3, real, number),
        _part(frame, argument(frame, 4), 0, np.int32, number)[0],
        attribute(frame, _EVERY),
        attribute(frame, _HOLDS) != 0,
        _adds(frame),
        _part(frame, argument(frame, 5), 2, real, number),
        _part(frame, argument(frame, 6), 3, real, number),
        _part(frame, argument(frame, 7), 3, real, number),
        _part(frame, argument(frame, 8), 2, real, number),
        _part(frame, result(frame, 0), 2, real, number),
        _part(frame, result(frame, 1), 3, real, number),
        _part(frame, result(frame, 2), 2, real, number),
    )


@njit
def _pool(zero: Any, real: Any, frame: int, lo: int, hi: int, number: int) -> None:
    _pooling.forward(
        zero,
        lo,
        hi,
        _states(frame),
        _part(frame, argument(frame, 0), 1, real, number),
        _part(frame, argument(frame, 1), 1, np.int32, number),
        _part(frame, argument(frame, 2), 2, real, number),
        _part(frame, argument(frame, 3), 0, np.int32, number)[0],
        attribute(frame, _EVERY),
        _part(frame, result(frame, 0), 2, real, number),
    )


@njit
def _pool_back(zero: Any, real: Any, frame: int, lo: int, hi: int, number: int) -> None:
    _pooling.backward(
        zero,
        lo,
        hi,
        _states(frame),
        _part(frame, argument(frame, 0), 1, real, number),
        _part(frame, argument(frame, 1), 1, np.int32, number),
        _part(frame, argument(frame, 3), 0, np.int32, number)[0],
        attribute(frame, _EVERY),
        _part(frame, argument(frame, 4), 2, real, number),
        _part(frame, result(frame, 0), 2, real, number),
    )
