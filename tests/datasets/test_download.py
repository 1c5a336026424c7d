"""Fetching: from a server on this machine that behaves as badly as real ones."""

import hashlib
import http.server
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import ClassVar

import pytest

from eventssm import InputError
from eventssm.datasets import Remote, fetch

DATA = bytes(range(256)) * 5000
MD5 = hashlib.md5(DATA).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    """`/good` serves ranges, `/plain` does not, the others fail in their own ways."""

    protocol_version = "HTTP/1.1"
    requests: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.requests.append((self.path, wanted))
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        kind = self.path.strip("/")
        if kind == "missing":
            self.send_error(404)
        elif kind == "empty":  # as a firewall's challenge page answers
            self.answer(202, b"", {})
        elif kind == "wrong":
            self.answer(200, DATA[:-1] + b"x", {})
        elif wanted and kind != "plain" and start >= len(DATA):
            self.send_error(416)
        elif wanted and kind != "plain":
            ends = f"bytes {start}-{len(DATA) - 1}/{len(DATA)}"
            self.answer(206, DATA[start:], {"Content-Range": ends})
        elif kind == "cut":  # the connection ends early, the first time
            self.answer(200, DATA[:1000], {"Content-Length": str(len(DATA))})
            self.close_connection = True
        else:
            self.answer(200, DATA, {})

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        if self.path == "/slow":
            for at in range(0, len(body), 1 << 15):
                self.wfile.write(body[at : at + (1 << 15)])
                time.sleep(0.02)
        else:
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as served:
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{served.server_address[1]}"
        served.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def forget_requests() -> None:
    Handler.requests.clear()


def remote(server: str, *kinds: str) -> Remote:
    return Remote("file.bin", MD5, tuple(f"{server}/{kind}" for kind in kinds))


def test_fetches_once(server, tmp_path):
    seen: list[tuple[str, int, int | None]] = []
    path = fetch(remote(server, "good"), tmp_path / "new", lambda *one: seen.append(one))
    assert path.read_bytes() == DATA and seen[-1] == ("file.bin", len(DATA), len(DATA))
    assert [name.name for name in path.parent.iterdir()] == ["file.bin"]
    fetch(remote(server, "good"), tmp_path / "new")
    assert len(Handler.requests) == 1


@pytest.mark.parametrize(("kind", "begins"), [("good", True), ("plain", False)])
def test_goes_on_from_what_is_there(server, tmp_path, kind, begins):
    """Where the server can; from the start where it cannot."""
    (tmp_path / "file.bin.part").write_bytes(DATA[:70_000])
    assert fetch(remote(server, kind), tmp_path).read_bytes() == DATA
    assert Handler.requests == [(f"/{kind}", "bytes=70000-")]
    assert begins == (kind == "good")


def test_a_whole_part_is_only_checked(server, tmp_path):
    (tmp_path / "file.bin.part").write_bytes(DATA)
    assert fetch(remote(server, "good"), tmp_path).read_bytes() == DATA


def test_a_wrong_part_is_thrown_away(server, tmp_path):
    (tmp_path / "file.bin.part").write_bytes(b"x" * 100)
    assert fetch(remote(server, "good", "good"), tmp_path).read_bytes() == DATA


def test_the_next_mirror_is_asked(server, tmp_path):
    kinds = ("missing", "empty", "wrong", "cut", "good")
    assert fetch(remote(server, *kinds), tmp_path).read_bytes() == DATA
    assert Handler.requests[-1] == ("/good", "bytes=1000-")


def test_nothing_is_kept_that_has_the_wrong_checksum(server, tmp_path):
    with pytest.raises(InputError, match=rf"file.bin: expected a file of MD5 {MD5}, got http.*checksum \w+"):
        fetch(remote(server, "wrong"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_every_mirror_is_named_when_all_fail(server, tmp_path):
    closed = Remote("file.bin", MD5, (f"{server}/missing", "http://127.0.0.1:9/x", f"{server}/cut"))
    with pytest.raises(InputError) as wrong:
        fetch(closed, tmp_path)
    for part in ("404", "127.0.0.1:9", "the connection ended after 1,000 of 1,280,000 bytes"):
        assert part in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_a_kill_leaves_no_file_that_is_trusted(server, tmp_path):
    program = (
        "import sys; from pathlib import Path; from eventssm.datasets import Remote, fetch; "
        "fetch(Remote('file.bin', sys.argv[1], (sys.argv[2],)), Path(sys.argv[3]))"
    )
    kills = 0
    for _ in range(6):
        command = [sys.executable, "-c", program, MD5, f"{server}/slow", str(tmp_path)]
        with subprocess.Popen(command) as run:
            part, before = tmp_path / "file.bin.part", len(Handler.requests)
            while run.poll() is None and (len(Handler.requests) == before or not part.exists()):
                time.sleep(0.01)
            time.sleep(0.35)
            run.send_signal(signal.SIGKILL)
        if (tmp_path / "file.bin").exists():
            break
        kills += 1
    assert kills >= 1 and (tmp_path / "file.bin").read_bytes() == DATA
    assert any(wanted for _, wanted in Handler.requests)
