"""Time is int64 microseconds everywhere; only here does it become the model's float32 milliseconds."""

import numpy as np
from jaxtyping import Float32, Int64

MICROSECONDS_PER_MS = 1000.0


def gaps_ms(t: Int64[np.ndarray, " event"], previous: int | None = None) -> Float32[np.ndarray, " event"]:
    """The gap before each event in milliseconds: `gaps[m] = (t[m] - t[m-1]) / 1000`.

    The gap before the first event is zero, or `t[0] - previous` when the events go on from an earlier
    piece of the same stream whose last event was at `previous`. Differences are taken in whole
    microseconds, so that a gap is as exact at the end of a long recording as at its start.
    """
    start = t[:1] if previous is None else np.int64(previous)
    return (np.diff(t, prepend=start) / MICROSECONDS_PER_MS).astype(np.float32)
