"""Is what becomes of a damaged file right?"""

import re
from pathlib import Path

from eventssm import Events, InputError, Sensor
from eventssm.files import open_file

_CAMERA = Sensor(name="64x48", width=64, height=48)
_SENSOR_OF = {"npy": _CAMERA, "npz": _CAMERA}
_MOST_MB = 300
_LONGEST_LINE = 1000


class Judge:
    """Reads bytes as a file of a format, whole and in chunks, and says what came of it."""

    def __init__(self, folder: Path, format: str) -> None:
        self._path = folder / "damaged"
        self._format = format

    def __call__(self, data: bytes) -> str:
        """`read` or `refused`, or else what was wrong."""
        self._path.write_bytes(data)
        _memory_mb()
        before = _memory_mb()
        verdict = self._read(None)
        if verdict == "refused" and self._by_name() == "read":
            verdict = "read"
        grown = _memory_mb() - before
        return f"{grown:.0f} MB more" if grown > _MOST_MB else verdict

    def _by_name(self) -> str:
        """What comes of it when the format is named: a mark that is lost is no excuse."""
        return self._read(self._format)

    def _read(self, format: str | None) -> str:
        try:
            file = open_file(self._path, format, _SENSOR_OF.get(self._format), backwards="drop")
            whole = file.read()
        except InputError as refusal:
            line = str(refusal)
            one = "\n" not in line and str(self._path) in line and len(line) < _LONGEST_LINE
            return "refused" if one else f"refusal {line!r}"
        except Exception as problem:
            return f"{type(problem).__name__}: {problem}"
        try:
            pieces = list(file.chunks(events=7))
        except Exception as problem:
            return f"chunks: {type(problem).__name__}: {problem}"
        same = Events.join(file.sensor, pieces) == whole
        return "read" if same else "chunks are not the whole"


def _memory_mb() -> float:
    """This process's highest memory since this was last asked."""
    status = Path("/proc/self/status").read_text()
    Path("/proc/self/clear_refs").write_text("5")
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) / 1024
