"""Make the embedded data set from the AudioMNIST events.

Run it with `python tools/embed_digits.py audiomnist-spikes-train.h5 audiomnist-spikes-test.h5 OUT`.
"""

import itertools
import sys
from pathlib import Path

import h5py
import numpy as np

from eventssm.datasets._digits import encode

EVERY = 5


def main(sources: list[str], out: str) -> None:
    """Keep every fifth channel of every recording."""
    labels, speakers, recordings = [], [], []
    for source in sources:
        with h5py.File(source) as file:
            offsets, t, channel = file["offset"][:], file["t_us"][:].astype(np.int64), file["channel"][:]
            labels.append(file["label"][:])
            speakers.append(file["speaker"][:])
        for start, end in itertools.pairwise(offsets):
            kept = channel[start:end] % EVERY == 0
            recordings.append((t[start:end][kept], channel[start:end][kept] // EVERY))
    data = encode(np.concatenate(labels), np.concatenate(speakers), recordings)
    Path(out).write_bytes(data)
    print(f"{out}: {len(recordings):,} recordings, {len(data):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:-1], sys.argv[-1])
