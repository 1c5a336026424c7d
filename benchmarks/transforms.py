"""Events per second of every transform and of the chains that the recipes are made of: JSON, one line each.

One core, one thread, the median of 9 runs after one to warm up. Each line has the load of the machine, and
the rate by this process's own time too, which is what to read where others are at work.
Random events: 32 recordings of 9,000 on a cochlea, 4 of 300,000 on a camera. In these chains all that has
a probability happens every time, which is the slowest case.
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from eventssm import Events, Sensor
from eventssm.transforms import (
    ChannelJitter,
    ChannelShift,
    ChunkDrop,
    Compose,
    Crop,
    Downsample,
    EventDrop,
    Flip,
    Roll,
    Rotate,
    Scale,
    SpatialJitter,
    Thin,
    TimeJitter,
    TimeSkew,
    UniformNoise,
    cut_mix,
)

COCHLEA = Sensor(name="cochlea", channels=700)
CAMERA = Sensor(name="dvs128", width=128, height=128)
CHAINS = {
    "audio": Compose(
        [
            EventDrop(0.1),
            ChunkDrop(0.02),
            ChannelJitter(0.55),
            ChannelShift(20),
            TimeSkew(1.2),
            TimeJitter(1.0),
            UniformNoise(35),
        ]
    ),
    "camera": Compose(
        [
            Crop(300_000),
            ChunkDrop(0.02),
            EventDrop(0.05),
            TimeSkew(1.12),
            TimeJitter(5.0),
            SpatialJitter(0.55),
            Roll(32),
            Rotate(10.0),
            Scale(1.2),
            Flip(horizontal=1.0, vertical=1.0, polarity=1.0),
        ]
    ),
}
ALONE = (Thin(2), Downsample(4))
"""Transforms of both kinds that no recipe has."""


def recordings(sensor: Sensor, count: int, length: int, duration_us: int) -> list[Events]:
    """Events spread evenly over time and channels."""
    rng = np.random.default_rng(0)
    return [
        Events(
            sensor,
            t=np.sort(rng.integers(0, duration_us, length)),
            channel=rng.integers(0, sensor.channels, length),
        )
        for _ in range(count)
    ]


def measure(kind: str, name: str, batch: list[Events], run: Callable[[], object], repeats: int = 9) -> None:
    """Write one line: events that went in per second, and per second of this process."""
    run()
    wall, cpu = [], []
    for _ in range(repeats):
        starts = time.perf_counter(), time.process_time()
        run()
        wall.append(time.perf_counter() - starts[0])
        cpu.append(time.process_time() - starts[1])
    count = sum(map(len, batch))
    line = {
        "kind": kind,
        "what": name,
        "events_per_s": round(count / statistics.median(wall)),
        "events_per_cpu_s": round(count / statistics.median(cpu)),
        "load": round(os.getloadavg()[0], 2),
    }
    sys.stdout.write(json.dumps(line) + "\n")


def measure_chain(kind: str, batch: list[Events]) -> None:
    """Every transform alone, CutMix alone, the chain, and both."""
    chain, rng, labelled = CHAINS[kind], np.random.default_rng(0), [(events, 0) for events in batch]
    for one in (*chain.transforms, *ALONE):
        measure(kind, repr(one), batch, lambda one=one: [one(events, rng) for events in batch])
    measure(kind, "cut_mix", batch, lambda: cut_mix(labelled, 10, 1.0, rng))

    def changed() -> list[Events]:
        return [chain(events, rng) for events in batch]

    measure(kind, "chain", batch, changed)
    both = "chain + cut_mix"
    measure(kind, both, batch, lambda: cut_mix([(events, 0) for events in changed()], 10, 1.0, rng))


if __name__ == "__main__":
    measure_chain("audio", recordings(COCHLEA, 32, 9_000, 700_000))
    measure_chain("camera", recordings(CAMERA, 4, 300_000, 6_000_000))
