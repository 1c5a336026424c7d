"""One recording in pieces against the whole of it."""

import numpy as np
import pytest

from eventssm import InputError, Sensor
from eventssm.evaluate import read_recording
from tests.datasets.small import events_of
from tests.evaluate.made import SENSOR, classifier


@pytest.mark.parametrize(
    ("length", "piece"), [(0, 100), (3, 100), (100, 100), (101, 100), (250, 100), (250, 1 << 16)]
)
def test_pieces_give_what_the_whole_gives(length, piece):
    model, events = classifier(), events_of(SENSOR, length, seed=length)
    reading = read_recording(model, events, piece=piece)
    whole = model.anytime(events.channel, events.gaps_ms())
    np.testing.assert_allclose(reading.logits, whole.logits[: int(whole.count)], rtol=2e-5, atol=2e-5)
    assert len(reading.logits) == length // 4
    np.testing.assert_allclose(reading.final, model(events.channel, events.gaps_ms()), rtol=2e-5, atol=2e-5)


def test_another_sensor_is_refused():
    events = events_of(Sensor(name="other", channels=9), 8, seed=0)
    with pytest.raises(InputError, match="sensor: expected one of 7 channels, as the model, got 9"):
        read_recording(classifier(), events)
