"""What a classifier is made of, as one checked record."""

from dataclasses import dataclass
from typing import Literal, get_args

from eventssm import _checks
from eventssm.model._head import HeadMode
from eventssm.ssm import (
    Discretization,
    NormKind,
    NormOrder,
    OutputInit,
    PoolingMode,
    ReadOut,
    ScanMethod,
    SpectrumKind,
)

TimeUse = Literal["event", "uniform"]


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """A classifier's shape and conventions.

    Stage 0 is `d_model` wide with `d_state` states; each later stage is `expansion` times as wide as the
    one before, states too. The first block of every stage pools `stride` steps into one.
    """

    channels: int
    """Channels of the sensor: rows of the embedding."""
    classes: int
    d_model: int = 96
    d_state: int = 128
    """States of the full system; with `conjugate` half of them are kept."""
    block_size: int = 8
    """Size of the HiPPO blocks on the diagonal of the state matrix."""
    stages: int = 2
    blocks_per_stage: int = 3
    stride: int = 8
    expansion: int = 1
    conjugate: bool = False
    """Keep one of each conjugate pair of states."""
    discretization: Discretization = "async"
    time: TimeUse = "event"
    """`uniform`: every step of every layer has the gap 1, the ablation without event times."""
    pooling: PoolingMode = "mean"
    head: HeadMode = "mean"
    norm: NormKind = "layer"
    norm_order: NormOrder = "pre"
    batch_momentum: float = 0.95
    dropout: float = 0.0
    dt_min: float = 0.004
    dt_max: float = 0.1
    """δ starts log-uniform between `dt_min` and `dt_max`, per millisecond."""
    c_init: OutputInit = "lecun_normal"
    spectrum: SpectrumKind = "stable"
    """`free` and `clipped` hold Λ directly, for parameters of the published code."""
    read_out: ReadOut = "last"
    """The step of a group whose state is read; `first` reproduces the published code."""
    scan: ScanMethod = "auto"

    def __post_init__(self) -> None:
        for name in ("channels", "classes", "d_model", "d_state", "block_size", "stages"):
            _checks.check_size(getattr(self, name), name)
        for name in ("blocks_per_stage", "stride", "expansion"):
            _checks.check_size(getattr(self, name), name)
        for name, words in _CHOICES.items():
            _checks.check_choice(getattr(self, name), words, name)
        _checks.check(
            self.d_state % self.block_size == 0,
            "d_state",
            f"a multiple of block_size = {self.block_size}",
            self.d_state,
        )
        _checks.check(
            not self.conjugate or self.block_size % 2 == 0,
            "block_size",
            "an even number with conjugate",
            self.block_size,
        )
        _checks.check(0 <= self.dropout < 1, "dropout", "0 <= dropout < 1", self.dropout)
        _checks.check(
            0 <= self.batch_momentum <= 1, "batch_momentum", "0 <= batch_momentum <= 1", self.batch_momentum
        )
        _checks.check(
            0 < self.dt_min <= self.dt_max < float("inf"),
            "dt_min, dt_max",
            "0 < dt_min <= dt_max",
            f"{self.dt_min}, {self.dt_max}",
        )

    @property
    def events_per_prediction(self) -> int:
        """Events that make one step of the head."""
        return int(self.stride**self.stages)

    def stage_shapes(self) -> list[tuple[int, int, int]]:
        """Width in, width out and states of every stage."""
        widths = [self.d_model * self.expansion**stage for stage in range(self.stages)]
        states = [self.d_state * self.expansion**stage for stage in range(self.stages)]
        return list(zip([self.d_model, *widths], widths, states, strict=False))


_CHOICES: dict[str, tuple[str, ...]] = {
    "discretization": get_args(Discretization),
    "time": get_args(TimeUse),
    "pooling": get_args(PoolingMode),
    "head": get_args(HeadMode),
    "norm": get_args(NormKind),
    "norm_order": get_args(NormOrder),
    "c_init": get_args(OutputInit),
    "spectrum": get_args(SpectrumKind),
    "read_out": get_args(ReadOut),
    "scan": get_args(ScanMethod),
}
