"""Memory in huge pages for the commands that compute.

XLA takes its working memory anew for every step, and the kernel hands it out page by page: with pages of
4 KiB that took a third of a training step's time. glibc's malloc asks for pages of 2 MiB when told so at the
start.
"""

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

SWITCH = "EVENTSSM_HUGE_PAGES"
_TUNABLES = "GLIBC_TUNABLES"
_STATE = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def start_again_with_huge_pages() -> None:
    """Start this command again, in this process, with malloc asking for huge pages.

    Does nothing where that would change nothing, where the environment already tunes malloc, and with
    `EVENTSSM_HUGE_PAGES=off`.
    """
    if useful(os.environ, _STATE, platform.libc_ver()):
        os.environ[_TUNABLES] = "glibc.malloc.hugetlb=1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def useful(environment: os._Environ[str] | dict[str, str], state: Path, libc: Sequence[str]) -> bool:
    """Whether malloc knows how to ask, the kernel listens, and nobody has decided otherwise."""
    if sys.platform != "linux" or _TUNABLES in environment or environment.get(SWITCH, "").lower() == "off":
        return False
    name, version = libc
    numbers = [int(part) for part in version.split(".") if part.isdigit()]
    return name == "glibc" and numbers >= [2, 35] and state.is_file() and "[madvise]" in state.read_text()
