"""JAX's persistent cache of compiled programs, on for every command that computes."""

import os
from pathlib import Path

OFF = "EVENTSSM_COMPILATION_CACHE"


def use_compilation_cache() -> None:
    """Keep compiled programs in the user's cache, so that the next command need not compile them again.

    `EVENTSSM_COMPILATION_CACHE=off` turns it off; a folder there, or in JAX's `JAX_COMPILATION_CACHE_DIR`, is
    used instead. Where the folder cannot be written to, nothing is kept.
    """
    import jax

    given = os.environ.get(OFF, "")
    if given.lower() in ("off", "0", "no", "false") or os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        return
    folder = Path(given) if given else _default_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    if os.access(folder, os.W_OK):
        jax.config.update("jax_compilation_cache_dir", str(folder))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.5)


def _default_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "eventssm" / "compiled"
