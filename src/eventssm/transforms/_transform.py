"""What a transform is, and several in a row."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from eventssm import _checks
from eventssm.events import Events, Sensor
from eventssm.transforms._columns import sides


class Transform(ABC):
    """A change to recordings: `transform(events, rng)` returns another recording.

    It is pure: `events` is left as it is, and all chance comes from `rng`, so that a generator in the same
    state gives the same recording. What comes out is in the order of time, has no time before 0, and lies
    on the sensor that `transform.sensor(sensor)` says.
    """

    works_on: ClassVar[Literal["any", "camera", "cochlea"]] = "any"

    def __call__(self, events: Events, rng: np.random.Generator) -> Events:
        """The changed recording; refuses a sensor that this transform does not work on."""
        self.sensor(events.sensor)
        return self._change(events, rng)

    def sensor(self, sensor: Sensor) -> Sensor:
        """The sensor that events of `sensor` are of afterwards; refuses one that this does not work on."""
        with _checks.about(type(self).__name__):
            if self.works_on == "camera":
                sides(sensor)
            elif self.works_on == "cochlea":
                _checks.check(
                    not sensor.is_camera, f"sensor {sensor.name!r}", "a sensor without pixels", "a camera"
                )
        return sensor

    @abstractmethod
    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        """The changed recording, of a sensor that has been checked."""


@dataclass(frozen=True)
class Compose(Transform):
    """Transforms one after the other, each on what the one before gave; none is the identity."""

    transforms: Sequence[Transform]

    def __post_init__(self) -> None:
        several = isinstance(self.transforms, Sequence)
        _checks.check(several, "transforms", "a list of transforms", repr(self.transforms))
        for number, transform in enumerate(self.transforms):
            _checks.check(
                isinstance(transform, Transform), f"transforms[{number}]", "a transform", repr(transform)
            )
        object.__setattr__(self, "transforms", tuple(self.transforms))

    def sensor(self, sensor: Sensor) -> Sensor:
        """The sensor after the last transform; refuses one that any of them does not work on."""
        for transform in self.transforms:
            sensor = transform.sensor(sensor)
        return sensor

    def _change(self, events: Events, rng: np.random.Generator) -> Events:
        for transform in self.transforms:
            events = transform(events, rng)
        return events
