"""A format is found by content, then by suffix."""

import pytest

import eventssm as es
from eventssm import InputError
from eventssm.files import FORMATS, find_format, format_to_write
from tests.files.samples import SAMPLES, evt3_bytes, nmnist_bytes

HAVE_A_MARK = [name for name, (format, _) in SAMPLES.items() if format != "nmnist"]


@pytest.mark.parametrize("name", HAVE_A_MARK)
@pytest.mark.parametrize("suffix", ["", ".npz", ".raw", ".unknown"])
def test_content_is_believed_before_the_suffix(tmp_path, name, suffix):
    format, make = SAMPLES[name]
    path = tmp_path / f"recording{suffix}"
    make(path)
    assert find_format(path).name == format


def test_a_suffix_is_believed_where_content_says_nothing(tmp_path):
    path = tmp_path / "digit.BIN"
    path.write_bytes(nmnist_bytes([(5, 200, 7, True)]))
    assert find_format(path).name == "nmnist"


@pytest.mark.parametrize("suffix", [suffix for format in FORMATS.values() for suffix in format.suffixes])
def test_a_wrong_suffix_is_refused(tmp_path, suffix):
    path = tmp_path / f"picture{suffix}"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9)
    with pytest.raises(InputError, match=r"picture\.\w+: "):
        es.read(path)


@pytest.mark.parametrize(
    ("content", "suffix", "format", "complaint"),
    [
        (b"", ".raw", None, "file: expected a recording, got 0 bytes"),
        (b"\0\1", "", None, r"suffix: expected one of a known format, or .* such as .raw .*, got ''"),
        (b"\0\1", ".jpg", None, r"got '.jpg'"),
        (b"\0\1", ".raw", None, "format: expected evt2, evt2.1 or evt3 to be named, as no header says which"),
        (b"#!AER-DAT3.0\r\n", ".aedat", None, r"expected AEDAT of version 2.0, 3.1 or 4, got '#!AER-DAT3.0'"),
        (evt3_bytes([]), ".raw", "dat", "format: expected evt3, which the file says it is, got dat"),
        (
            evt3_bytes([]),
            ".raw",
            "evt4",
            r"format: expected one of evt3, .* got 'evt4' \(did you mean 'evt3'",
        ),
    ],
)
def test_what_cannot_be_told(tmp_path, content, suffix, format, complaint):
    path = tmp_path / f"file{suffix}"
    path.write_bytes(content)
    with pytest.raises(InputError, match=complaint) as told:
        es.open(path, format)
    assert str(told.value).startswith(f"{path}: ")


def test_a_named_format_needs_no_header(tmp_path):
    path = tmp_path / "bare.raw"
    path.write_bytes(evt3_bytes([0x8000, 0x6003, 0x0007, 0x2805], header=b""))
    events = es.read(path, "evt3", es.Sensor(name="64x48", width=64, height=48))
    assert (events.t[0], events.x[0], events.y[0], events.p[0]) == (3, 5, 7, True)


def test_what_is_missing_or_a_folder_is_the_systems_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        es.read(tmp_path / "nothing.raw")
    with pytest.raises(IsADirectoryError):
        es.read(tmp_path)


def test_formats_that_can_be_written(tmp_path):
    for name in ("evt3", "evt2", "dat", "aedat4", "es", "csv", "hdf5", "npz"):
        assert format_to_write(tmp_path / "any", name).name == name
    with pytest.raises(InputError, match=r"suffix: expected one to write to, such as .raw .* got '.npy'"):
        format_to_write(tmp_path / "out.npy", None)
    with pytest.raises(InputError, match=r"format: expected one of evt3, .* got 'nmnist'"):
        format_to_write(tmp_path / "out.bin", "nmnist")
