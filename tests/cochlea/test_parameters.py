"""Which cochleas there can be."""

import dataclasses

import pytest

from eventssm import InputError
from eventssm.cochlea import BushyCell, Cochlea, HairCell, Membrane

pytestmark = pytest.mark.usefixtures("as_a_user")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cochlea(channels=0), "channels: expected a whole number >= 1, got 0"),
        (lambda: Cochlea(channels=1 << 40), "channels: expected at most 10000, got 1099511627776"),
        (lambda: Cochlea(rate=8000), "rate: expected 16000 to 384000 steps a second, got 8000"),
        (lambda: Cochlea(rate=48e3), "rate: expected a whole number >= 1, got 48000.0"),
        (lambda: Cochlea(rms=float("nan")), "rms: expected a finite number > 0, got nan"),
        (lambda: Cochlea(drive=0), "drive: expected a finite number > 0, got 0"),
        (lambda: Cochlea(ramp_ms=-1.0), "ramp_ms: expected a number of milliseconds >= 0, got -1.0"),
        (lambda: Cochlea(ramp_ms=float("nan")), "ramp_ms: expected a number of milliseconds >= 0, got nan"),
        (lambda: Cochlea(wave="forwards"), r"wave: expected one of published, forward, .*\(did you mean 'fo"),
        (lambda: Cochlea(membrane=HairCell()), "membrane: expected a Membrane, got HairCell"),
        (
            lambda: Cochlea(hair_cell=HairCell(recover=46e3)),
            "hair_cell: expected rates below 48000, one a step, got 48500.0",
        ),
        (lambda: Membrane(mass=0.0), "mass: expected a finite number > 0, got 0.0"),
        (lambda: Membrane(decay=float("inf")), "decay: expected a finite number > 0, got inf"),
        (lambda: HairCell(a=float("nan")), "a: expected a finite number > 0, got nan"),
        (lambda: HairCell(b="3000"), "b: expected a finite number > 0, got '3000'"),
        (lambda: BushyCell(fibres=0), "fibres: expected a whole number >= 1, got 0"),
        (lambda: BushyCell(fibres=251), "fibres: expected at most 250, got 251"),
        (lambda: BushyCell(rest_ms=1e9), "rest_ms: expected at most 100 ms, got 1000000000.0"),
        (lambda: BushyCell(weight=-0.2), "weight: expected a finite number > 0, got -0.2"),
    ],
)
def test_what_cannot_be_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_a_cochlea_is_a_value():
    assert Cochlea() == Cochlea() and hash(Cochlea()) == hash(Cochlea(channels=700))
    assert dataclasses.replace(Cochlea(), channels=70).sensor.channels == 70
