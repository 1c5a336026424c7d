"""What a training run is made of, as checked records; `configs/*.toml` hold whole ones."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from eventssm import _checks
from eventssm.model import ModelConfig
from eventssm.train._augment import AugmentConfig

Precision = Literal["float32", "bfloat16"]
SelectionSplit = Literal["validation", "none"]


@dataclass(frozen=True, kw_only=True)
class DataConfig:
    """Which recordings are learnt from. Where they lie on this machine is not part of a run."""

    name: str
    """digits, audiomnist, n-mnist, shd, ssc, dvs128-gesture or folder:PATH."""
    sensor: str | None = None
    """WIDTHxHEIGHT or a number of channels, for a folder of files that do not name their sensor."""
    downsample: int = 1
    """Make so many neighbouring channels one, or as many columns and rows of pixels."""

    def __post_init__(self) -> None:
        _checks.check(bool(self.name), "name", "a data set", repr(self.name))
        _checks.check_size(self.downsample, "downsample")


@dataclass(frozen=True, kw_only=True)
class BatchesConfig:
    """How recordings become batches."""

    size: int = 32
    """Recordings in a batch."""
    accumulation: int = 1
    """Batches whose gradients make one update."""
    buckets: int = 4
    """Different lengths of batches, each of which is a program to compile."""
    slice_events: int | None = None
    """Train on slices of so many events; evaluation always sees whole recordings."""
    overlap: int = 0
    """Events that neighbouring slices share."""
    evaluation_events: int = 1 << 19
    """Most events, with padding, of a batch in evaluation; of one recording at least."""
    workers: int = 0
    """Processes that make batches; 0: a thread."""
    ahead: int = 2
    """Batches made ahead of use, by each process."""

    def __post_init__(self) -> None:
        for name in ("size", "accumulation", "buckets", "evaluation_events", "ahead"):
            _checks.check_size(getattr(self, name), name)
        for name in ("overlap", "workers"):
            _checks.check_size(getattr(self, name), name, least=0)
        if self.slice_events is not None:
            _checks.check_size(self.slice_events, "slice_events")
            _checks.check(
                self.overlap < self.slice_events,
                "overlap",
                f"fewer events than slice_events = {self.slice_events}",
                self.overlap,
            )


@dataclass(frozen=True, kw_only=True)
class OptimizerConfig:
    """AdamW in two groups: `ssm` is B and Λ of every layer, `rest` everything else, log δ too.

    The rate of `ssm` is `base_lr` x size of a batch x accumulation, that of `rest` is `lr_factor` times it.
    """

    base_lr: float = 1.7e-5
    """Learning rate for each recording of an update."""
    lr_factor: float = 10.0
    """What the rate of everything but B and Λ is multiplied by."""
    weight_decay_ssm: float = 0.0
    weight_decay: float = 0.03
    decay_log_delta: bool = True
    """Weight decay on log δ too, as in the published code; it pulls δ towards 1 per millisecond."""
    b1: float = 0.9
    b2: float = 0.999
    epsilon: float = 1e-8
    clip_norm: float | None = None
    """Most that the norm of all gradients together may be; longer ones are shortened to it."""
    label_smoothing: float = 0.0
    """Share of every target that is spread evenly over all classes."""

    def __post_init__(self) -> None:
        for name in ("base_lr", "lr_factor", "epsilon"):
            check_number(getattr(self, name), name, 0.0, math.inf, open_below=True)
        for name in ("weight_decay_ssm", "weight_decay"):
            check_number(getattr(self, name), name, 0.0, math.inf)
        for name in ("b1", "b2", "label_smoothing"):
            check_number(getattr(self, name), name, 0.0, 1.0)
        if self.clip_norm is not None:
            check_number(self.clip_norm, "clip_norm", 0.0, math.inf, open_below=True)


@dataclass(frozen=True, kw_only=True)
class ScheduleConfig:
    """The learning rate over a run: up in a straight line, then down to zero along a cosine."""

    warm_up_epochs: float = 1.0
    """Epochs in which the rate rises."""

    def __post_init__(self) -> None:
        check_number(self.warm_up_epochs, "warm_up_epochs", 0.0, math.inf)


@dataclass(frozen=True, kw_only=True)
class SelectionConfig:
    """Which epoch's model is the run's best: by accuracy, of equal ones by loss."""

    split: SelectionSplit = "validation"
    """`none`: the last epoch's, for data without a validation split."""
    patience: int | None = None
    """Stop after so many epochs without a better one."""

    def __post_init__(self) -> None:
        _checks.check_choice(self.split, get_args(SelectionSplit), "split")
        if self.patience is not None:
            _checks.check_size(self.patience, "patience")
            _checks.check(
                self.split != "none", "patience", "a split to select on, other than none", self.patience
            )


@dataclass(frozen=True, kw_only=True)
class CheckpointConfig:
    """When a run is saved, beside the end of every epoch and when it is told to stop."""

    every_steps: int | None = None
    """Save in the middle of an epoch too, every so many batches."""

    def __post_init__(self) -> None:
        if self.every_steps is not None:
            _checks.check_size(self.every_steps, "every_steps")


@dataclass(frozen=True, kw_only=True)
class TrackingConfig:
    """Where progress is written, beside `metrics.jsonl`."""

    tensorboard: bool = False
    """Write TensorBoard's files to the run's folder `tensorboard`."""
    wandb: str | None = None
    """Name of the Weights & Biases project to report to."""


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """A whole training run.

    The model's `channels` and `classes` are those of the data, whatever stands here: `resolved` puts them in.
    """

    data: DataConfig
    model: ModelConfig
    batches: BatchesConfig = field(default_factory=BatchesConfig)
    augment: AugmentConfig = field(default_factory=AugmentConfig)
    optimizer: OptimizerConfig = field(default_factory=OptimizerConfig)
    schedule: ScheduleConfig = field(default_factory=ScheduleConfig)
    selection: SelectionConfig = field(default_factory=SelectionConfig)
    checkpoints: CheckpointConfig = field(default_factory=CheckpointConfig)
    tracking: TrackingConfig = field(default_factory=TrackingConfig)
    epochs: int = 30
    """Times that every recording is seen."""
    seed: int = 0
    """What all chance of the run comes from: starting values, order, augmentation, dropout."""
    precision: Precision = "float32"
    """Type of the dense products."""
    report_test_selected: bool = False
    """Print, beside the clean number, the best epoch on the TEST split: the field's habit, and biased."""

    def __post_init__(self) -> None:
        _checks.check_size(self.epochs, "epochs")
        _checks.check_size(self.seed, "seed", least=0)
        _checks.check(self.seed < 2**32, "seed", "a seed below 2^32", self.seed)
        _checks.check_choice(self.precision, get_args(Precision), "precision")
        _checks.check(
            self.precision == "float32",
            "precision",
            "'float32' (bfloat16 is not in the model yet)",
            repr(self.precision),
        )
        check_number(self.schedule.warm_up_epochs, "schedule.warm_up_epochs", 0.0, float(self.epochs))


def check_number(value: Any, name: str, least: float, most: float, *, open_below: bool = False) -> None:
    """Refuse what is not a number in `least <= value <= most`, or `least < value` with `open_below`."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    ok = number and bool(least < value if open_below else least <= value) and bool(value <= most)
    ok = ok and math.isfinite(value)
    below = f"{least:g} {'<' if open_below else '<='} {name}"
    _checks.check(ok, name, f"{below} < inf" if math.isinf(most) else f"{below} <= {most:g}", repr(value))
