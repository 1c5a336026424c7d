"""Training: configurations, the step, runs and their folders."""

from eventssm.train._augment import AugmentConfig as AugmentConfig
from eventssm.train._config import BatchesConfig as BatchesConfig
from eventssm.train._config import CheckpointConfig as CheckpointConfig
from eventssm.train._config import DataConfig as DataConfig
from eventssm.train._config import OptimizerConfig as OptimizerConfig
from eventssm.train._config import RunConfig as RunConfig
from eventssm.train._config import ScheduleConfig as ScheduleConfig
from eventssm.train._config import SelectionConfig as SelectionConfig
from eventssm.train._config import TrackingConfig as TrackingConfig
from eventssm.train._run import Run as Run
from eventssm.train._run import open_run as open_run
from eventssm.train._step import StepResult as StepResult
from eventssm.train._step import TrainState as TrainState
from eventssm.train._step import batch_loss as batch_loss
from eventssm.train._step import cross_entropy as cross_entropy
from eventssm.train._step import init_state as init_state
from eventssm.train._step import make_step as make_step
