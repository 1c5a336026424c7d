"""XLA's call frame, as compiled code reads it: buffers, attributes, threads.

The offsets are those of `XLA_FFI_CallFrame` and its parts in XLA's C header, for 64-bit machines;
`eventssm.ssm` looks whether the installed header still has them before it hands any kernel to XLA.
"""

from numba import njit

from eventssm.kernels._memory import allocate, call_at, half_word, release, set_half_word, set_word, word

EXECUTE = 3
FLOAT64 = 12

_API, _CONTEXT, _STAGE, _ARGUMENTS, _RESULTS, _ATTRIBUTES = 16, 24, 32, 40, 80, 120
_SCHEDULE, _THREADS = 136, 144


@njit
def answers_question(frame: int) -> bool:
    """Whether XLA asks for the version that the handler is made for: it is told its own."""
    extension = word(frame + 8)
    if extension == 0:
        return False
    version, own = word(extension + 24) + 8, word(frame + _API) + 16
    set_half_word(version + 16, half_word(own + 16))
    set_half_word(version + 20, half_word(own + 20))
    return True


@njit
def stage(frame: int) -> int:
    """What XLA wants: compiling and preparing come before executing."""
    return half_word(frame + _STAGE)


@njit
def argument(frame: int, number: int) -> int:
    """The buffer that is handed in at this place."""
    return word(word(frame + _ARGUMENTS + 32) + 8 * number)


@njit
def result(frame: int, number: int) -> int:
    """The buffer to be filled at this place."""
    return word(word(frame + _RESULTS + 32) + 8 * number)


@njit
def attribute(frame: int, number: int) -> int:
    """A whole number given when the call was compiled; XLA sorts them by name."""
    return word(word(word(word(frame + _ATTRIBUTES + 40) + 8 * number) + 8))


@njit
def kind(buffer: int) -> int:
    """XLA's number of the buffer's type."""
    return half_word(buffer + 16)


@njit
def data(buffer: int) -> int:
    """Where the buffer's numbers are."""
    return word(buffer + 24)


@njit
def length(buffer: int, axis: int) -> int:
    """The buffer's length along an axis; negative axes count from the end."""
    return word(word(buffer + 40) + 8 * (axis + word(buffer + 32) if axis < 0 else axis))


@njit
def rank(buffer: int) -> int:
    """How many axes the buffer has."""
    return word(buffer + 32)


@njit
def threads(frame: int) -> int:
    """How many threads XLA's pool has."""
    request, answer = allocate(40), allocate(8)
    set_word(request, 32)
    set_word(request + 8, 0)
    set_word(request + 16, word(frame + _CONTEXT))
    set_word(request + 24, answer)
    set_word(answer, 1)
    failed = call_at(word(word(frame + _API) + _THREADS), request)
    count = 1 if failed != 0 else word(answer)
    release(request)
    release(answer)
    return count


@njit
def schedule(frame: int, task: int, job: int) -> bool:
    """Ask XLA's pool to call `task(job)` on one of its threads; false if it will not."""
    request = allocate(40)
    set_word(request, 40)
    set_word(request + 8, 0)
    set_word(request + 16, word(frame + _CONTEXT))
    set_word(request + 24, task)
    set_word(request + 32, job)
    failed = call_at(word(word(frame + _API) + _SCHEDULE), request)
    release(request)
    return bool(failed == 0)
