"""Time and memory of a case: both forms in one process, in turns, after warming up."""

import importlib.metadata
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from eventssm import _checks
from eventssm.bench._case import Case, Work

_PACKAGES = ("eventssm", "jax", "jaxlib", "numpy", "numba")


@dataclass(frozen=True)
class Record:
    """What was measured; None where there is no twin, or where memory was not asked for."""

    name: str
    events_per_s: float
    twin_events_per_s: float | None
    ratio: float | None
    peak_rss_mb: float | None
    twin_peak_rss_mb: float | None
    repeats: int
    spread: float
    """Slowest less fastest run, as a share of the median."""
    versions: dict[str, str]
    threads: int
    load: float
    """Processes that wanted to run, on average over the last minute, when it began."""

    def line(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))


def measure(
    case: Case,
    repeats: int = 5,
    memory: bool = True,
    clock: Callable[[], float] = time.perf_counter,
) -> Record:
    """Median rates over `repeats` runs of each form, taken in turns; peaks of memory from fresh processes."""
    _checks.check_size(repeats, "repeats")
    load = os.getloadavg()[0]
    peaks = [_peak_of(case, twin) if memory else None for twin in (False, True)]
    work = case.make()
    twin = None if case.twin is None else case.twin()
    for one in (work, twin):
        if one is not None:
            one.run()
    seconds: list[float] = []
    twin_seconds: list[float] = []
    for _ in range(repeats):
        seconds.append(_timed(work, clock))
        if twin is not None:
            twin_seconds.append(_timed(twin, clock))
    rate = work.events / statistics.median(seconds)
    twin_rate = None if twin is None else twin.events / statistics.median(twin_seconds)
    return Record(
        name=case.name,
        events_per_s=rate,
        twin_events_per_s=twin_rate,
        ratio=None if twin_rate is None else rate / twin_rate,
        peak_rss_mb=peaks[0],
        twin_peak_rss_mb=peaks[1],
        repeats=repeats,
        spread=(max(seconds) - min(seconds)) / statistics.median(seconds),
        versions=_versions(),
        threads=len(os.sched_getaffinity(0)),
        load=load,
    )


def peak_rss_mb(work: Work) -> float:
    """This process's highest memory after doing the work twice.

    The kernel's own count of what is resident, where there is one: what `getrusage` says begins with that of
    the process that started this one.
    """
    for _ in range(2):
        work.run()
    status = Path("/proc/self/status")
    if status.is_file():
        return float(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _peak_of(case: Case, twin: bool) -> float | None:
    if twin and case.twin is None:
        return None
    arguments = [sys.executable, "-m", "eventssm.bench", case.name, "twin" if twin else "fast"]
    done = subprocess.run(arguments, capture_output=True, text=True)
    lines = done.stderr.strip().splitlines() or ["no word"]
    _checks.check(done.returncode == 0, f"{case.name} in a process of its own", "an end", lines[-1])
    return float(done.stdout.split()[-1])


def _timed(work: Work, clock: Callable[[], float]) -> float:
    began = clock()
    work.run()
    return clock() - began


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {
        package: importlib.metadata.version(package) for package in _PACKAGES
    }
