"""The lines of text at the start of a recording."""

import re
from pathlib import Path

from eventssm import _checks

_LONGEST = 1 << 20
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")


def header_lines(path: Path, mark: bytes, end: bytes | None = None) -> tuple[list[str], int]:
    """Lines that start with `mark`, without it, up to one that is `end`; and the offset of what follows.

    Lines end in a newline. A header over a mebibyte is refused. A line with control characters in it is none,
    but data that happens to start with the mark.
    """
    lines: list[str] = []
    with path.open("rb") as file:
        offset = 0
        while file.peek(1)[:1] == mark:
            line = file.readline(_LONGEST)
            if _CONTROL.search(line):
                break
            whole = line.endswith(b"\n") and offset + len(line) <= _LONGEST
            _checks.check(whole, f"header at byte {offset}", "lines that end", f"{len(line)} bytes without")
            offset += len(line)
            lines.append(line[1:].decode("latin-1").strip())
            if end is not None and line.startswith(end):
                break
    return lines, offset
