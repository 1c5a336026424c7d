"""How fast sound becomes events: a second of speech-like sound on 700 channels."""

import functools

import numpy as np

from eventssm import cochlea
from eventssm.bench._case import Case, Work

RATE = 48_000
SECONDS = 2.0


def hear_cases() -> list[Case]:
    """Sound as the published chain hears it, and as an ear does; seconds of sound are said in `about`."""
    about = f"{SECONDS:g} s of sound at {RATE // 1000} kHz to events on 700 channels"
    return [
        Case("hear", about, functools.partial(_work, cochlea.Cochlea())),
        Case("hear/forward", "the same, the membrane as in an ear", functools.partial(_work, _FORWARD)),
    ]


_FORWARD = cochlea.Cochlea(wave="forward")


def voice(seconds: float, rate: int) -> np.ndarray:
    """A vowel of three formants on a pitch of 120 Hz, four syllables a second."""
    t = np.arange(int(seconds * rate)) / rate
    sound = np.zeros(len(t))
    for number in range(1, 40):
        f = 120.0 * number
        formants = sum(1 / (1 + ((f - centre) / 120) ** 2) for centre in (500, 1500, 2500))
        sound += formants / number * np.sin(2 * np.pi * f * t)
    return sound * np.sin(4 * np.pi * t) ** 2


def _work(chosen: cochlea.Cochlea) -> Work:
    sound = voice(SECONDS, RATE)

    def run() -> int:
        return len(cochlea.hear(sound, RATE, chosen))

    return Work(run(), run)
