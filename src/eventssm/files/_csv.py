"""Text with one event a line: columns `t,x,y,p` or `t,channel`, in any order where a header names them.

Times are whole microseconds. A header may carry the size of the sensor, as in `t,x@640,y@480,on` or
`t,channel@700`; files written here do.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.files._format import Columns, Source
from eventssm.files._sensors import camera, cochlea

_AT_ONCE = 1 << 16
_ALIASES = {"timestamp": "t", "time": "t", "ts": "t", "on": "p", "polarity": "p", "pol": "p"}
_WORDS = {"true": 1, "false": 0, "on": 1, "off": 0}
_LONGEST = 4096
_CAMERA, _OTHER = ["t", "x", "y", "p"], ["t", "channel"]


def read_csv(path: Path, sensor: Sensor | None, index: int | None) -> Source:
    """Opens a text file; without a header its columns are `t,x,y,p`, or `t,channel` if they are two."""
    with path.open("rb") as file:
        first = file.readline(_LONGEST).decode("latin-1").strip()
    separator = next((mark for mark in (",", ";", "\t", " ") if mark in first), ",")
    words = [word.strip() for word in first.split(separator)]
    if re.fullmatch(r"[-+]?[\d.]+", words[0]):
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
            columns = [getattr(events, name).astype(np.int64) for name in names]
            np.savetxt(file, np.stack(columns, axis=1), fmt="%d", delimiter=",")


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


def _pieces(path: Path, skip: int, separator: str, columns: dict[str, int], width: int) -> Iterator[Columns]:
    with path.open("r", encoding="latin-1", newline=None) as file:
        numbered = enumerate(_lines(file), 1)
        for _ in range(skip):
            next(numbered, None)
        filled = ((number, text) for number, text in numbered if not text.isspace())
        while lines := list(islice(filled, _AT_ONCE)):
            yield _parsed(lines, separator, columns, width)


def _lines(file: TextIO) -> Iterator[str]:
    """Lines, none of which may be longer than one of events can be."""
    while line := file.readline(_LONGEST):
        _checks.check(
            len(line) < _LONGEST, "line", f"fewer than {_LONGEST} characters", f"{line[:20]!r} and more"
        )
        yield line


def _parsed(lines: list[tuple[int, str]], separator: str, columns: dict[str, int], width: int) -> Columns:
    """Columns of lines that belong to numbers in the file."""
    for number, text in lines:
        whole = text.count(separator) == width - 1
        _checks.check(whole, f"line {number}", f"{width} columns", repr(text.strip()[:80]))
    try:
        rows = np.loadtxt(
            (text for _, text in lines),
            dtype=np.int64,
            delimiter=separator,
            comments=None,
            usecols=tuple(columns.values()),
            ndmin=2,
        )
    except ValueError:
        rows = np.array([_row(number, text.split(separator), columns) for number, text in lines])
    return dict(zip(columns, rows.T, strict=True))


def _row(number: int, words: list[str], columns: dict[str, int]) -> list[int]:
    """A line's numbers, also where they are written as 12.0 or, for p, as a word."""
    row = []
    for name, at in columns.items():
        word = words[at].strip()
        if name == "p" and word.lower() in _WORDS:
            row.append(_WORDS[word.lower()])
        else:
            whole = re.fullmatch(r"([-+]?\d{1,18})(\.0*)?", word)
            if whole is None:
                _checks.refuse(f"line {number}", f"a whole number as {name}", repr(word[:40]))
            row.append(int(whole[1]))
    return row
