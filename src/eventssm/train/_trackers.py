"""TensorBoard and Weights & Biases, where a run asks for them."""

import importlib
from dataclasses import asdict
from typing import Any

from eventssm import _checks
from eventssm.train._config import TrackingConfig
from eventssm.train._records import to_record
from eventssm.train._run import Run
from eventssm.train._watchers import EpochRecord, Outline, Pace, StepRecord, Watcher

TENSORBOARD = "tensorboard"
_OF_STEPS = ("loss", "accuracy", "rate")


def trackers(config: TrackingConfig) -> list[Watcher]:
    """Those that a run asks for; refuses one that is not installed."""
    asked: list[Watcher] = []
    if config.tensorboard:
        asked.append(TensorBoard())
    if config.wandb is not None:
        asked.append(WeightsAndBiases(config.wandb))
    return asked


class TensorBoard(Watcher):
    """Scalars in the run's folder `tensorboard`; a resumed run takes back what came after its checkpoint."""

    def __init__(self) -> None:
        self._module = _imported("tensorboardX", "tracking.tensorboard")
        self._writer: Any = None

    def begin(self, run: Run, outline: Outline) -> None:
        """Open the writer."""
        folder = str(run.folder / TENSORBOARD)
        self._writer = self._module.SummaryWriter(
            folder, purge_step=outline.step + 1 if outline.step else None
        )

    def step(self, record: StepRecord, pace: Pace) -> None:
        """Scalars `step/...`."""
        for name, value in _scalars("step", record).items():
            self._writer.add_scalar(name, value, record.step)

    def epoch(self, record: EpochRecord) -> None:
        """Scalars `epoch/...`, at the step that ended it."""
        for name, value in _scalars("epoch", record).items():
            self._writer.add_scalar(name, value, record.step)
        self._writer.flush()

    def close(self) -> None:
        """Write what is left."""
        if self._writer is not None:
            self._writer.close()


class WeightsAndBiases(Watcher):
    """A run of a project there, which goes by the name of the run's folder and goes on when it is resumed."""

    def __init__(self, project: str) -> None:
        self._module, self._project = _imported("wandb", "tracking.wandb"), project
        self._run: Any = None

    def begin(self, run: Run, outline: Outline) -> None:
        """Open the run."""
        name = run.folder.resolve().name
        self._run = self._module.init(
            project=self._project,
            name=name,
            id=run.facts["id"],
            resume="allow",
            dir=str(run.folder),
            config=to_record(run.config),
        )

    def step(self, record: StepRecord, pace: Pace) -> None:
        """Values `step/...`."""
        self._run.log(_scalars("step", record), step=record.step)

    def epoch(self, record: EpochRecord) -> None:
        """Values `epoch/...`, at the step that ended it."""
        self._run.log(_scalars("epoch", record), step=record.step)

    def close(self) -> None:
        """Send what is left."""
        if self._run is not None:
            self._run.finish()


def _imported(module: str, option: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        _checks.refuse(option, f"{module}, as `pip install 'eventssm[tracking]'` installs it", "none")


def _scalars(prefix: str, record: StepRecord | EpochRecord) -> dict[str, float]:
    names = _OF_STEPS if isinstance(record, StepRecord) else None
    return {
        f"{prefix}/{name}": float(value)
        for name, value in asdict(record).items()
        if value is not None and (names is None or name in names)
    }
