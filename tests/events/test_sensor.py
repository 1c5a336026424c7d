"""One channel for every pixel and polarity, and what is no sensor."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import InputError, Sensor

SIDES = st.integers(1, 300)


@given(SIDES, SIDES, st.sampled_from([1, 2]))
def test_the_address_is_one_to_one_and_onto(width, height, polarities):
    sensor = Sensor(name="any", width=width, height=height, polarities=polarities)
    assert sensor.channels == width * height * polarities
    every = np.arange(sensor.channels, dtype=np.int32)
    x, y, p = sensor.coordinates(every)
    assert x.max() == width - 1 and y.max() == height - 1 and p.max() == (polarities == 2)
    assert np.array_equal(sensor.address(x, y, p), every)


def test_pixels_are_numbered_row_by_row_and_off_before_on():
    sensor = Sensor(name="small", width=4, height=3)
    x, y, p = np.array([0, 3, 0, 0, 3]), np.array([0, 0, 1, 0, 2]), np.array([0, 0, 0, 1, 1], np.bool_)
    assert sensor.address(x, y, p).tolist() == [0, 3, 4, 12, 23]


def test_a_large_camera_does_not_overflow():
    sensor = Sensor(name="imx636", width=1280, height=720)
    x, y, p = sensor.coordinates(np.array([sensor.channels - 1]))
    assert (x[0], y[0], p[0], x.dtype) == (1279, 719, True, np.uint16)
    assert sensor.address(x, y, p)[0] == 1280 * 720 * 2 - 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 4}, "height: expected a whole number >= 1, got None"),
        ({"width": 4, "height": 0}, "height: expected a whole number >= 1, got 0"),
        ({"width": 4, "height": 2.5}, "height: expected a whole number >= 1, got 2.5"),
        ({"width": 70_000, "height": 2}, "width: expected at most 65536, got 70000"),
        ({"width": 4, "height": 4, "polarities": 3}, "polarities: expected 1 or 2, got 3"),
        (
            {"width": 4, "height": 4, "channels": 5},
            "channels: expected 32 = width x height",
        ),
        ({"width": 65_536, "height": 65_536}, "channels: expected at most 2147483647, got 8589934592"),
        ({"polarities": 2, "channels": 5}, "polarities: expected none without width and height, got 2"),
        ({}, "channels: expected a whole number >= 1, got 0"),
        ({"channels": True}, "channels: expected a whole number >= 1, got True"),
    ],
)
def test_what_is_no_sensor(arguments, message, as_a_user):
    with pytest.raises(InputError, match=re.escape(message)):
        Sensor(name="odd", **arguments)


def test_a_cochlea_has_no_pixels():
    sensor = Sensor(name="cochlea", channels=700)
    assert not sensor.is_camera
    with pytest.raises(InputError, match="sensor 'cochlea': expected a camera, got a sensor without pixels"):
        sensor.coordinates(np.array([3]))


def test_a_channel_that_the_camera_does_not_have():
    sensor = Sensor(name="small", width=4, height=3)
    with pytest.raises(InputError, match=re.escape("channel[1]: expected 0 <= channel < 24, got 24")):
        sensor.coordinates(np.array([0, 24]))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([0], [0], [2]), r"p\[0\]: expected False or True, got 2"),
        (([0], [0], [-1]), r"p\[0\]: expected False or True, got -1"),
        (([1.5], [0], [0]), "x: expected an array of whole numbers, got float64"),
        (([0, 1], [0], [0]), "x, y, p: expected columns of one shape"),
    ],
)
def test_pixels_that_no_camera_has(as_a_user, columns, message):
    camera = Sensor(name="small", width=4, height=3)
    with pytest.raises(InputError, match=message):
        camera.address(*map(np.array, columns))
    with pytest.raises(InputError, match="channel: expected an array of whole numbers, got float64"):
        camera.coordinates(np.array([1.5]))
