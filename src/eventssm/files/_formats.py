"""All formats, and how a file's own is found: by its content, then by its suffix."""

import re
from collections.abc import Iterable
from pathlib import Path

from eventssm import _checks
from eventssm.files._aedat2 import read_aedat2
from eventssm.files._aedat3 import read_aedat3
from eventssm.files._aedat4 import read_aedat4
from eventssm.files._csv import read_csv, write_csv
from eventssm.files._dat import read_dat
from eventssm.files._evt2 import read_evt2, read_evt21
from eventssm.files._evt3 import read_evt3
from eventssm.files._faery import read_es, writer
from eventssm.files._format import Format
from eventssm.files._hdf5 import read_hdf5, write_hdf5
from eventssm.files._nmnist import read_nmnist
from eventssm.files._numpy import read_npy, read_npz, write_npz

FORMATS = {
    format.name: format
    for format in (
        Format("evt3", (".raw", ".evt3"), read_evt3, writer("evt", "evt3")),
        Format("evt2", (".evt2",), read_evt2, writer("evt", "evt2")),
        Format("evt2.1", (".evt21",), read_evt21),
        Format("dat", (".dat",), read_dat, writer("dat", "dat2")),
        Format("aedat4", (".aedat4", ".aedat"), read_aedat4, writer("aedat")),
        Format("aedat3", (), read_aedat3),
        Format("aedat2", (), read_aedat2),
        Format("es", (".es",), read_es, writer("es")),
        Format("csv", (".csv", ".txt"), read_csv, write_csv),
        Format("hdf5", (".h5", ".hdf5"), read_hdf5, write_hdf5),
        Format("npz", (".npz",), read_npz, write_npz),
        Format("npy", (".npy",), read_npy),
        Format("nmnist", (".bin",), read_nmnist),
    )
}

_HEAD = 4096
_MAGIC = {
    b"\x89HDF\r\n\x1a\n": "hdf5",
    b"\x93NUMPY": "npy",
    b"PK\x03\x04": "npz",
    b"PK\x05\x06": "npz",
    b"Event Stream": "es",
    b"#!AER-DAT4": "aedat4",
    b"#!AER-DAT3.1": "aedat3",
    b"#!AER-DAT2": "aedat2",
}
_PROPHESEE = (
    (rb"% (evt 3\.0|format EVT3)", "evt3"),
    (rb"% (evt 2\.1|format EVT21)", "evt2.1"),
    (rb"% (evt 2\.0|format EVT2\b)", "evt2"),
    (rb"% (Version [12]\b|Data file containing)", "dat"),
)


def find_format(path: Path, name: str | None = None) -> Format:
    """The format of a file; `name`, where given, must not contradict its content."""
    if name is not None:
        _checks.check_choice(name, FORMATS, "format")
    with path.open("rb") as file:
        head = file.read(_HEAD)
    _checks.check(bool(head), "file", "a recording", "0 bytes")
    seen = _by_content(head)
    if name is not None:
        _checks.check(seen in (None, name, "csv"), "format", f"{seen}, which the file says it is", name)
        return FORMATS[name]
    if seen is None:
        seen = _by_suffix(path, "one of a known format, or a format to be named,", FORMATS)
        named = seen not in ("evt2", "evt3", "evt2.1")
        _checks.check(named, "format", "evt2, evt2.1 or evt3 to be named, as no header says which", "none")
    return FORMATS[seen]


def format_to_write(path: Path, name: str | None) -> Format:
    """The format to write to `path`: the named one, or that of its suffix."""
    writable = [format.name for format in FORMATS.values() if format.writer]
    if name is None:
        name = _by_suffix(path, "one to write to,", writable)
    _checks.check_choice(name, writable, "format")
    return FORMATS[name]


def _by_content(head: bytes) -> str | None:
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            return name
    _checks.check(
        not head.startswith(b"#!AER-DAT"), "format", "AEDAT of version 2.0, 3.1 or 4", repr(head[:12])[1:]
    )
    if head.startswith(b"%"):
        lines = head.splitlines()
        return next((name for words, name in _PROPHESEE for line in lines if re.match(words, line)), None)
    printable = all(32 <= byte < 127 or byte in b"\t\r\n" for byte in head)
    return "csv" if printable else None


def _by_suffix(path: Path, expected: str, among: Iterable[str]) -> str:
    suffix = path.suffix.lower()
    formats = [FORMATS[name] for name in among]
    for format in formats:
        if suffix in format.suffixes:
            return format.name
    known = " ".join(suffix for format in formats for suffix in format.suffixes)
    _checks.refuse("suffix", f"{expected} such as {known}", repr(suffix))
