"""Data set files out of the archives that they are published in."""

import gzip
import shutil
import tarfile
import zipfile
import zlib
from pathlib import Path

from eventssm import _checks
from eventssm.files import replacing


def unpack_file(archive: Path, path: Path) -> Path:
    """The one file of a `.gz` or `.zip` archive, written to `path` whole or not at all."""
    if path.exists():
        return path
    with _checks.about(archive):
        try:
            if archive.suffix == ".gz":
                with gzip.open(archive) as source, replacing(path) as part, part.open("wb") as target:
                    shutil.copyfileobj(source, target, 1 << 20)
            else:
                _unzip(archive, path)
        except (EOFError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error) as problem:
            _checks.refuse("archive", "a whole archive", " ".join(str(problem).split()))
    return path


def unpack_folder(archive: Path, folder: Path) -> Path:
    """The one folder at the root of a tar archive, which becomes `folder` whole or not at all."""
    if folder.exists():
        return folder
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    with _checks.about(archive):
        try:
            with tarfile.open(archive) as source:
                source.extractall(part, filter="data")
        except (EOFError, tarfile.TarError, zlib.error, gzip.BadGzipFile) as problem:
            _checks.refuse("archive", "a whole archive", " ".join(str(problem).split()))
        roots = [path for path in part.iterdir() if path.is_dir()]
        _checks.check(len(roots) == 1, "archive", "one folder at its root", len(roots))
    roots[0].replace(folder)
    shutil.rmtree(part)
    return folder


def _unzip(archive: Path, path: Path) -> None:
    with zipfile.ZipFile(archive) as source:
        members = [name for name in source.namelist() if Path(name).name == path.name]
        _checks.check(len(members) == 1, "archive", f"one file {path.name}", len(members))
        with source.open(members[0]) as member, replacing(path) as part, part.open("wb") as target:
            shutil.copyfileobj(member, target, 1 << 20)
