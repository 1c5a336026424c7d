"""The embedded data set: spoken digits as a 140-channel cochlea hears them.

2,400 recordings of AudioMNIST (48 speakers, 5 repetitions of 10 digits), every fifth channel of the 700 that
SHD and SSC have. Times are whole ticks of 1/12 millisecond. The file is LZMA of a header (a line of JSON)
and, for all recordings one after the other: label and speaker of each (a byte), its number of events (two
bytes), then for all events the ticks since the event before (a byte, 255 and another where more are needed),
and their channels (a byte).
"""

import functools
import json
import lzma
from importlib import resources

import numpy as np

from eventssm import _checks
from eventssm.datasets._collection import Collection, Entry, split_by_subject
from eventssm.events import Events
from eventssm.files import cochlea

NAME = "digits"
CHANNELS = 140
CLASSES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
SPEAKERS_OF_TEST = tuple(str(speaker) for speaker in range(41, 49))
_FILE = "digits.xz"
_MORE = 255
_TICKS_PER_MS = 12
Columns = tuple[np.ndarray, np.ndarray]


def digits() -> Collection:
    """All recordings, split by speaker: 41-48 for testing, a tenth of the others for validation."""
    labels, speakers, recordings = _decoded()
    sensor = cochlea(CHANNELS)
    entries = []
    for number, (label, speaker, (t, channel)) in enumerate(zip(labels, speakers, recordings, strict=True)):
        key = f"speaker-{speaker}/{CLASSES[label]}-{number}"
        read = functools.partial(Events, sensor, t=t, channel=channel)
        entries.append(Entry(key, int(label), str(speaker), read))
    return Collection(NAME, sensor, CLASSES, split_by_speaker(entries))


def split_by_speaker(entries: list[Entry]) -> dict[str, tuple[Entry, ...]]:
    """AudioMNIST's splits: speakers from 41 on for testing, some of 1 to 40 for validation."""
    testing = [entry for entry in entries if entry.subject in SPEAKERS_OF_TEST]
    training = [entry for entry in entries if entry.subject not in SPEAKERS_OF_TEST]
    return split_by_subject(training, testing, "audiomnist")


def encode(labels: np.ndarray, speakers: np.ndarray, recordings: list[Columns]) -> bytes:
    """The file's bytes; times must be whole ticks, rounded to microseconds."""
    deltas, channels = [np.zeros(0, np.int64)], [np.zeros(0, np.uint8)]
    for t, channel in recordings:
        ticks = np.rint(t * _TICKS_PER_MS / 1000).astype(np.int64)
        _checks.check_every(_microseconds(ticks) == t, "t", "a whole number of ticks", t)
        deltas.append(np.diff(ticks, prepend=0))
        channels.append(channel.astype(np.uint8))
    header = {"recordings": len(recordings), "events": sum(len(t) for t, _ in recordings)}
    columns = (
        labels.astype(np.uint8),
        speakers.astype(np.uint8),
        np.array([len(t) for t, _ in recordings], "<u2"),
        _escaped(np.concatenate(deltas)),
        np.concatenate(channels),
    )
    raw = json.dumps(header).encode() + b"\n" + b"".join(column.tobytes() for column in columns)
    return lzma.compress(raw, preset=9 | lzma.PRESET_EXTREME)


def decode(data: bytes) -> tuple[np.ndarray, np.ndarray, list[Columns]]:
    """Labels, speakers and (times, channels) of every recording: the inverse of `encode`."""
    head, _, raw = lzma.decompress(data).partition(b"\n")
    header = json.loads(head)
    count, events = header["recordings"], header["events"]
    labels, speakers = np.frombuffer(raw, np.uint8, 2 * count).reshape(2, count)
    lengths = np.frombuffer(raw, "<u2", count, 2 * count).astype(np.int64)
    channels = np.frombuffer(raw, np.uint8, events, len(raw) - events)
    deltas = _unescaped(np.frombuffer(raw[4 * count : len(raw) - events], np.uint8))
    recordings = []
    ends = np.cumsum(lengths)
    for start, end in zip(ends - lengths, ends, strict=True):
        recordings.append((_microseconds(np.cumsum(deltas[start:end])), channels[start:end]))
    return labels, speakers, recordings


@functools.lru_cache(maxsize=1)
def _decoded() -> tuple[np.ndarray, np.ndarray, list[Columns]]:
    return decode(resources.files("eventssm.datasets").joinpath(_FILE).read_bytes())


def _microseconds(ticks: np.ndarray) -> np.ndarray:
    return np.rint(ticks * 1000 / _TICKS_PER_MS).astype(np.int64)


def _escaped(deltas: np.ndarray) -> np.ndarray:
    """Each number as bytes: as many 255 as it holds, then the rest."""
    full, rest = np.divmod(deltas, _MORE)
    ends = np.cumsum(full + 1)
    out = np.full(int(ends[-1]) if len(ends) else 0, _MORE, np.uint8)
    out[ends - 1] = rest
    return out


def _unescaped(data: np.ndarray) -> np.ndarray:
    total = np.cumsum(data, dtype=np.int64)[data != _MORE]
    return np.diff(total, prepend=0)
