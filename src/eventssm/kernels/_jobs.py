"""A call's work, shared out to XLA's threads.

Whoever has time claims the next piece, the calling thread too, so that nothing waits for a thread that is not
there. The calling thread returns when all pieces are done; a helper that starts later finds none left. The
job is freed by the last who looked at it.
"""

import functools
import zlib
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba import cfunc, njit, types

from eventssm.kernels import _frame
from eventssm.kernels._memory import (
    add_to,
    address_of,
    allocate,
    call_at,
    let_others_run,
    release,
    set_word,
    word,
)
from eventssm.kernels._pieces import count_pieces, do_piece

_NEXT, _DONE, _PIECES, _USERS, _FRAME, _BYTES = 0, 8, 16, 24, 32, 40
_WORK, _HELP = "eventssm_work_on_job", "eventssm_help_with_job"
_work, _help = address_of(_WORK), address_of(_HELP)


_kept: list[Any] = []
"""What XLA calls stays in memory for as long as the process."""


@njit
def _leave(job: int) -> None:
    if add_to(job + _USERS, -1) == 1:
        release(job)


@functools.cache
def handler() -> Any:
    """What XLA calls: a foreign function of one frame. Without a frame it tells what it was compiled from.

    The first call ever compiles it, which takes seconds; later ones find it in numba's cache.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    made_from = zlib.crc32(b"".join(path.read_bytes() for path in sources))
    try:
        return _compiled(made_from, cache=True)
    except RuntimeError:  # numba has no folder that it can write to
        return _compiled(made_from, cache=False)


def _compiled(made_from: int, cache: bool) -> Any:
    """The handler. numba's cache goes by this file and by what its functions enclose: `made_from`."""

    @cfunc(types.int64(types.int64), cache=cache)
    def work_on(job: int) -> int:
        if job == 0:
            return made_from
        while True:
            piece = add_to(job + _NEXT, 1)
            if piece >= word(job + _PIECES):
                return 0
            do_piece(word(job + _FRAME), piece)
            add_to(job + _DONE, 1)

    llvm.add_symbol(_WORK, work_on.address)

    @cfunc(types.int64(types.int64), cache=cache)
    def help_with(job: int) -> int:
        if job == 0:
            return made_from
        call_at(_work(), job)
        _leave(job)
        return 0

    llvm.add_symbol(_HELP, help_with.address)

    @cfunc(types.int64(types.int64), cache=cache)
    def handle(frame: int) -> int:
        if frame == 0:
            return made_from
        if _frame.answers_question(frame) or _frame.stage(frame) != _frame.EXECUTE:
            return 0
        pieces = count_pieces(frame)
        helpers = min(_frame.threads(frame), pieces) - 1
        job = allocate(_BYTES)
        set_word(job + _NEXT, 0)
        set_word(job + _DONE, 0)
        set_word(job + _PIECES, pieces)
        set_word(job + _USERS, helpers + 1)
        set_word(job + _FRAME, frame)
        for _ in range(helpers):
            if not _frame.schedule(frame, _help(), job):
                _leave(job)
        call_at(_work(), job)
        while add_to(job + _DONE, 0) < pieces:
            let_others_run()
        _leave(job)
        return 0

    _kept.extend((work_on, help_with, handle))
    return handle
