"""Files from the net: from several mirrors, resumed, and trusted only when their checksum is right."""

import hashlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from eventssm import _checks

DownloadProgress = Callable[[str, int, int | None], None]
"""Called with a file's name, its bytes that are there, and all of them where that is known."""

_AT_ONCE = 1 << 16
_TIMEOUT = 30.0
_PROBLEMS = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Remote:
    """A file that can be fetched."""

    name: str
    md5: str
    urls: tuple[str, ...]


def fetch(remote: Remote, folder: Path, progress: DownloadProgress | None = None) -> Path:
    """The file in `folder`, fetched if it is not there yet.

    It is written beside its place and moved there once its checksum is right, so that a file of that name
    is always whole. What an interrupted run left is gone on with.
    """
    path = folder / remote.name
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    problems = []
    for url in remote.urls:
        try:
            _transfer(url, part, remote.name, progress)
            found = md5_of(part)
            if found == remote.md5:
                part.replace(path)
                return path
            part.unlink()
            problems.append(f"{url}: checksum {found}")
        except _PROBLEMS as problem:
            problems.append(f"{url}: {_reason(problem)}")
    _checks.refuse(remote.name, f"a file of MD5 {remote.md5}", "; ".join(problems))


def md5_of(path: Path) -> str:
    """A file's MD5 in hexadecimal, which is what the publishers of these data sets state."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _transfer(url: str, part: Path, name: str, progress: DownloadProgress | None) -> None:
    """Append to `part` what is missing; start anew where the server cannot go on from its end."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "eventssm"})
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        answer = urllib.request.urlopen(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError as problem:
        if have and problem.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            return  # nothing is missing; the checksum decides
        raise
    with answer:
        goes_on = answer.status == http.HTTPStatus.PARTIAL_CONTENT and _starts_at(answer, have)
        have = have if goes_on else 0
        length = answer.headers.get("Content-Length", "")
        total = have + int(length) if length.isdigit() else None
        with part.open("ab" if goes_on else "wb") as file:
            while data := answer.read(_AT_ONCE):
                file.write(data)
                have += len(data)
                if progress is not None:
                    progress(name, have, total)
    if total is not None and have < total:
        raise OSError(f"the connection ended after {have:,} of {total:,} bytes")


def _starts_at(answer: http.client.HTTPResponse, start: int) -> bool:
    return (answer.headers.get("Content-Range") or "").startswith(f"bytes {start}-")


def _reason(problem: BaseException) -> str:
    return " ".join(str(problem).split()) or type(problem).__name__
