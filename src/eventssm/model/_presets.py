"""The published model sizes. Parameters are counted as (outside + inside the embedding)."""

from collections.abc import Mapping
from types import MappingProxyType

from eventssm.model._config import ModelConfig

_SHD = {"channels": 700, "classes": 20}
_SSC = {"channels": 700, "classes": 35}
_DVS = {"channels": 128 * 128 * 2, "classes": 11}

_DVS_SMALL = ModelConfig(
    **_DVS,
    d_model=128,
    d_state=128,
    block_size=16,
    stride=16,
    expansion=2,
    dropout=0.25,
    dt_min=0.001,
    pooling="time",
    head="time",
)

presets: Mapping[str, ModelConfig] = MappingProxyType(
    {
        "shd-tiny": ModelConfig(
            **_SHD, d_model=16, d_state=16, stages=1, blocks_per_stage=6, stride=32, dropout=0.1,
            pooling="time", head="time",
        ),
        "shd-medium": ModelConfig(**_SHD, d_model=96, d_state=128, dropout=0.23),
        "ssc-small": ModelConfig(
            **_SSC, d_model=64, d_state=64, stages=1, blocks_per_stage=6, conjugate=True, norm="batch",
            dropout=0.27, dt_min=0.002, pooling="time", head="time",
        ),
        "ssc-medium": ModelConfig(
            **_SSC, d_model=96, d_state=128, block_size=16, expansion=2, conjugate=True, norm="batch",
            dropout=0.23, dt_min=0.0015,
        ),
        "dvs-small": _DVS_SMALL,
    }
)
