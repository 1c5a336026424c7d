"""Over which times the states of a model remember, and swing."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from eventssm.model import Classifier


@dataclass(frozen=True)
class TimeScales:
    """Of one layer's states, in the unit of its gaps: milliseconds, or steps with `time="uniform"`."""

    name: str
    constants: Float64[np.ndarray, " decaying"]
    """`1 / (-Re Λ δ)`: the time in which a state falls to 1/e; of the states that decay."""
    periods: Float64[np.ndarray, " swinging"]
    """`2π / (|Im Λ| δ)`; of the states that swing."""
    states: int


def time_scales(model: Classifier) -> tuple[TimeScales, ...]:
    """The time scales of every layer, first to last, named by stage and block."""
    found = []
    for number, block in enumerate(model.stack.blocks):
        rate = np.asarray(block.layer.delta, np.float64)
        spectrum = np.asarray(block.layer.spectrum(), np.complex128)
        decay, frequency = -spectrum.real * rate, np.abs(spectrum.imag) * rate
        stage, place = divmod(number, model.config.blocks_per_stage)
        name = f"stage {stage + 1}, block {place + 1}"
        constants, periods = 1 / decay[decay > 0], 2 * np.pi / frequency[frequency > 0]
        found.append(TimeScales(name, constants, periods, len(rate)))
    return tuple(found)
