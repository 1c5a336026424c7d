"""What HDF5's library must not see: each of these, unchecked, hangs or crashes the process."""

import struct
import zlib

import h5py
import numpy as np
import pytest

import eventssm as es
from eventssm import InputError, datasets
from eventssm.files import check_heaps, each_recording
from tests.files.samples import COUNT, SAMPLES, random_events

_ENTRY = struct.Struct("<IQI")


def sample(path, **options) -> bytearray:
    """A file of one recording; with options, of the same rows in chunks."""
    SAMPLES["hdf5-shd"][1](path)
    if options:
        with h5py.File(path) as file:
            rows = {name: file[f"spikes/{name}"][0] for name in ("times", "units")}
        with h5py.File(path, "w") as file:
            for name, row in rows.items():
                made = file.create_dataset(
                    f"spikes/{name}", (3,), h5py.vlen_dtype(row.dtype), chunks=(2,), **options
                )
                made[0] = row
    return bytearray(path.read_bytes())


def heap(data: bytes) -> int:
    return data.index(b"GCOL\x01\0\0\0")


def entry(data: bytes, number: int) -> int:
    """Where the row's entry is: its length, heap and object number."""
    return data.index(_ENTRY.pack(COUNT, heap(data), number))


def refused(path, data, complaint) -> None:
    path.write_bytes(data)
    with pytest.raises(InputError, match=complaint):
        es.read(path, index=0)


def test_a_free_object_of_no_size(tmp_path):
    """The library goes round and round in it."""
    path = tmp_path / "a.h5"
    data = sample(path)
    at = heap(data) + 16
    while data[at : at + 2] != b"\0\0":
        at += 16 + -(-int.from_bytes(data[at + 8 : at + 16], "little") // 8) * 8
    data[at + 8 : at + 16] = bytes(8)
    refused(path, data, f"heap at byte {at}: expected an object that ends in it, got 0 bytes")
    with pytest.raises(InputError, match=f"heap at byte {at}"):
        next(each_recording(path))
    with pytest.raises(InputError, match=f"shd_train.h5: heap at byte {at}"):
        for name in ("train", "test"):
            (tmp_path / f"shd_{name}.h5").write_bytes(data)
        datasets.KNOWN["shd"].collect(tmp_path, False, None)


def test_a_heap_anywhere_in_a_large_file(tmp_path):
    path = tmp_path / "a.h5"
    with path.open("wb") as file:
        for place in (9, (1 << 24) - 3, (1 << 25) + 100):
            file.seek(place)
            file.write(b"GCOL\x01\0\0\0" + struct.pack("<QHHIQ", 4096, 1, 1, 0, 4064))
            file.truncate(place + 4096)
    check_heaps(path)
    with path.open("r+b") as file:
        file.seek((1 << 24) - 3 + 24)
        file.write(struct.pack("<Q", 2**40))
    with pytest.raises(InputError, match=f"heap at byte {(1 << 24) + 13}: .* got {2**40 + 16} bytes"):
        check_heaps(path)


@pytest.mark.parametrize("stated", [0, 1, COUNT - 1, COUNT + 1, 2**31, 2**32 - 1])
@pytest.mark.parametrize("options", [{}, {"shuffle": False}], ids=["row", "chunk"])
def test_rows_that_state_another_length(tmp_path, stated, options):
    """Too many values are room for a lie; too few, a write past the end of the room."""
    path = tmp_path / "a.h5"
    data = sample(path, **options)
    for number, name in ((1, "times"), (2, "units")):
        damaged = bytearray(data)
        damaged[entry(data, number) : entry(data, number) + 4] = struct.pack("<I", stated)
        refused(path, damaged, rf"/spikes/{name}\[0\]: expected the \d+ bytes that are there for it, got ")


def test_rows_that_lead_nowhere(tmp_path):
    path = tmp_path / "a.h5"
    data = sample(path)
    at = entry(data, 1)
    for place, found in (
        (len(data) + 8, "file's end"),
        (heap(data) + 8, "a heap"),
        (heap(data), "one object 9"),
    ):
        data[at : at + 16] = _ENTRY.pack(COUNT, place, 9)
        refused(path, data, found)


@pytest.mark.parametrize(
    "options", [{"compression": "gzip"}, {"compression": "gzip", "shuffle": True}, {"compression": "lzf"}]
)
def test_rows_in_filtered_chunks(tmp_path, options):
    path = tmp_path / "a.h5"
    sample(path, **options)
    assert len(es.read(path, index=0)) == COUNT
    assert len(es.read(path, index=1)) == len(es.read(path, index=2)) == 0


def test_a_compressed_chunk_that_lies(tmp_path):
    path = tmp_path / "a.h5"
    sample(path, compression="gzip")
    with h5py.File(path, "r+") as file:
        rows = file["spikes/times"]
        mask, stored = rows.id.read_direct_chunk((0,))
        entries = bytearray(zlib.decompress(stored))
        entries[:4] = struct.pack("<I", 3)
        rows.id.write_direct_chunk((0,), zlib.compress(bytes(entries)), mask)
    refused(
        path, path.read_bytes(), r"/spikes/times\[0\]: expected the 320 bytes that are there for it, got 24"
    )


@pytest.mark.parametrize("kind", [1, 2, 15])
def test_types_of_varying_length_that_are_none(tmp_path, kind):
    """Sequence is 0, string 1; the library follows a null pointer for any other."""
    path = tmp_path / "a.h5"
    data = sample(path)
    at = data.index(b"\x19\0\0\0\x10\0\0\0")
    data[at + 1] = kind
    refused(path, data, r"expected (rows of varying length|a whole file)")


def test_attributes_of_other_types(tmp_path):
    path = tmp_path / "a.h5"
    SAMPLES["hdf5-prophesee"][1](path)
    data = bytearray(path.read_bytes())
    at = data.index(b"\x19\x01")
    data[at + 1] = 3
    refused(path, data, "geometry: expected a number or a string, got type 9")


@pytest.mark.parametrize("libver", ["earliest", "latest"])
@pytest.mark.parametrize("others", [0, 20])
def test_texts_that_state_another_length(tmp_path, libver, others):
    path = tmp_path / "a.h5"
    with h5py.File(path, "w", libver=libver) as file:
        for number in range(others):
            file.attrs[f"note {number}"] = "geometry" * number
        file.attrs["geometry"] = "64x48"
        file["events"] = random_events().to_structured()
    assert es.read(path).sensor.name == "64x48"
    data = bytearray(path.read_bytes())
    text = [at for at in range(len(data) - 16) if data[at : at + 4] == b"\5\0\0\0" and heap_at(data, at + 4)]
    data[text[-1] : text[-1] + 4] = struct.pack("<I", 2**31)
    refused(path, data, "(5 bytes that are there for it, got 2147483648|HDF5: expected a whole)")


def heap_at(data, at) -> bool:
    place = int.from_bytes(data[at : at + 8], "little")
    return data[place : place + 5] == b"GCOL\1"


def test_a_user_block_in_front(tmp_path):
    path = tmp_path / "a.h5"
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, row in (("times", np.array([0.5, 0.25])), ("units", np.array([1, 2]))):
            file.create_dataset(f"spikes/{name}", (1,), h5py.vlen_dtype(row.dtype))[0] = row
    assert es.read(path, "hdf5").t.tolist() == [250_000, 500_000]
