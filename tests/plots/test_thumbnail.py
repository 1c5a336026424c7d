"""Small pictures of recordings."""

import io

import numpy as np
from matplotlib.image import imread

from eventssm import Events, Sensor
from eventssm.plots import png, thumbnail


def test_a_cochleas_first_channel_is_below():
    events = Events(Sensor(name="c", channels=10), t=[5, 100_005], channel=[0, 9])
    image = thumbnail(events)
    assert image.shape == (10, 240, 4) and (image[..., 3] > 0).sum() == 2
    assert image[9, 0, 3] > 0 and image[0, -2:, 3].any()


def test_a_cameras_pixels_keep_their_place_and_polarity():
    sensor = Sensor(name="5x4", width=5, height=4)
    events = Events(sensor, t=[0, 1, 2], x=[4, 4, 0], y=[1, 1, 3], p=[True, True, False])
    image = thumbnail(events)
    assert image.shape == (4, 5, 4) and (image[..., 3] > 0).sum() == 2
    assert image[1, 4, 0] > image[1, 4, 2] and image[3, 0, 2] > image[3, 0, 0]  # red is ON, blue is OFF
    assert image[1, 4, 3] == 255


def test_many_channels_and_many_events(rng):
    t, channel = np.sort(rng.integers(0, 10**6, 10**5)), rng.integers(0, 700, 10**5)
    events = Events(Sensor(name="c", channels=700), t=t, channel=channel)
    image = thumbnail(events)
    assert image.shape == (70, 240, 4) and (image[..., 3] > 0).mean() > 0.99


def test_nothing_and_simultaneous_events():
    sensor = Sensor(name="c", channels=3)
    assert thumbnail(Events(sensor, t=[], channel=np.zeros(0, int)))[..., 3].max() == 0
    assert (thumbnail(Events(sensor, t=[7, 7], channel=[1, 1]))[..., 3] > 0).sum() == 1


def test_the_png_holds_the_same_picture(rng):
    image = rng.integers(0, 255, (3, 4, 4)).astype(np.uint8)
    np.testing.assert_array_equal((imread(io.BytesIO(png(image))) * 255).round().astype(np.uint8), image)
