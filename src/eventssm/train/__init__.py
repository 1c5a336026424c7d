"""Training: configurations, the step, runs and their folders.

`eventssm.train` is this package, and `eventssm.train(config)` calls its function `train`.
"""

import sys
from types import ModuleType
from typing import Any

from eventssm.train._augment import AugmentConfig as AugmentConfig
from eventssm.train._config import BatchesConfig as BatchesConfig
from eventssm.train._config import CheckpointConfig as CheckpointConfig
from eventssm.train._config import DataConfig as DataConfig
from eventssm.train._config import OptimizerConfig as OptimizerConfig
from eventssm.train._config import RunConfig as RunConfig
from eventssm.train._config import ScheduleConfig as ScheduleConfig
from eventssm.train._config import SelectionConfig as SelectionConfig
from eventssm.train._config import TrackingConfig as TrackingConfig
from eventssm.train._loop import initial_model as initial_model
from eventssm.train._optimizer import create_optimizer as create_optimizer
from eventssm.train._presets import config_toml as config_toml
from eventssm.train._presets import load_config as load_config
from eventssm.train._presets import preset_names as preset_names
from eventssm.train._progress import Progress as Progress
from eventssm.train._run import Run as Run
from eventssm.train._run import open_run as open_run
from eventssm.train._step import StepResult as StepResult
from eventssm.train._step import TrainState as TrainState
from eventssm.train._step import batch_loss as batch_loss
from eventssm.train._step import cross_entropy as cross_entropy
from eventssm.train._step import init_state as init_state
from eventssm.train._step import make_step as make_step
from eventssm.train._train import new_folder as new_folder
from eventssm.train._train import resume as resume
from eventssm.train._train import train as train
from eventssm.train._watchers import EpochRecord as EpochRecord
from eventssm.train._watchers import Outline as Outline
from eventssm.train._watchers import Pace as Pace
from eventssm.train._watchers import StepRecord as StepRecord
from eventssm.train._watchers import Watcher as Watcher


class _Package(ModuleType):
    """The package, which is called as its function `train` is: `es.train(config)`."""

    def __call__(self, *args: Any, **options: Any) -> Run:
        return train(*args, **options)


sys.modules[__name__].__class__ = _Package
