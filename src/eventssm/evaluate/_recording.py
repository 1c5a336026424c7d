"""One recording of any length, read in pieces of few shapes that carry the state on."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float32

from eventssm import _checks
from eventssm.events import Events
from eventssm.model import Classifier

PIECE = 1 << 16
_LEAST = 1 << 10


class Reading(NamedTuple):
    """Logits after each prediction's last event, and those at the end of the recording."""

    logits: Float32[np.ndarray, "prediction class"]
    final: Float32[np.ndarray, " class"]


def read_recording(model: Classifier, events: Events, *, piece: int = PIECE) -> Reading:
    """What `model` says of a recording, in constant memory: `piece` events at a time.

    Without a prediction (fewer events than one takes) the final logits are the decoder's bias.
    """
    channels = model.config.channels
    given = events.sensor.channels
    _checks.check(given == channels, "sensor", f"one of {channels} channels, as the model", given)
    channel, gaps = events.channel, events.gaps_ms()
    state, rows = model.init_state(), [np.zeros((0, model.config.classes), np.float32)]
    for start in range(0, len(events), piece):
        count = min(piece, len(events) - start)
        size = _padded(count, piece)
        padded = np.zeros(size, np.int32), np.zeros(size, np.float32)
        for column, part in zip(padded, (channel, gaps), strict=True):
            column[:count] = part[start : start + count]
        found, state = model.advance(*padded, state, count)
        rows.append(np.asarray(found.logits, np.float32)[: int(found.count)])
    logits = np.concatenate(rows)
    return Reading(logits, logits[-1] if len(logits) else np.asarray(model.decoder.bias, np.float32))


def _padded(count: int, piece: int) -> int:
    """The next power of two, so that files of many lengths need few programs."""
    return min(piece, max(_LEAST, 1 << (count - 1).bit_length()))
