"""Damaged files of every format: one line of error or a recording, no crash, no hang, no swelling.

What was once found goes first. `tools/fuzz_files.py` runs many more, in processes of their own.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.files.fuzzing import Judge
from tests.files.mutations import mutated
from tests.files.samples import SAMPLES

SEEDS = 60
FOUND = {
    "hdf5-shd": [6956, 10815],
    "hdf5-prophesee": [16045, 23566, 115547],
    "aedat4": [6008, 6127, 6810, 8751, 11455, 11493, 11522, 19827],
}
"""What crashed, aborted or swelled, or was told in two lines, before it was refused."""


@pytest.mark.parametrize("name", SAMPLES)
def test_seeded_damage(tmp_path, name):
    format, make = SAMPLES[name]
    make(tmp_path / "sample")
    sample = (tmp_path / "sample").read_bytes()
    judge = Judge(tmp_path, format)
    assert judge(sample) == "read"
    for seed in [*FOUND.get(name, []), *range(SEEDS)]:
        assert judge(mutated(sample, seed)) in ("read", "refused"), f"seed {seed}"


@pytest.mark.parametrize("name", SAMPLES)
@settings(max_examples=25)
@given(data=st.data())
def test_any_bytes_after_any_start(tmp_path_factory, name, data):
    """A start of the file, then bytes of hypothesis's choice, then perhaps the rest."""
    folder = tmp_path_factory.mktemp("fuzz")
    format, make = SAMPLES[name]
    make(folder / "sample")
    sample = (folder / "sample").read_bytes()
    start = data.draw(st.integers(0, len(sample)))
    rest = data.draw(st.integers(start, len(sample)))
    damaged = sample[:start] + data.draw(st.binary(max_size=64)) + sample[rest:]
    assert Judge(folder, format)(damaged) in ("read", "refused")


def test_the_judge_sees_what_is_wrong(tmp_path, monkeypatch):
    import numpy as np

    from eventssm.files import EventFile

    format, make = SAMPLES["npy"]
    make(tmp_path / "sample")
    sample = (tmp_path / "sample").read_bytes()
    judge = Judge(tmp_path, format)
    monkeypatch.setattr(EventFile, "chunks", lambda self, **how: iter([]))
    assert judge(sample) == "chunks are not the whole"
    monkeypatch.setattr(EventFile, "read", lambda self: [][1])
    assert judge(sample).startswith("IndexError")
    monkeypatch.setattr(EventFile, "read", lambda self: np.ones(500 << 17).sum() and [][1])
    assert judge(sample).endswith("MB more")
