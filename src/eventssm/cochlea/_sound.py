"""Sound from files and arrays: mono samples in blocks, as often as wanted, and how loud they are in all."""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import soundfile
from jaxtyping import Float64

from eventssm import _checks

_BLOCK = 1 << 16
_RATES = (1_000, 768_000)
_STREAMED = 0x7FFFF000
"""As long as this and longer is what programs write that do not know how much will come."""

Block = Float64[np.ndarray, " sample"]


@runtime_checkable
class Sound(Protocol):
    """Mono sound that can be gone through again and again; ears are mixed to their mean."""

    rate: int
    name: str
    """As complaints name it."""

    def blocks(self) -> Iterator[Block]:
        """The samples from first to last; how they are cut is the same each time."""


class ArraySound:
    """Sound of an array `[sample]`, or `[sample, ear]`, of numbers or of whole numbers at full scale."""

    def __init__(self, audio: np.ndarray, rate: int) -> None:
        audio = np.asarray(audio)
        check_rate(rate)
        _checks.check(
            audio.ndim in (1, 2), "audio", "an array [sample] or [sample, ear]", f"{audio.ndim} axes"
        )
        known = audio.dtype.kind == "f" or audio.dtype in (np.int16, np.int32)
        _checks.check(known, "audio", "samples of float, int16 or int32", audio.dtype)
        _checks.check(audio.shape[0] > 0, "audio", "samples", "none")
        _checks.check(audio.ndim == 1 or audio.shape[1] > 0, "audio", "at least one ear", "none")
        self.rate, self.name = rate, "audio"
        self._audio = audio
        self._scale = 1.0 if audio.dtype.kind == "f" else -float(np.iinfo(audio.dtype).min)

    def blocks(self) -> Iterator[Block]:
        """The samples from first to last."""
        at_once = _at_once(self._audio.shape[1] if self._audio.ndim == 2 else 1)
        for start in range(0, len(self._audio), at_once):
            yield _mono(self._audio[start : start + at_once].astype(np.float64) / self._scale, start)


class FileSound:
    """Sound of a file that libsndfile reads (wav, flac, ogg and more), never held as a whole."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.name = f"{path}: audio"
        with _checks.about(self.path), _opened(self.path) as file:
            check_rate(file.samplerate)
            _check_whole(file)
            _checks.check(file.frames > 0, "audio", "samples", "none")
            self.rate = int(file.samplerate)
            self.frames = int(file.frames)

    def blocks(self) -> Iterator[Block]:
        """The samples from first to last."""
        done = 0
        with _checks.about(self.path), _opened(self.path) as file:
            while done < self.frames:
                try:
                    block = file.read(_at_once(file.channels), dtype="float64", always_2d=True)
                except soundfile.LibsndfileError as problem:
                    _checks.refuse("audio", "sound that can be decoded", f"{_said(problem)} at sample {done}")
                promised = f"{self.frames} samples, as its start says"
                _checks.check(len(block) > 0, "audio", promised, f"an end after {done}")
                yield _mono(block, done)
                done += len(block)


@dataclass(frozen=True)
class Loudness:
    """How many samples a sound has, and the root of their mean square."""

    samples: int
    rms: float


def measure(sound: Sound) -> Loudness:
    """Goes through a sound once; refuses silence and what is not a number."""
    samples, squares = 0, 0.0
    for block in sound.blocks():
        samples += len(block)
        with np.errstate(over="ignore"):
            squares += float(np.sum(np.square(block)))
    rms = math.sqrt(squares / samples)
    _checks.check(math.isfinite(rms), sound.name, "samples whose squares can be summed", "larger ones")
    _checks.check(rms > 1e-30, sound.name, "sound", "silence")
    return Loudness(samples, rms)


def levelled(sound: Sound, loudness: Loudness, rms: float, ramp_ms: float) -> Iterator[Block]:
    """The blocks scaled to an RMS of `rms`, then with Hann ramps of `ramp_ms` at the start and at the end."""
    ramp = round(ramp_ms * sound.rate / 1e3)
    enough = loudness.samples >= max(2 * ramp, 2)
    length = f"{1e3 * loudness.samples / sound.rate:g} ms"
    _checks.check(enough, sound.name, f"at least {2 * ramp_ms:g} ms, two ramps of {ramp_ms:g} ms", length)
    return _ramped(sound, loudness.samples, rms / loudness.rms, ramp)


def _ramped(sound: Sound, samples: int, gain: float, ramp: int) -> Iterator[Block]:
    start = 0
    for block in sound.blocks():
        at = np.arange(start, start + len(block))
        scaled = block * gain
        for from_end in (at, samples - 1 - at):
            within = from_end < ramp
            scaled[within] *= np.sin(np.pi / 2 * from_end[within] / max(ramp, 1)) ** 2
        yield scaled
        start += len(block)


def check_rate(rate: int) -> None:
    """Refuse a rate that no sound has."""
    _checks.check_size(rate, "rate")
    least, most = _RATES
    _checks.check(least <= rate <= most, "rate", f"{least} to {most} samples a second", rate)


def _at_once(ears: int) -> int:
    """Samples of a block, fewer of more ears, so that memory does not follow what a file says of these."""
    return max(1, _BLOCK // ears)


def _check_whole(file: soundfile.SoundFile) -> None:
    """Refuse wav and its kind that were cut short, which libsndfile reads as far as they go."""
    cut = re.search(r"^data : (\d+) \(should be (\d+)\)", file.extra_info, re.MULTILINE)
    if cut and int(cut[1]) < _STREAMED:
        whole = int(cut[2]) >= int(cut[1])
        _checks.check(whole, "audio", f"{cut[1]} bytes, as its start says", f"{cut[2]} of them")


def _mono(block: np.ndarray, start: int) -> Block:
    with np.errstate(over="ignore", invalid="ignore"):
        mono = block if block.ndim == 1 else block.mean(axis=1)
    finite = np.isfinite(mono)
    if not finite.all():
        index = int(np.argmin(finite))
        _checks.refuse(f"audio[{start + index}]", "a finite number", mono[index])
    return mono


@contextmanager
def _opened(path: Path) -> Iterator[soundfile.SoundFile]:
    """The file, told by its content alone: for a suffix such as `.raw`, soundfile would ask for a format."""
    with path.open("rb") as file:
        _checks.check(path.is_file(), "file", "one that can be read twice", "a pipe or a device")
        _checks.check(path.stat().st_size > 0, "file", "audio", "an empty file")
        try:
            opened = soundfile.SoundFile(file.fileno(), closefd=False)
        except soundfile.LibsndfileError as problem:
            _checks.refuse("file", "audio such as wav, flac or ogg", _said(problem))
        with opened:
            yield opened


def _said(problem: soundfile.LibsndfileError) -> str:
    return f"libsndfile's {str(problem.error_string).rstrip('.')!r}"
