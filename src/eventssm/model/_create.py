"""Blocks with random parameters, as a configuration says."""

import jax
from jax.typing import DTypeLike
from jaxtyping import PRNGKeyArray

from eventssm.model._config import ModelConfig
from eventssm.ssm import BatchNorm, Block, LayerNorm, Linear, Pooling, StateSpaceLayer


def create_blocks(config: ModelConfig, key: PRNGKeyArray, dtype: DTypeLike) -> tuple[Block, ...]:
    """All blocks of all stages; the first of each stage pools."""
    blocks = []
    keys = iter(jax.random.split(key, config.stages * config.blocks_per_stage))
    for d_in, d_out, d_state in config.stage_shapes():
        for position in range(config.blocks_per_stage):
            stride, width = (config.stride, d_in) if position == 0 else (1, d_out)
            blocks.append(_create_block(config, width, d_out, d_state, stride, next(keys), dtype))
    return tuple(blocks)


def _create_block(
    config: ModelConfig, d_in: int, d_out: int, d_state: int, stride: int, key: PRNGKeyArray, dtype: DTypeLike
) -> Block:
    to_layer, to_gate, to_skip = jax.random.split(key, 3)
    normed = d_in if config.norm_order == "pre" else d_out
    return Block(
        norm=LayerNorm.create(normed, dtype)
        if config.norm == "layer"
        else BatchNorm.create(normed, config.batch_momentum, dtype),
        layer=StateSpaceLayer.create(
            d_in,
            d_out,
            d_state,
            Pooling(stride, config.pooling, config.read_out),
            to_layer,
            block_size=config.block_size,
            conjugate=config.conjugate,
            dt_min=config.dt_min,
            dt_max=config.dt_max,
            discretization=config.discretization,
            c_init=config.c_init,
            spectrum=config.spectrum,
            scan=config.scan,
            dtype=dtype,
        ),
        gate=Linear.create(d_out, d_out, to_gate, dtype),
        widen=None if d_in == d_out else Linear.create(d_in, d_out, to_skip, dtype),
        order=config.norm_order,
        dropout=config.dropout,
    )
