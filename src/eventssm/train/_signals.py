"""Ctrl-C and SIGTERM as a wish that is granted between two steps, not an exception anywhere."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """Within its `with`, the first signal is noted in `asked`; a second one does what it did before.

    Only the main thread can watch for signals; in another one nothing is noted.
    """

    def __init__(self) -> None:
        self.asked: str | None = None
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> "StopRequest":
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._note) for number in _SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._restore()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.asked = signal.Signals(number).name
        self._restore()

    def _restore(self) -> None:
        while self._before:
            signal.signal(*self._before.popitem())
