"""What a figure of a recording shows."""

import numpy as np
import pytest

from eventssm import Events, InputError, Sensor
from eventssm.plots import new_figure, plot_events_per_class, plot_recording, save
from eventssm.plots._rate import draw_rate
from tests.files.samples import CAMERA, COCHLEA, random_events


class Pieces:
    """A recording in memory, in pieces of 100, that counts how often it is gone through."""

    def __init__(self, events: Events) -> None:
        self.events, self.passes = events, 0

    @property
    def sensor(self) -> Sensor:
        return self.events.sensor

    def pieces(self):
        self.passes += 1
        return (self.events[start : start + 100] for start in range(0, len(self.events), 100))


def busy() -> Events:
    """A quiet second with a burst of ON events at x 5, y 6 in its middle."""
    t = np.sort(np.concatenate([np.linspace(0, 1_000_000, 50), np.linspace(500_000, 501_000, 400)])).astype(
        int
    )
    burst = (t >= 500_000) & (t <= 501_000)
    return Events(CAMERA, t=t, x=np.where(burst, 5, 1), y=np.where(burst, 6, 1), p=burst)


def test_a_camera_is_shown_at_its_busiest():
    recording = Pieces(busy())
    figure = plot_recording(recording, "walk")
    surface, rate = figure.axes[:2]
    image = surface.images[0].get_array()
    assert image.shape == (48, 64) and image[6, 5] > 0.9
    at = rate.lines[0].get_xdata()[0]
    assert 0.5 <= at <= 0.503 and f"at {at:.4g} s" in surface.get_title(loc="left")
    assert figure.get_suptitle() == "walk" and recording.passes == 2


def test_a_camera_at_a_moment():
    figure = plot_recording(Pieces(busy()), "walk", at_ms=900.0, decay_ms=100.0)
    image = figure.axes[0].images[0].get_array()
    assert image[6, 5] == pytest.approx(np.exp(-3.99), rel=1e-3)
    assert image[1, 1] < -0.8, "the background's pixel was OFF just now"


def test_the_rate_is_all_events_over_the_seconds():
    events = random_events(count=5000)
    for axes, names in ((plot_recording(Pieces(events), "a").axes[1], 2),):
        stairs = axes.patches
        assert len(stairs) == names
        values, edges, _ = stairs[-1].get_data()
        assert np.sum(values * np.diff(edges)) == pytest.approx(5000)
        assert edges[-1] >= events.duration / 1e6


def test_a_cochlea_has_a_row_for_each_channel():
    events = random_events(COCHLEA, count=3000)
    raster, rate = plot_recording(Pieces(events), "word").axes[:2]
    cells = raster.images[0].get_array()
    assert cells.shape[0] == 700 and cells.sum() == 3000
    assert np.array_equal(cells.sum(axis=1), np.bincount(events.channel, minlength=700))
    assert raster.images[0].origin == "lower" and rate.get_xlim()[1] >= events.duration / 1e6


def test_very_many_channels_share_rows():
    sensor = Sensor(name="many", channels=1_000_000)
    events = Events(sensor, t=[0, 1, 2], channel=[0, 999, 999_999])
    cells = plot_recording(Pieces(events), "many").axes[0].images[0].get_array()
    assert cells.shape[0] <= 1024 and cells.sum() == 3


@pytest.mark.parametrize(("sensor", "count"), [(CAMERA, 0), (CAMERA, 1), (COCHLEA, 0), (COCHLEA, 1)])
def test_nearly_nothing_is_drawn_too(tmp_path, sensor, count):
    save(plot_recording(Pieces(random_events(sensor)[:count]), "little"), tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"at_ms": -1.0}, "at_ms: expected a time >= 0, got -1"),
        ({"at_ms": float("nan")}, "at_ms: expected a time >= 0, got nan"),
        ({"decay_ms": 0.0}, "decay_ms: expected a time above 0, got 0"),
        ({"decay_ms": float("nan")}, "decay_ms: expected a time above 0, got nan"),
    ],
)
def test_moments_that_are_none(options, complaint):
    with pytest.raises(InputError, match=complaint):
        plot_recording(Pieces(busy()), "walk", **options)


def test_events_per_class():
    lengths, labels = np.array([10, 20, 30, 100]), np.array([0, 0, 0, 2])
    axes = plot_events_per_class(lengths, labels, ["one", "none", "two"], "title").axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["two", "none", "one"]
    dots = [line.get_xdata() for line in axes.lines if line.get_marker() == "."]
    assert [list(found) for found in dots] == [[10, 20, 30], [], [100]]
    boxes = [(patch.get_x(), patch.get_width()) for patch in axes.patches]
    assert boxes == [(15, 10), (100, 0)]


def test_a_picture_is_written_whole_or_not_at_all(tmp_path):
    figure = new_figure(2.0, 2.0)
    with pytest.raises(InputError, match=r"suffix: expected '.png', got '.svg'"):
        save(figure, tmp_path / "a.svg")
    figure.savefig = lambda *_, **__: [][1]
    with pytest.raises(IndexError):
        save(figure, tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_rates_have_short_names():
    from eventssm.plots import TimeCounts

    counts = TimeCounts()
    counts.add(np.sort(np.random.default_rng(0).integers(0, 1000, 5000)))
    axes = new_figure(2.0, 2.0).subplots()
    draw_rate(axes, counts)
    names = [axes.yaxis.get_major_formatter()(value, 0) for value in (0.0, 950.0, 2000.0, 3.5e6, 2e9)]
    assert names == ["0", "950", "2 k", "3.5 M", "2 G"]
