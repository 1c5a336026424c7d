"""Write one recording of the embedded digits to a file: what `make demo` predicts."""

import sys
from pathlib import Path

import eventssm as es


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "digit.npz")
    speech = es.datasets.load("digits", split="test")
    events, label = speech[7]
    es.write(events, out)
    print(f"{out}: {speech.classes[label]!r}, {len(events):,} events, a speaker of the test split")


if __name__ == "__main__":
    main()
