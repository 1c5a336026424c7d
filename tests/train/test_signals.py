"""Signals as wishes."""

import os
import signal
import threading

import pytest

from eventssm.train._signals import StopRequest


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_is_noted_and_the_second_is_as_ever(number):
    caught = []
    before = signal.signal(number, lambda *_: caught.append(number))
    try:
        with StopRequest() as stop:
            assert stop.asked is None
            os.kill(os.getpid(), number)
            assert stop.asked == signal.Signals(number).name and not caught
            os.kill(os.getpid(), number)
            assert caught == [number]
        with StopRequest() as stop:
            pass
        os.kill(os.getpid(), number)
        assert stop.asked is None and caught == [number, number]
    finally:
        signal.signal(number, before)


def test_another_thread_watches_for_nothing():
    found = []

    def watch() -> None:
        with StopRequest() as stop:
            found.append(stop.asked)

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=watch)
    thread.start()
    thread.join()
    assert found == [None] and signal.getsignal(signal.SIGINT) is before
