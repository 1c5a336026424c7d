"""Memory and speed of reading in chunks and of converting, format by format, each in a process of its own.

    python benchmarks/files.py FOLDER --events 50000000     # about 6 GB in FOLDER, removed at the end

The first file is made of pieces, the others by `eventssm convert`. Each line is what went in, what came out,
the highest memory of the process, and events a second.
"""

import argparse
import functools
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from eventssm import Events
from eventssm.cli import main as eventssm
from eventssm.files import camera, open_file, write_pieces

FORMATS = {
    "dat": "dat",
    "raw": "evt3",
    "evt2": "evt2",
    "aedat4": "aedat4",
    "es": "es",
    "h5": "hdf5",
    "npz": "npz",
    "csv": "csv",
}
"""Suffix and format of all that can be written."""
_AT_ONCE = 1 << 18
_SENSOR = camera(640, 480)


def main(folder: Path, events: int, suffixes: list[str]) -> list[tuple[str, float]]:
    """Prints a line for every step; the steps and their peaks in MB."""
    found = []
    with tempfile.TemporaryDirectory(dir=folder) as place:
        source = Path(place, "first.dat")
        outs = [(FORMATS[suffix], Path(place, f"out.{suffix}")) for suffix in suffixes]
        steps = [("made dat", functools.partial(_make, source, events))]
        steps += [(f"dat -> {name}", functools.partial(_convert, source, out)) for name, out in outs]
        steps += [(f"{name} in chunks", functools.partial(_read, out, events)) for name, out in outs]
        for step, work in steps:
            seconds, peak = _in_a_process(work)
            sys.stdout.write(f"{step:<18} {peak:6.0f} MB {events / seconds / 1e6:6.2f} M events/s\n")
            sys.stdout.flush()
            found.append((step, peak))
    return found


def _make(path: Path, events: int) -> None:
    write_pieces(_random_pieces(events), _SENSOR, path)


def _random_pieces(events: int):
    """Two million events a second of a camera."""
    rng = np.random.default_rng(0)
    last = 0
    for start in range(0, events, _AT_ONCE):
        count = min(_AT_ONCE, events - start)
        t = last + np.cumsum(rng.integers(0, 2, count))
        last = int(t[-1])
        yield Events(_SENSOR, t=t, channel=rng.integers(0, _SENSOR.channels, count))


def _convert(source: Path, target: Path) -> None:
    eventssm(["convert", str(source), str(target)])


def _read(path: Path, events: int) -> None:
    assert sum(map(len, open_file(path).chunks(events=100_000))) == events


def _in_a_process(work) -> tuple[float, float]:
    """Seconds, and the peak of memory in MB, of the work in a process of its own."""
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        _done = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            work()
            _done = 0
        except SystemExit as end:
            _done = int(end.code or 0)
        finally:
            os._exit(_done)
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit(f"a process ended with status {status}")
    return time.perf_counter() - began, used.ru_maxrss / 1024


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--events", type=int, default=50_000_000)
    parser.add_argument("--formats", nargs="*", default=list(FORMATS), choices=list(FORMATS))
    arguments = parser.parse_args()
    main(arguments.folder, arguments.events, arguments.formats)
