"""npz and npy, as others write them and as liars do."""

import io
import json
import struct
import zipfile

import numpy as np
import pytest

import eventssm as es
from eventssm import InputError, Sensor
from tests.files.samples import CAMERA, COCHLEA, random_events

EVENTS = random_events()
PAIR = "[('t', '<i8'), ('channel', '<i8')]"
NAMES = {"t": "timestamp", "x": "x", "y": "y", "p": "polarity"}


def columns(**changes) -> dict[str, np.ndarray]:
    return {name: getattr(EVENTS, name) for name in NAMES} | changes


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def lying_npy(rows: int, descr: str = "'<i8'", version: bytes = b"\x01\x00") -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': ({rows},), }}\n".encode()
    width = "<H" if version == b"\x01\x00" else "<I"
    return b"\x93NUMPY" + version + struct.pack(width, len(header)) + header


def npz(path, members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    "p", [EVENTS.p, EVENTS.p.astype(np.int8), EVENTS.p * 2.0 - 1, EVENTS.p.astype(np.uint64)]
)
def test_columns_of_any_type_and_polarities_of_minus_one(tmp_path, p):
    np.savez_compressed(
        tmp_path / "a.npz", **columns(p=p, t=EVENTS.t.astype(np.float64)), other=np.zeros((3, 3))
    )
    assert es.read(tmp_path / "a.npz", sensor=CAMERA) == EVENTS


def test_columns_under_other_names(tmp_path):
    np.savez(tmp_path / "a.npz", **{NAMES[name]: column for name, column in columns().items()})
    assert es.read(tmp_path / "a.npz", sensor=CAMERA) == EVENTS


@pytest.mark.parametrize(
    "names", [("t", "x", "y", "p"), ("ts", "x", "y", "pol"), ("timestamp", "x", "y", "on")]
)
def test_structured_arrays(tmp_path, names):
    array = np.rec.fromarrays([getattr(EVENTS, name) for name in NAMES], names=list(names))
    np.save(tmp_path / "a.npy", array)
    np.savez(tmp_path / "a.npz", walk=array)
    assert es.read(tmp_path / "a.npy", sensor=CAMERA) == es.read(tmp_path / "a.npz", sensor=CAMERA) == EVENTS


def test_tonics_arrays_of_a_cochlea(tmp_path):
    events = random_events(COCHLEA)
    array = np.rec.fromarrays([events.t, events.channel, np.ones(len(events), bool)], names="t,x,p")
    np.save(tmp_path / "a.npy", array)
    assert es.read(tmp_path / "a.npy", sensor=COCHLEA) == events


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"t": EVENTS.t[::-1]}, r"t\[1\]: expected a time >= "),
        ({"t": EVENTS.t + 0.5}, r"t\[0\]: expected a whole number, got "),
        ({"t": EVENTS.t * np.nan}, r"t\[0\]: expected a finite number, got nan"),
        ({"t": EVENTS.t.astype(np.uint64) + np.uint64(2**63)}, r"t\[0\]: expected a number below 2\^63"),
        ({"x": EVENTS.x[:-1]}, "x: expected 40 values, as many as t, got 39"),
        ({"x": EVENTS.x + 64}, r"x\[\d+\]: expected 0 <= x < 64"),
        ({"y": EVENTS.y.astype(np.complex64)}, "y: expected whole numbers, got dtype complex64"),
        ({"t": EVENTS.t[:, None]}, r"t: expected one axis, got shape \(40, 1\)"),
        ({"p": EVENTS.p.astype(object)}, "p: expected numbers, got dtype object"),
        ({"p": np.full(40, 2)}, r"p\[0\]: expected 0 or 1, got 2"),
    ],
)
def test_columns_that_are_no_events(tmp_path, changes, complaint):
    np.savez(tmp_path / "a.npz", **columns(**changes))
    with pytest.raises(InputError, match=complaint):
        es.read(tmp_path / "a.npz", sensor=CAMERA)


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ({}, "arrays: expected t, x, y, p, or t, channel, or one alone, got none"),
        ({"t.npy": npy(EVENTS.t), "x.npy": npy(EVENTS.x)}, "arrays: expected t, x, y, p, got t, x"),
        (
            {"t.npy": lying_npy(2**40), "channel.npy": lying_npy(2**40)},
            f"array: expected {2**40} rows, got an end",
        ),
        (
            {"a.npy": lying_npy(2**40, PAIR)},
            f"array: expected {2**40} rows, got an",
        ),
        (
            {"a.npy": lying_npy(3, f"[('t', 'V{2**30}')]")},
            "a: expected at most 1024 bytes a row, got 1073741824",
        ),
        ({"a.npy": lying_npy(-3, PAIR)}, r"a: expected one axis, got shape \(-3,\)"),
        (
            {"a.npy": npy(EVENTS.t)},
            "a: expected a structured array with fields t, x, y, p, .* got dtype int64",
        ),
        (
            {"a.npy": b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1)},
            "header: expected at most 10000 bytes",
        ),
        ({"a.npy": b"\x93NUMPY\x01\x00\x05\x00({[(\n"}, "a: expected an array in NumPy's format, got "),
        (
            {"a.npy": b"no array"},
            "a: expected an array in NumPy's format, got the magic string is not correct",
        ),
        ({"a.npy": b""}, "a: expected an array in NumPy's format"),
        ({"a.npy": npy(np.array([print], object))}, "a: expected numbers, got dtype object"),
    ],
)
def test_archives_that_lie(tmp_path, members, complaint):
    npz(tmp_path / "a.npz", members)
    with pytest.raises(InputError, match=complaint):
        es.read(tmp_path / "a.npz", sensor=COCHLEA)


