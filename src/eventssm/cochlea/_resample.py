"""Sound of one rate to sound of another, by a polyphase filter, in pieces."""

import math
from collections.abc import Iterable, Iterator
from typing import no_type_check

import numba
import numpy as np
from jaxtyping import Float64

_CROSSINGS = 16
_KAISER_BETA = 8.0


def lowpass(up: int, down: int) -> Float64[np.ndarray, " tap"]:
    """The filter, at `up` times the input's rate: a sinc in a Kaiser window, cut at half the lower rate."""
    widest = max(up, down)
    at = np.arange(-_CROSSINGS * widest, _CROSSINGS * widest + 1)
    taps = np.sinc(at / widest) * np.kaiser(len(at), _KAISER_BETA)
    return taps * (up / taps.sum())


def resampled(
    blocks: Iterable[Float64[np.ndarray, " _"]], rate: int, wanted: int
) -> Iterator[Float64[np.ndarray, " _"]]:
    """The same sound at the rate `wanted`: sample n is at the time `n / wanted`; as long, rounded up.

    What `scipy.signal.resample_poly` makes of the whole with the filter `lowpass`, however it is cut.
    """
    if rate == wanted:
        yield from blocks
        return
    shared = math.gcd(rate, wanted)
    up, down = wanted // shared, rate // shared
    taps = lowpass(up, down)
    half = len(taps) // 2
    reach = half // up + 1  # samples on either side that one output sees
    held, first, seen, made = np.zeros(reach), -reach, 0, 0
    for block in blocks:
        held = np.concatenate([held, block])
        seen += len(block)
        ready = max(made, ((seen - reach) * up) // down)
        yield _filter(held, first, taps, up, down, made, ready)
        made = ready
        keep = max(0, min(made * down // up - reach - first, len(held)))
        held, first = held[keep:], first + keep
    total = -(-seen * up // down)
    yield _filter(np.concatenate([held, np.zeros(reach + 1)]), first, taps, up, down, made, total)


@numba.njit(cache=True)
@no_type_check
def _filter(held, first, taps, up, down, start, stop):
    """Outputs `start` to `stop`; `held[0]` is sample `first` of the input."""
    half = len(taps) // 2
    out = np.empty(stop - start)
    for n in range(start, stop):
        centre = n * down  # at the rate `up` times the input's, where sample i is at i * up
        lowest = -((half - centre) // up)  # the first i with centre - i * up <= half
        highest = (centre + half) // up
        total = 0.0
        for i in range(lowest, highest + 1):
            total += taps[centre - i * up + half] * held[i - first]
        out[n - start] = total
    return out
