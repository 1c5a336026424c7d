"""The last event of every pixel."""

import numpy as np

from eventssm import Events, Sensor
from eventssm.plots import TimeSurface

SENSOR = Sensor(name="3x2", width=3, height=2)


def test_the_last_event_of_a_pixel_fades_with_its_age():
    surface = TimeSurface(SENSOR)
    surface.add(Events(SENSOR, t=[100, 200, 300], x=[0, 2, 2], y=[0, 1, 1], p=[1, 1, 0]))
    value = surface.at(300, 100.0)
    assert value.shape == (2, 3)
    assert np.allclose(value, [[np.exp(-2), 0, 0], [0, 0, -1]])
    surface.add(Events(SENSOR, t=[400], x=[2], y=[1], p=[1]))
    assert np.allclose(surface.at(400, 100.0), [[np.exp(-3), 0, 0], [0, 0, 1]])


def test_pixels_without_an_event_are_empty_even_in_a_long_decay():
    assert not TimeSurface(SENSOR).at(10**15, 1e18).any()
