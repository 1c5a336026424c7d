"""Pieces of any size, cut anew by number of events or by time."""

from collections.abc import Iterator

import numpy as np

from eventssm.events import Events, Sensor


def by_count(sensor: Sensor, pieces: Iterator[Events], events: int) -> Iterator[Events]:
    """Chunks of `events` events each; the last may have fewer."""
    waiting: list[Events] = []
    held = 0
    for piece in pieces:
        while held + len(piece) >= events:
            cut = events - held
            yield Events.join(sensor, [*waiting, piece[:cut]])
            piece, waiting, held = piece[cut:], [], 0
        if len(piece):
            waiting.append(piece)
            held += len(piece)
    if held:
        yield Events.join(sensor, waiting)


def by_time(sensor: Sensor, pieces: Iterator[Events], width: int) -> Iterator[Events]:
    """The events of each window of `width` microseconds, counted from the first event, that has any."""
    waiting: list[Events] = []
    start: int | None = None
    window = 0
    for piece in pieces:
        if not len(piece):
            continue
        start = int(piece.t[0]) if start is None else start
        windows = (piece.t - start) // width
        edges = np.flatnonzero(np.diff(windows)) + 1
        for first, last in zip([0, *edges], [*edges, len(piece)], strict=True):
            if windows[first] != window and waiting:
                yield Events.join(sensor, waiting)
                waiting = []
            window = int(windows[first])
            waiting.append(piece[int(first) : int(last)])
    if waiting:
        yield Events.join(sensor, waiting)
