"""Writing recordings: a file appears whole or not at all."""

from collections.abc import Iterable
from pathlib import Path

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.files._atomic import replacing
from eventssm.files._formats import format_to_write


def write(events: Events, path: str | Path, format: str | None = None) -> None:
    """Writes a recording in the format that the suffix of `path` names, or in the one given."""
    write_pieces([events], events.sensor, path, format)


def write_pieces(
    pieces: Iterable[Events], sensor: Sensor, path: str | Path, format: str | None = None
) -> None:
    """Writes a recording that comes in pieces, in constant memory where the format allows it."""
    path = Path(path)
    _checks.check(path.parent.is_dir(), "folder", "one that exists", repr(str(path.parent)))
    with _checks.about(path):
        writer = format_to_write(path, format).writer
        assert writer is not None
        with replacing(path) as part:
            writer(part, sensor, iter(pieces))
