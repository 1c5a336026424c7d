"""The published model sizes, and the paper's smaller one for cameras.

`docs/design/sizes.md` counts their parameters.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NoReturn

from eventssm import _checks
from eventssm.model._config import ModelConfig

_SHD_MEDIUM = ModelConfig(channels=700, classes=20, dropout=0.23)

_SHD_TINY = replace(
    _SHD_MEDIUM,
    d_model=16,
    d_state=16,
    stages=1,
    blocks_per_stage=6,
    stride=32,
    dropout=0.1,
    pooling="time",
    head="time",
)

_SSC_MEDIUM = ModelConfig(
    channels=700,
    classes=35,
    block_size=16,
    expansion=2,
    conjugate=True,
    norm="batch",
    dropout=0.23,
    dt_min=0.0015,
)

_SSC_SMALL = ModelConfig(
    channels=700,
    classes=35,
    d_model=64,
    d_state=64,
    stages=1,
    blocks_per_stage=6,
    conjugate=True,
    norm="batch",
    dropout=0.27,
    dt_min=0.002,
    pooling="time",
    head="time",
)

_DVS_SMALL = ModelConfig(
    channels=128 * 128 * 2,
    classes=11,
    d_model=128,
    block_size=16,
    stride=16,
    expansion=2,
    dropout=0.25,
    dt_min=0.001,
    pooling="time",
    head="time",
)


class _Named(dict[str, ModelConfig]):
    def __missing__(self, name: str) -> NoReturn:
        _checks.refuse_choice(name, list(self), "preset")


presets: Mapping[str, ModelConfig] = MappingProxyType(
    _Named(
        {
            "shd-tiny": _SHD_TINY,
            "shd-medium": _SHD_MEDIUM,
            "ssc-small": _SSC_SMALL,
            "ssc-medium": _SSC_MEDIUM,
            "dvs-small": _DVS_SMALL,
            "dvs-paper": replace(_DVS_SMALL, conjugate=True),
        }
    )
)
