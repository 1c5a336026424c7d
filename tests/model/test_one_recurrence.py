"""Whole sequence = pieces = single events, for every preset and every pooling, head and norm."""

import dataclasses
import itertools

import jax
import numpy as np
import pytest

from eventssm import Classifier, InputError, ModelConfig, presets
from tests.support import close, random_classifier, recording, stepped

TINY = ModelConfig(
    channels=11, classes=3, d_model=6, d_state=8, block_size=4, stride=3, blocks_per_stage=1, expansion=2
)
COMBINATIONS = list(
    itertools.product(("mean", "last", "time"), ("mean", "time", "last"), ("layer", "batch"), ("pre", "post"))
)


def check_drivers(model: Classifier, slots: int, rng: np.random.Generator, allowed: float) -> None:
    """Pieces of different lengths in equally many slots, so that each driver compiles once."""
    per_step = model.config.events_per_prediction
    lengths = (slots - 3, slots, 1, slots // 2)
    events = sum(lengths)
    channels, gaps = recording(rng, events, model.config.channels, model.embedding.dtype)
    whole = model.anytime(channels, gaps)
    count = int(whole.count)
    assert count == events // per_step > 1

    pieces, state, start = [], model.init_state(), 0
    for length in lengths:
        piece = (
            np.resize(channels[start : start + length], slots),
            np.resize(gaps[start : start + length], slots),
        )
        predictions, state = model.advance(*piece, state, length)
        pieces.append(np.asarray(predictions.logits)[: int(predictions.count)])
        start += length
    close(np.concatenate(pieces), np.asarray(whole.logits)[:count], allowed)

    logits, ready, _ = stepped(model, channels, gaps)
    assert np.flatnonzero(ready).tolist() == list(range(per_step - 1, events, per_step))
    close(np.asarray(logits)[np.asarray(ready)], np.asarray(whole.logits)[:count], allowed)


@pytest.mark.parametrize(("pooling", "head", "norm", "order"), COMBINATIONS)
def test_every_combination(pooling, head, norm, order, rng, float64):
    one_block = dataclasses.replace(TINY, stages=1, stride=4)
    config = dataclasses.replace(one_block, pooling=pooling, head=head, norm=norm, norm_order=order)
    model = random_classifier(config, float64)
    check_drivers(model, 16, rng, 1e-12)


@pytest.mark.parametrize("name", list(presets))
def test_every_preset(name, rng):
    model = Classifier(presets[name], key=jax.random.key(0))
    check_drivers(model, presets[name].events_per_prediction + 21, rng, 1e-4)


@pytest.mark.parametrize("discretization", ["async", "dirac", "zoh"])
def test_every_discretization_without_event_times(discretization, rng, float64):
    config = dataclasses.replace(
        TINY, discretization=discretization, time="uniform", pooling="time", head="time"
    )
    model = random_classifier(config, float64)
    check_drivers(model, 16, rng, 1e-12)

    channels, gaps = recording(rng, 40, 11, float64)
    close(model(channels, gaps), model(channels, gaps * 7 + 1), 0)


@pytest.mark.parametrize("time", ["event", "uniform"])
def test_a_stream_may_change_its_driver(time, rng, float64):
    model = random_classifier(dataclasses.replace(TINY, pooling="time", head="time", time=time), float64)
    channels, gaps = recording(rng, 40, 11, float64)
    _, state = model.advance(channels[:20], gaps[:20], model.init_state())
    _, _, state = stepped(model, channels[20:29], gaps[20:29], state)
    last, _ = model.advance(channels[20:], gaps[20:], state, 0)
    assert int(last.count) == 0
    logits, _, state = stepped(model, channels[29:38], gaps[29:38], state)
    close(logits[-1], model(channels, gaps, 38), 1e-12)
    close(state.head.weight, 4 * (1 + 1e-6) if time == "uniform" else gaps[:36].sum() + 4e-6, 1e-12)


@pytest.mark.parametrize("head", ["mean", "time", "last"])
def test_running_logits_are_those_of_the_events_so_far(head, rng, float64):
    model = random_classifier(dataclasses.replace(TINY, head=head), float64)
    channels, gaps = recording(rng, 40, 11, float64)
    running = np.asarray(model.anytime(channels, gaps).logits)
    for step in range(4):
        close(model(channels, gaps, 9 * (step + 1) + step), running[step], 1e-12)


@pytest.mark.parametrize("events", [0, 1])
def test_too_few_events_for_a_prediction_give_the_bias(events, rng):
    model = random_classifier(TINY)
    channels, gaps = recording(rng, events, 11)
    close(model(channels, gaps), model.decoder.bias, 0)
    assert int(model.anytime(channels, gaps).count) == 0
    predictions, state = model.advance(channels, gaps, model.init_state())
    assert int(predictions.count) == 0
    assert int(state.blocks[0].skip.count) == events % 3


def test_a_state_that_reads_the_first_step_of_a_group_does_not_go_on():
    model = random_classifier(dataclasses.replace(TINY, read_out="first"))
    with pytest.raises(InputError, match="read_out: expected 'last' for a state that goes on, got 'first'"):
        model.init_state()
