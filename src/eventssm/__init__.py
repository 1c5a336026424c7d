"""Learning from event streams: deep state-space models that read every event at its own time.

Importing this package is light: what needs JAX is loaded when it is first named.
"""

import importlib
from typing import TYPE_CHECKING

from eventssm._checks import InputError as InputError
from eventssm.events import Events as Events
from eventssm.events import Sensor as Sensor
from eventssm.events import gaps_ms as gaps_ms
from eventssm.files import open_file
from eventssm.files import read as read
from eventssm.files import write as write

if TYPE_CHECKING:
    from eventssm import batching as batching
    from eventssm import cochlea as cochlea
    from eventssm import compat as compat
    from eventssm import datasets as datasets
    from eventssm import events as events
    from eventssm import files as files
    from eventssm import model as model
    from eventssm import ssm as ssm
    from eventssm import stream as stream
    from eventssm import train as train
    from eventssm import transforms as transforms
    from eventssm.evaluate import evaluate as evaluate
    from eventssm.model import Classifier as Classifier
    from eventssm.model import ModelConfig as ModelConfig
    from eventssm.model import presets as presets

open = open_file

_MODULES = (
    "batching",
    "cochlea",
    "compat",
    "datasets",
    "evaluate",
    "events",
    "files",
    "model",
    "ssm",
    "stream",
    "train",
    "transforms",
)
_HOMES = {"Classifier": "model", "ModelConfig": "model", "presets": "model"}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return importlib.import_module(f"eventssm.{name}")
    if name in _HOMES:
        return getattr(importlib.import_module(f"eventssm.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'eventssm' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_HOMES})