@pytest.mark.parametrize(
    "record",
    ["[" * 4000, "7", '{"name": 5, "channels": 9}', '{"channels": 700}', '{"name": "a", "eyes": 2}',
     '{"name": "a"}', '{"name": "a", "channels": 1099511627776}', "\xff"],
)  # fmt: skip
def test_sensors_that_are_none(tmp_path, record):
    members = {
        "t.npy": npy(np.arange(3)),
        "channel.npy": npy(np.arange(3)),
        "sensor.json": record.encode("latin-1"),
    }
    npz(tmp_path / "a.npz", members)
    with pytest.raises(InputError, match=r"a.npz: (sensor|archive|channels): expected "):
        es.read(tmp_path / "a.npz")


def test_damaged_archives(tmp_path):
    path = tmp_path / "a.npz"
    es.write(EVENTS, path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    with pytest.raises(InputError, match="archive: expected a whole npz file, got File is not a zip file"):
        es.read(path)
    middle = whole.index(b"t.npy") + 60
    path.write_bytes(whole[:middle] + b"\xff" * 9 + whole[middle + 9 :])
    with pytest.raises(InputError, match=r"a.npz: (archive|t): expected .*, got (Error|Bad CRC|invalid)"):
        es.read(path)


def test_a_cut_npy_is_refused_before_it_is_read(tmp_path):
    data = npy(np.rec.fromarrays([np.arange(9), np.arange(9)], names="t,channel"))
    (tmp_path / "a.npy").write_bytes(data[:-1])
    with pytest.raises(InputError, match="array: expected 9 records, got 143 bytes, which are fewer"):
        es.open(tmp_path / "a.npy", sensor=COCHLEA)
    back = np.rec.fromarrays([np.array([5, 9, 8]), np.arange(3)], names="t,channel")
    (tmp_path / "a.npy").write_bytes(npy(back))
    place = len(npy(back)) - 16
    with pytest.raises(InputError, match=rf"t\[2\]: expected a time >= 9 .*, got 8 \(byte {place}\)"):
        es.read(tmp_path / "a.npy", sensor=COCHLEA)


def test_what_is_written_numpy_reads(tmp_path):
    sensor = Sensor(name="right ear", channels=70_000)
    events = random_events(sensor)
    es.write(events, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as arrays:
        assert np.array_equal(arrays["t"], events.t) and np.array_equal(arrays["channel"], events.channel)
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        assert json.loads(archive.read("sensor.json")) == {"name": "right ear", "channels": 70_000}
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]
