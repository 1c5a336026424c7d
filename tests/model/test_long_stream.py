"""A million events, whole and one at a time, in float32."""

import jax
import numpy as np
import pytest

from eventssm import Classifier, presets
from tests.support import recording, stepped


@pytest.mark.optimised
def test_a_million_events_agree(rng):
    model = Classifier(presets["shd-tiny"], key=jax.random.key(1))
    channels, gaps = recording(rng, 1_000_000, 700)
    whole = model.anytime(channels, gaps)
    logits, ready, _ = stepped(model, channels, gaps)
    want, got = np.asarray(whole.logits[: int(whole.count)]), np.asarray(logits)[np.asarray(ready)]
    assert want.shape == got.shape == (31250, 20)
    assert np.abs(got - want).max() <= 1e-4 * (want.max() - want.min())
