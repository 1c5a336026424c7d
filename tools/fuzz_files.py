"""Damaged files of every format, read by processes that may crash, hang or swell: which is looked for.

    nice -n 19 python -m tools.fuzz_files --each 10000  # seeds 0 to 9,999 of every sample
    nice -n 19 python -m tools.fuzz_files --atheris aedat3 --each 100000  # led by coverage

Right is an error of the package in one line, or a recording, the same whole and in chunks. Anything else is
printed with the sample's name and the seed; `tests/files/mutations.py` makes the same bytes of it again.
"""

import argparse
import os
import resource
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.files.fuzzing import Judge
from tests.files.mutations import mutated
from tests.files.samples import SAMPLES

_SECONDS = 20
_ADDRESS_SPACE = 6 << 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("samples", nargs="*", default=[], help="names of samples [default: all]")
    parser.add_argument("--each", type=int, default=1000, help="inputs made of each sample")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--atheris", action="store_true", help="let coverage lead")
    arguments = parser.parse_args()
    for name in arguments.samples or SAMPLES:
        with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
            if arguments.atheris:
                _led_by_coverage(name, Path(folder), arguments.each)
            else:
                _seeded(name, Path(folder), arguments.seed, arguments.seed + arguments.each)


def _seeded(name: str, folder: Path, first: int, last: int) -> None:
    """Children take seeds in turn; one that dies is reported, and another goes on after its seed."""
    began, progress = time.monotonic(), folder / "progress"
    counts: dict[str, int] = {}
    while first < last:
        child = os.fork()
        if child == 0:
            try:
                _child(name, folder, progress, first, last)
            finally:
                os._exit(3)
        _, status = os.waitpid(child, 0)
        *lines, end = progress.read_text().splitlines()
        for line in lines:
            counts[line] = counts.get(line, 0) + 1
        if status:
            cause = signal.Signals(status & 0x7F).name if status & 0x7F else f"exit {status >> 8}"
            print(f"{name} seed {end}: {cause}", flush=True)
            counts[cause] = counts.get(cause, 0) + 1
        first = int(end) + 1
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    print(f"{name}: {told} in {time.monotonic() - began:.0f} s", flush=True)


def _child(name: str, folder: Path, progress: Path, first: int, last: int) -> None:
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    format, make = SAMPLES[name]
    make(folder / "sample")
    sample = (folder / "sample").read_bytes()
    judge = Judge(folder, format)
    with progress.open("w", buffering=1) as log:
        for seed in range(first, last):
            signal.alarm(_SECONDS)
            log.write(f"{seed}")
            log.flush()
            verdict = judge(mutated(sample, seed))
            log.seek(log.tell() - len(str(seed)))
            log.truncate()
            if verdict not in ("read", "refused"):
                print(f"{name} seed {seed}: {verdict}", flush=True)
                verdict = "WRONG"
            log.write(f"{verdict}\n")
        log.write(f"{last - 1}")
    os._exit(0)


def _led_by_coverage(name: str, folder: Path, count: int) -> None:
    import atheris

    with atheris.instrument_imports(include=["eventssm.files"], enable_loader_override=False):
        loaded = ("eventssm.files", "tests.files.fuzzing")
        for module in [module for module in sys.modules if module.startswith(loaded)]:
            del sys.modules[module]
        from tests.files.fuzzing import Judge

    format, make = SAMPLES[name]
    corpus = folder / "corpus"
    corpus.mkdir()
    make(corpus / "sample")
    judge = Judge(folder, format)  # of the instrumented readers

    def one(data: bytes) -> None:
        verdict = judge(data)
        assert verdict in ("read", "refused"), verdict

    options = [f"-runs={count}", "-rss_limit_mb=2048", f"-timeout={_SECONDS}", "-max_len=4096"]
    atheris.Setup([sys.argv[0], str(corpus), *options], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
