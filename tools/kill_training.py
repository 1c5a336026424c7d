"""Train, kill the training with SIGKILL at random moments, resume it each time, and compare every bit with a
run that nobody disturbed: all losses, and the parameters of the best and of the last model.

    python tools/kill_training.py --kills 50
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import eventssm as es
from eventssm.train import open_run

COMMAND = [sys.executable, "-c", "from eventssm.cli import main; main()", "train"]
CONFIG = """
epochs = 12
[data]
name = "folder:{data}"
[model]
d_model = 8
d_state = 8
stages = 1
blocks_per_stage = 1
stride = 4
norm = "batch"
dropout = 0.3
conjugate = true
[batches]
size = 4
accumulation = 2
buckets = 1
workers = {workers}
[augment]
event_drop = 0.2
channel_jitter = 1.0
cut_mix = 0.5
[optimizer]
base_lr = 1e-3
clip_norm = 1.0
[checkpoints]
every_steps = 3
"""
TIMES = ("seconds", "events_per_s", "waiting", "validation_seconds", "compile_seconds")


def make_data(folder: Path) -> None:
    """Two classes that differ in their channels, in files of their own."""
    rng = np.random.default_rng(0)
    sensor = es.Sensor(name="cochlea-8", channels=8)
    for split, recordings in (("train", 14), ("validation", 4)):
        for label, name in enumerate(("low", "high")):
            place = folder / split / name
            place.mkdir(parents=True)
            for number in range(recordings):
                count = int(rng.integers(20, 90))
                t = np.cumsum(rng.integers(0, 2000, count))
                channel = 3 * label + rng.integers(0, 5, count)
                es.write(es.Events(sensor, t=t, channel=channel), place / f"{number}.npz")


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(*words: str) -> None:
    process = start(*words)
    _, errors = process.communicate()
    assert process.returncode == 0, errors


def killed_at(run: Path, size: int, *words: str) -> bool:
    """Whether the training was killed once `metrics.jsonl` had so many bytes; else it ended before."""
    process = start(*words)
    metrics = run / "metrics.jsonl"
    while process.poll() is None:
        if metrics.exists() and metrics.stat().st_size >= size:
            time.sleep(random.expovariate(200.0))
            process.kill()
            break
        time.sleep(0.001)
    _, errors = process.communicate()
    assert process.returncode in (0, -9), errors
    return process.returncode == -9


def lines(run: Path) -> list[dict[str, object]]:
    found = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key not in TIMES} for line in found]


def differences(one: Path, other: Path) -> list[str]:
    """What is not the same, bit for bit, in two runs."""
    import jax

    found = []
    for number, (a, b) in enumerate(zip(lines(one), lines(other), strict=False), 1):
        if a != b:
            found.append(f"line {number}: {a} and {b}")
    if len(lines(one)) != len(lines(other)):
        found.append(f"{len(lines(one))} and {len(lines(other))} lines")
    for which in ("best", "last"):
        models = [jax.tree.leaves(open_run(run).model(which)) for run in (one, other)]
        for a, b in zip(*models, strict=True):
            if np.asarray(a).tobytes() != np.asarray(b).tobytes():
                found.append(f"{which}: an array {a.shape}")
    return found


def compare(kills: int, folder: Path, workers: int = 0) -> list[str]:
    """What `kills` kills, each at a random place between the last one and the end, have changed: nothing."""
    os.environ.setdefault("EVENTSSM_DATA", str(folder / "stores"))
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(folder / "compiled"))
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
    make_data(folder / "data")
    config = folder / "run.toml"
    config.write_text(CONFIG.format(data=folder / "data", workers=workers))
    whole, broken = folder / "whole", folder / "broken"
    finish(str(config), "--out", str(whole))
    total = (whole / "metrics.jsonl").stat().st_size
    done = 0
    while done < kills:
        begun = (broken / "run.json").exists()
        words = ["--resume", str(broken)] if begun else [str(config), "--out", str(broken)]
        if not begun:
            shutil.rmtree(broken, ignore_errors=True)
        size = (broken / "metrics.jsonl").stat().st_size if begun else 0
        if size >= 0.9 * total:  # near the end: again from the beginning
            shutil.rmtree(broken)
            continue
        at = size + random.random() * 2 * (total - size) / max(kills - done, 2)
        done += killed_at(broken, int(min(at, total - 1)), *words)
    if (broken / "run.json").exists():
        finish("--resume", str(broken))
    else:
        shutil.rmtree(broken, ignore_errors=True)
        finish(str(config), "--out", str(broken))
    return differences(whole, broken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--workers", type=int, default=0, help="processes that make batches")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        found = compare(options.kills, Path(folder), options.workers)
        print(f"{options.kills} kills, {time.monotonic() - began:.0f} s, {len(found)} differences")
    for difference in found:
        print(difference)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
