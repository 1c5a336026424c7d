"""The published code's model configuration in the words of this package."""

from collections.abc import Mapping
from typing import Any

from eventssm import _checks
from eventssm.model import HeadMode, ModelConfig
from eventssm.ssm import PoolingMode

_RENAMED = {
    "num_embeddings": "channels",
    "num_classes": "classes",
    "d_model": "d_model",
    "d_ssm": "d_state",
    "ssm_block_size": "block_size",
    "num_stages": "stages",
    "num_layers_per_stage": "blocks_per_stage",
    "pooling_stride": "stride",
    "state_expansion_factor": "expansion",
    "conj_sym": "conjugate",
    "discretization": "discretization",
    "dropout": "dropout",
    "bn_momentum": "batch_momentum",
    "dt_min": "dt_min",
    "dt_max": "dt_max",
    "C_init": "c_init",
}
_POOLING: dict[str, PoolingMode] = {"avgpool": "mean", "timepool": "time", "last": "last"}
_HEAD: dict[str, HeadMode] = {"pool": "mean", "timepool": "time", "last": "last"}
_NEEDED = (
    "num_embeddings",
    "num_classes",
    "d_model",
    "d_ssm",
    "ssm_block_size",
    "num_stages",
    "discretization",
)
_DEFAULTS = {
    "pooling_mode": "last",
    "classification_mode": "pool",
    "prenorm": False,
    "batchnorm": False,
    "bn_momentum": 0.9,
    "pooling_stride": 1,
    "state_expansion_factor": 1,
    "conj_sym": True,
    "clip_eigs": False,
    "dropout": 0.0,
}


def model_config(config: Mapping[str, Any]) -> ModelConfig:
    """The `ModelConfig` of a published configuration, in the published conventions.

    For this package's conventions on the same parameters: `dataclasses.replace(..., read_out="last")`.
    """
    _refuse_misspelt(config)
    for key in _NEEDED:
        _checks.check(key in config, "config", f"a key {key!r}", f"keys {', '.join(config)}")
    values = {**_DEFAULTS, **config}
    _checks.check_choice(values["pooling_mode"], _POOLING, "pooling_mode")
    _checks.check_choice(values["classification_mode"], _HEAD, "classification_mode")
    return ModelConfig(
        **{ours: values[theirs] for theirs, ours in _RENAMED.items() if theirs in values},
        pooling=_POOLING[values["pooling_mode"]],
        head=_HEAD[values["classification_mode"]],
        norm="batch" if values["batchnorm"] else "layer",
        norm_order="pre" if values["prenorm"] else "post",
        spectrum="clipped" if values["clip_eigs"] else "free",
        read_out="first",
    )


def _refuse_misspelt(config: Mapping[str, Any]) -> None:
    """Other keys may stand beside the model's (a seed, a note), but none like a missing one of these."""
    known = {*_RENAMED, *_DEFAULTS}
    for key in sorted(set(config) - known):
        _checks.check_not_like(key, sorted(known - set(config)), "config")
