"""What holds for every transform there is."""

import copy
import dataclasses
import inspect
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventssm import Events, InputError, Sensor, transforms
from eventssm.transforms import (
    ChannelJitter,
    ChannelShift,
    ChunkDrop,
    Compose,
    Crop,
    Downsample,
    EventDrop,
    Flip,
    Roll,
    Rotate,
    Scale,
    SpatialJitter,
    Thin,
    TimeJitter,
    TimeSkew,
    UniformNoise,
)
from tests.transforms.recordings import CAMERA, COCHLEA, SENSORS, assert_valid, columns, random_events

ANY = [
    TimeJitter(0.7),
    TimeJitter(5000.0),
    TimeSkew(1.2),
    TimeSkew(100.0),
    UniformNoise(20),
    EventDrop(0.1),
    EventDrop(1.0),
    ChunkDrop(0.02, 0.3),
    ChunkDrop(1.0),
    Crop(8),
    Crop(8, random=False),
    Thin(3),
    Thin(3, random=False),
    Downsample(5),
    Downsample(3, merge=False),
    Downsample(100_000),
    Compose(()),
]
COCHLEAS = [ChannelJitter(0.55), ChannelJitter(1e6), ChannelShift(10), ChannelShift(2**31 - 1)]
CAMERAS = [
    SpatialJitter(0.55),
    SpatialJitter(1e6),
    Roll(3),
    Roll(2**31 - 1, wrap=True),
    Roll(2**31 - 1),
    Rotate(10.0),
    Rotate(180.0, 0.5),
    Scale(1.2),
    Scale(100.0, 0.5),
    Flip(0.5, 0.5),
]
AUDIO_CHAIN = Compose([EventDrop(0.1), ChunkDrop(0.5), *COCHLEAS, TimeSkew(1.2), UniformNoise(9)])
CAMERA_CHAIN = Compose([*CAMERAS, Downsample(2), *CAMERAS, TimeJitter(4.0), Crop(20)])

IDENTITIES = [
    (TimeJitter(0.0), None),
    (TimeSkew(1.0), None),
    (UniformNoise(0), None),
    (EventDrop(0.0), None),
    (ChunkDrop(0.0), None),
    (ChunkDrop(1.0, 0.0), None),
    (Crop(1000), None),
    (Crop(1000, random=False), None),
    (Thin(1), None),
    (Downsample(1), None),
    (Downsample(1, merge=False), None),
    (Compose([]), None),
    (ChannelJitter(0.0), COCHLEA),
    (ChannelShift(0), COCHLEA),
    (SpatialJitter(0.0), CAMERA),
    (Roll(0), CAMERA),
    (Roll(0, wrap=True), CAMERA),
    (Roll(9, 0.0), CAMERA),
    (Rotate(0.0), CAMERA),
    (Rotate(90.0, 0.0), CAMERA),
    (Scale(1.0), CAMERA),
    (Scale(3.0, 0.0), CAMERA),
    (Flip(), CAMERA),
]


def sensors_of(transform: transforms.Transform) -> tuple[Sensor, ...]:
    """The sensors that a transform works on."""
    if transform in [*COCHLEAS, AUDIO_CHAIN]:
        return tuple(sensor for sensor in SENSORS if not sensor.is_camera)
    if transform in [*CAMERAS, CAMERA_CHAIN]:
        return tuple(sensor for sensor in SENSORS if sensor.is_camera)
    return SENSORS


def test_the_lists_above_have_every_transform():
    public = {
        value
        for value in vars(transforms).values()
        if inspect.isclass(value) and issubclass(value, transforms.Transform)
    }
    assert {type(one) for one in ANY + COCHLEAS + CAMERAS} == public - {transforms.Transform}
    assert {type(one) for one, _ in IDENTITIES} == public - {transforms.Transform}


@pytest.mark.parametrize("transform", [*ANY, *COCHLEAS, *CAMERAS, AUDIO_CHAIN, CAMERA_CHAIN], ids=repr)
@settings(max_examples=25)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_pure_and_valid(transform, data, seed):
    """In range, in order, never before 0, the input untouched, and the same for the same random state."""
    events = Events(**data.draw(columns(sensors_of(transform))))
    before = copy.deepcopy(events)
    rng = np.random.default_rng(seed)
    again = copy.deepcopy(rng)
    changed = transform(events, rng)
    assert_valid(changed)
    assert events == before
    assert_valid(events)
    assert changed.sensor == transform.sensor(events.sensor)
    assert transform(events, again) == changed
    assert rng.bit_generator.state == again.bit_generator.state


@pytest.mark.parametrize(("transform", "sensor"), IDENTITIES, ids=repr)
def test_no_strength_is_the_identity(transform, sensor):
    for one in (COCHLEA, CAMERA) if sensor is None else (sensor,):
        events = random_events(one, 300)
        assert transform(events, np.random.default_rng(1)) == events


