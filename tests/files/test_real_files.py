"""Real files, column by column: nothing of how they are read may change unseen."""

import hashlib

import numpy as np
import pytest

import eventssm as es
from eventssm import InputError

PINNED = {
    "davis346.aedat4": (78830, "346x260", "f1e093cad5af 1d8ea97b0feb 18f89da35f8f 6f99cf01187d"),
    "dv-sample.aedat4": (9408, "640x480", "106aad25b78a db8e77733f8d 08170162d478 e5cf3abef171"),
    "dvs-head.csv": (1999, "320x240", "e4849ff30781 47ecbba08571 a2f3c2b35f9b be0ba5ac7301"),
    "dvs.es": (473225, "320x240", "6f3f9af2e99d 976eab4dc499 6ccc2ff279b4 6f3c58f949e7"),
    "dvs128-walking.aedat": (125028, "128x128", "12eadd1c81c7 210fa53231dc f68008f59c92 919ed0c72ac2"),
    "evt2.raw": (521252, "640x480", "9855ba39c1ba 93fc6cff19b4 07cfaef58e5f d2b5e9c4047f"),
    "evt3.raw": (1218618, "1280x720", "5844f7335f33 436762030fbc e7793490007f 7829ba15f633"),
    "gen4.dat": (1218618, "1280x720", "78517458e034 436762030fbc e7793490007f 7829ba15f633"),
    "shd-layout-sample.h5": (9434, "cochlea-700", "a6481a0f1720 6dba85471a9c"),
    "n-mnist/Train/0/00002.bin": (5028, "34x34", "a6def22df5a7 cd0ada4f6a84 08daed815df4 0150efb549e4"),
}  # fmt: skip
"""Events, sensor, and the start of SHA3-224 of the columns `t`, `x`, `y`, `p` (or `t`, `channel`).

Those of davis346, dvs.es, evt2, evt3 and gen4 are the digests that faery's own tests pin for these files.
"""
INDEX = {"shd-layout-sample.h5": 7}
OFFSET = 11_194_368


def opened(shared, name):
    folder = "formats" if (shared / "formats" / name).exists() else "data"
    return es.open(shared / folder / name, index=INDEX.get(name))


def digests(events):
    names = ("t", "x", "y", "p") if events.sensor.is_camera else ("t", "channel")
    return " ".join(hashlib.sha3_224(getattr(events, name).tobytes()).hexdigest()[:12] for name in names)


@pytest.mark.parametrize("name", PINNED)
def test_columns(shared, name):
    events = opened(shared, name).read()
    assert (len(events), events.sensor.name, digests(events)) == PINNED[name]


@pytest.mark.parametrize("name", PINNED)
@pytest.mark.parametrize("how", [{"events": 4099}, {"ms": 33.3}], ids=["events", "ms"])
def test_chunks_are_the_whole(shared, name, how):
    file = opened(shared, name)
    chunks = list(file.chunks(**how))
    assert es.Events.join(file.sensor, chunks) == file.read()
    if "events" in how:
        assert {len(chunk) for chunk in chunks[:-1]} <= {4099}
    else:
        assert max(chunk.duration for chunk in chunks) < 33_300


def test_one_recording_in_two_formats(shared):
    evt3, dat = (es.read(shared / "formats" / name) for name in ("evt3.raw", "gen4.dat"))
    assert np.array_equal(evt3.t, dat.t + OFFSET)
    assert all(np.array_equal(getattr(evt3, name), getattr(dat, name)) for name in ("x", "y", "p"))


def test_a_file_of_no_camera(shared):
    with pytest.raises(InputError, match=r'generic.es: file: .* got a stream of "generic" events'):
        es.read(shared / "formats/generic.es")


def test_all_recordings_of_n_mnist(shared):
    paths = sorted((shared / "data/n-mnist").rglob("*.bin"))
    events = [es.read(path) for path in paths]
    assert len(events) == 900 and 3.6e6 < sum(map(len, events)) < 3.9e6
    assert all(0.25e6 < one.duration < 0.33e6 for one in events)
