"""Sums over a recording, in pieces."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eventssm import Events, Sensor
from eventssm.files import Survey
from tests.files.samples import CAMERA, random_events


@given(st.lists(st.integers(0, 40), max_size=4))
def test_pieces_do_not_matter(cuts):
    events = random_events()
    edges = [0, *sorted(cuts), len(events)]
    survey = Survey(CAMERA)
    survey.add(events[start:stop] for start, stop in itertools.pairwise(edges))
    assert (survey.events, survey.on, survey.recordings) == (40, int(events.p.sum()), 1)
    assert (survey.first, survey.last, survey.duration) == (events.t[0], events.t[-1], events.duration)
    assert survey.longest_gap == np.diff(events.t).max()
    assert survey.rate == 40 * 1e6 / events.duration
    counts = np.bincount(events.channel, minlength=CAMERA.channels)
    assert survey.active == np.count_nonzero(counts)
    assert survey.busiest == (int(counts.argmax()), counts.max() / 40)


def test_several_recordings():
    survey = Survey(CAMERA)
    for seed in (1, 2):
        survey.add([random_events(seed=seed)])
    assert survey.recordings == 2 and survey.events == 80
    assert survey.duration == sum(random_events(seed=seed).duration for seed in (1, 2))


def test_nothing_and_too_many_channels_to_count():
    survey = Survey(CAMERA)
    survey.add([])
    assert (survey.first, survey.rate, survey.busiest, survey.active) == (None, None, None, 0)
    wide = Sensor(name="wide", channels=2**31 - 1)
    survey = Survey(wide)
    survey.add([Events(wide, t=[1, 2], channel=[0, 2**31 - 2])])
    assert (survey.busiest, survey.active, survey.events) == (None, None, 2)