@pytest.mark.parametrize("transform", [*ANY, *COCHLEAS, *CAMERAS], ids=repr)
def test_made_of_plain_numbers_that_cannot_change(transform):
    """So that a line of TOML can hold one, and a worker process can be sent one."""
    values = dataclasses.asdict(transform)
    if not isinstance(transform, Compose):
        assert all(type(value) in (bool, int, float) for value in values.values())
        assert type(transform)(**values) == transform
    assert pickle.loads(pickle.dumps(transform)) == transform and hash(transform) is not None
    with pytest.raises(dataclasses.FrozenInstanceError):
        transform.factor = 2


@pytest.mark.parametrize("transform", CAMERAS, ids=repr)
def test_cameras_only(transform, rng):
    message = f"{type(transform).__name__}: sensor 'cochlea': expected a camera, got a sensor without pixels"
    for call in (lambda: transform.sensor(COCHLEA), lambda: transform(random_events(COCHLEA, 3), rng)):
        with pytest.raises(InputError, match=message):
            call()


@pytest.mark.parametrize("transform", COCHLEAS, ids=repr)
def test_cochleas_only(transform, rng):
    message = f"{type(transform).__name__}: sensor 'camera': expected a sensor without pixels, got a camera"
    for call in (lambda: transform.sensor(CAMERA), lambda: transform(random_events(CAMERA, 3), rng)):
        with pytest.raises(InputError, match=message):
            call()


WRONG = [
    (TimeJitter, {"std_us": -1.0}, "std_us: expected 0 <= std_us <= 1e\\+09, got -1.0"),
    (TimeJitter, {"std_us": float("nan")}, "std_us: expected .* got nan"),
    (TimeJitter, {"std_us": float("inf")}, "std_us: expected .* got inf"),
    (TimeJitter, {"std_us": "5"}, "std_us: expected .* got '5'"),
    (TimeJitter, {"std_us": True}, "std_us: expected .* got True"),
    (TimeSkew, {"factor": 0.9}, "factor: expected 1 <= factor <= 100, got 0.9"),
    (TimeSkew, {"factor": float("nan")}, "factor: expected .* got nan"),
    (ChannelJitter, {"std": -0.5}, "std: expected 0 <= std <= 1e\\+06, got -0.5"),
    (ChannelJitter, {"std": float("nan")}, "std: expected .* got nan"),
    (SpatialJitter, {"std": float("nan")}, "std: expected .* got nan"),
    (ChannelShift, {"most": -1}, "most: expected a whole number >= 0, got -1"),
    (ChannelShift, {"most": 1.5}, "most: expected a whole number >= 0, got 1.5"),
    (ChannelShift, {"most": 2**31}, "most: expected at most 2147483647, got 2147483648"),
    (UniformNoise, {"most": -1}, "most: expected a whole number >= 0, got -1"),
    (Roll, {"most": float("nan")}, "most: expected a whole number >= 0, got nan"),
    (EventDrop, {"rate": 1.1}, "rate: expected 0 <= rate <= 1, got 1.1"),
    (EventDrop, {"rate": float("nan")}, "rate: expected .* got nan"),
    (ChunkDrop, {"share": 2.0}, "share: expected 0 <= share <= 1, got 2.0"),
    (Rotate, {"degrees": 181.0}, "degrees: expected 0 <= degrees <= 180, got 181.0"),
    (Rotate, {"degrees": float("nan")}, "degrees: expected .* got nan"),
    (Scale, {"factor": 0.0}, "factor: expected 1 <= factor <= 100, got 0.0"),
    (Flip, {"horizontal": 2.0}, "horizontal: expected 0 <= horizontal <= 1, got 2.0"),
    (Flip, {"vertical": -1.0}, "vertical: expected 0 <= vertical <= 1, got -1.0"),
    (Flip, {"polarity": float("nan")}, "polarity: expected 0 <= polarity <= 1, got nan"),
    (Crop, {"events": 0}, "events: expected a whole number >= 1, got 0"),
    (Thin, {"every": 0}, "every: expected a whole number >= 1, got 0"),
    (Downsample, {"factor": 0}, "factor: expected a whole number >= 1, got 0"),
    (Crop, {"events": 5, "random": "no"}, "random: expected true or false, got 'no'"),
    (Thin, {"every": 5, "random": 1}, "random: expected true or false, got 1"),
    (Downsample, {"factor": 5, "merge": None}, "merge: expected true or false, got None"),
    (Roll, {"most": 5, "wrap": "no"}, "wrap: expected true or false, got 'no'"),
    (Compose, {"transforms": EventDrop(0.1)}, "transforms: expected a list of transforms, got EventDrop"),
    (Compose, {"transforms": [EventDrop(0.1), 5]}, r"transforms\[1\]: expected a transform, got 5"),
]
CHANCES = [(ChunkDrop, "share", 0.1), (Roll, "most", 3), (Rotate, "degrees", 9.0), (Scale, "factor", 1.5)]


@pytest.mark.parametrize(("made", "values", "message"), WRONG)
def test_wrong_numbers(made, values, message, as_a_user):
    with pytest.raises(InputError, match=message):
        made(**values)


@pytest.mark.parametrize(("made", "name", "value"), CHANCES)
@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_wrong_probabilities(made, name, value, probability):
    with pytest.raises(InputError, match="probability: expected 0 <= probability <= 1, got "):
        made(**{name: value}, probability=probability)
