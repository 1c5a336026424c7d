"""Text with one event a line: columns `t,x,y,p` or `t,channel`, in any order where a header names them.

Times are whole microseconds: seconds with a point are refused, not guessed at. Columns are separated by
commas, semicolons, tabs or spaces. A header may carry the size of the sensor, as in `t,x@640,y@480,on` or
`t,channel@700`; files written here do.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.files._format import Columns, Source
from eventssm.files._sensors import camera, cochlea

_AT_ONCE = 1 << 16
_ALIASES = {"timestamp": "t", "time": "t", "ts": "t", "on": "p", "polarity": "p", "pol": "p"}
_WORDS = {"true": 1, "false": 0, "on": 1, "off": 0}
_LONGEST = 4096
_MARK = b"\xef\xbb\xbf"
_BLOCK = 1 << 20
_DIGITS = 18
_CAMERA, _OTHER = ["t", "x", "y", "p"], ["t", "channel"]


def read_csv(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens a text file; without a header its columns are `t,x,y,p`, or `t,channel` if they are two."""
    with path.open("rb") as file:
        first = file.readline(_LONGEST).removeprefix(_MARK).decode("latin-1").strip()
    first = first.lstrip("#").strip() or first
    separator = next((mark for mark in (",", ";", "\t") if mark in first), None)
    words = [word.strip() for word in first.split(separator)] or [""]
    if re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", words[0]):
        _checks.check(len(words) in (2, 4), "line 1", "t,x,y,p or t,channel", repr(first[:80]))
        names = _CAMERA if len(words) == 4 else _OTHER
        sizes: dict[str, int] = {}
        skip = 0
    else:
        names, sizes = _header(words)
        skip = 1
    wanted = _OTHER if "channel" in names else _CAMERA
    missing = [name for name in wanted if name not in names]
    _checks.check(not missing, "line 1", f"columns {', '.join(wanted)}", repr(first[:80]))
    named: Sensor | None = None
    if "channel" in sizes:
        named = cochlea(sizes["channel"])
    elif "x" in sizes and "y" in sizes:
        named = camera(sizes["x"], sizes["y"])
    usecols = {name: names.index(name) for name in wanted}
    return Source(named, partial(_pieces, path, skip, separator, usecols, len(names)))


def write_csv(path: Path, sensor: Sensor, pieces: Iterator[Events]) -> None:
    """Writes a header with the sensor's size and a line for every event."""
    camera_header, other_header = f"t,x@{sensor.width},y@{sensor.height},on", f"t,channel@{sensor.channels}"
    names = _CAMERA if sensor.is_camera else _OTHER
    with path.open("w", newline="\n") as file:
        file.write(f"{camera_header if sensor.is_camera else other_header}\n")
        for events in pieces:
            for start in range(0, len(events), _AT_ONCE):
                part = events[start : start + _AT_ONCE]
                rows = np.stack([getattr(part, name).astype(np.int64) for name in names], axis=1)
                line = f"{','.join(['%d'] * len(names))}\n"
                file.write(line * len(part) % tuple(rows.ravel().tolist()))


def _header(words: list[str]) -> tuple[list[str], dict[str, int]]:
    names: list[str] = []
    sizes: dict[str, int] = {}
    for word in words:
        name, _, size = word.strip("#\"' ").lower().partition("@")
        name = _ALIASES.get(name, name)
        names.append(name)
        if re.fullmatch(r"\d{1,9}", size):
            sizes[name] = int(size)
    return names, sizes


def _pieces(
    path: Path, skip: int, separator: str | None, columns: dict[str, int], width: int
) -> Iterator[Columns]:
    number = 1 + skip
    with path.open("rb") as file:
        for _ in range(skip):
            file.readline(_LONGEST)
        while block := file.read(_BLOCK):
            if not block.endswith(b"\n"):
                block += file.readline(_LONGEST)
            if number == 1:
                block = block.removeprefix(_MARK)
            rows = _plain(block, separator, width)
            if rows is None:
                rows, lines = _careful(block, number, separator, columns, width)
            else:
                rows, lines = rows[:, list(columns.values())], number + np.arange(len(rows))
            number += block.count(b"\n")
            yield dict(zip(columns, rows.T, strict=True)) | {"line": lines}


def _plain(block: bytes, separator: str | None, width: int) -> np.ndarray | None:
    """All numbers of lines that hold nothing but digits between separators; None where one holds more."""
    mark = (separator or " ").encode()
    lines = block.replace(b"\r\n", b"\n")
    text = np.frombuffer(lines, np.uint8)
    breaks = np.flatnonzero((text < ord("0")) | (text > ord("9")))
    fields = np.frombuffer(mark * (width - 1) + b"\n", np.uint8)
    whole = len(breaks) % width == 0 and (text[breaks].reshape(-1, width) == fields).all()
    sizes = np.diff(breaks, prepend=-1) - 1
    if not (whole and lines.endswith(b"\n") and sizes.min() > 0 and sizes.max() <= _DIGITS):
        return None
    return np.fromstring(lines.translate(bytes.maketrans(mark + b"\n", b"  ")), np.int64, sep=" ").reshape(
        -1, width
    )


def _careful(
    block: bytes, number: int, separator: str | None, columns: dict[str, int], width: int
) -> tuple[np.ndarray, np.ndarray]:
    """The wanted numbers of every line that is not empty, and the line's own, which start at `number`."""
    rows, lines = [], []
    for line in block.decode("latin-1").split("\n"):
        _checks.check(len(line) < _LONGEST, f"line {number}", f"fewer than {_LONGEST} characters", len(line))
        words = line.strip().split(separator)
        if line.strip():
            _checks.check(len(words) == width, f"line {number}", f"{width} columns", repr(line.strip()[:80]))
            rows.append(_row(number, words, columns))
            lines.append(number)
        number += 1
    return np.array(rows, np.int64).reshape(-1, len(columns)), np.array(lines, np.int64)


def _row(number: int, words: list[str], columns: dict[str, int]) -> list[int]:
    """A line's numbers, also where they are written as 12.0 or, for p, as a word."""
    row = []
    for name, at in columns.items():
        word = words[at].strip().strip("\"'")
        whole = re.fullmatch(r"([-+]?\d{1,18})(\.0*)?", word)
        if name == "p" and word.lower() in _WORDS:
            row.append(_WORDS[word.lower()])
        elif whole is not None:
            row.append(int(whole[1]))
        else:
            wanted = "t in whole microseconds" if name == "t" else f"a whole number as {name}"
            _checks.refuse(f"line {number}", wanted, repr(word[:40]))
    return row
