"""Small data sets that tests make."""

from functools import partial

import numpy as np

from eventssm import Events, Sensor
from eventssm.datasets import Collection, Entry

COCHLEA = Sensor(name="cochlea-7", channels=7)
CAMERA = Sensor(name="5x4", width=5, height=4)


def events_of(sensor: Sensor, count: int, seed: int, start: int = 0) -> Events:
    """Random events with ties, the first at `start`."""
    rng = np.random.default_rng(seed)
    t = start + np.cumsum(rng.integers(0, 50, count) * (np.arange(count) > 0))
    return Events(sensor, t=t, channel=rng.integers(0, sensor.channels, count))


def collection(sensor: Sensor = COCHLEA, recordings: int = 12, name: str = "small") -> Collection:
    """Recordings of 0, 7, 14, ... events, a subject for every three; one in four for testing."""
    entries = [
        Entry(
            f"r{number}",
            number % 3,
            f"s{number // 3}",
            partial(events_of, sensor, 7 * number, number, 10**12 * number),
        )
        for number in range(recordings)
    ]
    return Collection(
        name,
        sensor,
        ("a", "b", "c"),
        {
            "train": tuple(entry for number, entry in enumerate(entries) if number % 4),
            "test": tuple(entry for number, entry in enumerate(entries) if not number % 4),
        },
    )
