"""The whole chain: sound in, events out, in pieces of constant memory."""

from collections.abc import Callable, Iterator

import numpy as np

from eventssm import _checks
from eventssm.cochlea._backwards import BackwardWave
from eventssm.cochlea._bushy_cell import BushyCells
from eventssm.cochlea._hair_cell import HairCells
from eventssm.cochlea._membrane import STEPS_AT_ONCE, ForwardWave
from eventssm.cochlea._parameters import Cochlea
from eventssm.cochlea._resample import resampled
from eventssm.cochlea._sound import ArraySound, Sound, levelled, measure
from eventssm.events import Events

_PIECE = 4096
_LOUDEST = 1e6

HearProgress = Callable[[float], None]
"""Called with the seconds of sound that have been heard."""


class Listener:
    """A cochlea that is listening: takes sound as it comes, gives the events of it.

    The sound has the cochlea's rate and about its RMS: as the loudness of the whole is not known before its
    end, scaling is the caller's. Events are the same however the sound is cut into calls. With
    `wave="published"` they come almost a second after the sound, the last ones from `finish`; with
    `wave="forward"` at once.
    """

    def __init__(self, cochlea: Cochlea | None = None, seed: int = 0) -> None:
        self.cochlea = Cochlea() if cochlea is None else cochlea
        backwards = self.cochlea.wave == "published"
        self._wave = BackwardWave(self.cochlea) if backwards else ForwardWave(self.cochlea)
        self._hair_cells = HairCells(self.cochlea)
        self._bushy_cells = BushyCells(self.cochlea, seed)
        self._finished = False

    def push(self, audio: np.ndarray) -> Events:
        """More events, for the next samples; time 0 is the first sample of all."""
        _checks.check(not self._finished, "listener", "one that has not finished", "one that has")
        audio = np.asarray(audio)
        _checks.check(audio.ndim == 1, "audio", "an array [sample]", f"{audio.ndim} axes")
        _checks.check(audio.dtype.kind == "f", "audio", "samples of float", audio.dtype)
        loudest = f"a number of at most {_LOUDEST:g}, up or down"
        _checks.check_every(np.abs(audio) <= _LOUDEST, "audio", loudest, audio)
        return self._events(self._wave.push(audio.astype(np.float64)))

    def finish(self) -> Events:
        """The last events, once all sound has been pushed."""
        self._finished = True
        return self._events(self._wave.finish())

    def _events(self, velocities: Iterator[np.ndarray]) -> Events:
        steps, channels = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for velocity in velocities:
            for start in range(0, len(velocity), STEPS_AT_ONCE):
                cleft = self._hair_cells.push(velocity[start : start + STEPS_AT_ONCE])
                step, channel = self._bushy_cells.push(cleft)
                steps.append(step)
                channels.append(channel)
        t = self._microseconds(np.concatenate(steps))
        return Events(self.cochlea.sensor, t=t, channel=np.concatenate(channels))

    def _microseconds(self, step: np.ndarray) -> np.ndarray:
        """The time of each step to the nearest microsecond."""
        return (step * 1_000_000 + self.cochlea.rate // 2) // self.cochlea.rate


def hear(audio: np.ndarray, rate: int, cochlea: Cochlea | None = None, seed: int = 0) -> Events:
    """The events of sound `[sample]` or `[sample, ear]`, scaled to the cochlea's RMS, ramped in and out."""
    listener = Listener(cochlea, seed)
    return Events.join(listener.cochlea.sensor, list(_heard(ArraySound(audio, rate), listener, None)))


def hear_pieces(
    sound: Sound, cochlea: Cochlea | None = None, seed: int = 0, progress: HearProgress | None = None
) -> Iterator[Events]:
    """The same events, piece by piece, of sound that need not fit in memory.

    The sound is gone through twice: now for its loudness, and again as the pieces are asked for.
    """
    return _heard(sound, Listener(cochlea, seed), progress)


def _heard(sound: Sound, listener: Listener, progress: HearProgress | None) -> Iterator[Events]:
    cochlea = listener.cochlea
    blocks = levelled(sound, measure(sound), cochlea.rms, cochlea.ramp_ms)
    return _pushed(resampled(blocks, sound.rate, cochlea.rate), listener, progress)


def _pushed(
    blocks: Iterator[np.ndarray], listener: Listener, progress: HearProgress | None
) -> Iterator[Events]:
    steps = 0
    for block in blocks:
        for start in range(0, len(block), _PIECE):
            part = block[start : start + _PIECE]
            yield listener.push(part)
            steps += len(part)
            if progress is not None:
                progress(steps / listener.cochlea.rate)
    yield listener.finish()
