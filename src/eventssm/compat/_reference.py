"""What the published code returns for its own parameters, configuration and padded batch.

It differs from `Classifier` in these points alone, and every layer is shared:

- gaps: it pairs event m with the gap AFTER it. That is in the `timesteps` it is given, not in a layer.
- read-out: a group is read at its FIRST step (`read_out="first"`).
- padding: token -1 is the last embedding row, and every padded step counts as real for the blocks.
- head: `mean` divides by the number of whole groups, even by 0; `time` divides by the sum of all gaps,
  padding's and unfinished groups' included; `last` is the last padded step.
- Λ is a free parameter, clipped or not.
"""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import ArrayLike
from jaxtyping import Array, Float, Int

from eventssm import _checks
from eventssm.compat._config import model_config
from eventssm.compat._parameters import Parameters, dump_parameters, flat, load_parameters
from eventssm.model import HeadMode, ModelConfig, Stack, updated_norms
from eventssm.ssm import GAP_EPSILON, Moments, Steps, Training, real_steps

_BATCH_AXIS = "batch"


def reference_logits(
    params: Parameters,
    config: Mapping[str, Any],
    tokens: Int[ArrayLike, "batch step"],
    timesteps: Float[ArrayLike, "batch step"],
    lengths: Int[ArrayLike, " batch"],
) -> Float[Array, "batch class"]:
    """The published code's logits of one padded batch.

    `params` is its flat dict, with running averages under `batch_stats/`; `config` its model configuration,
    in its words. With `train` true in `config`, batch norm takes the batch's moments, as in training
    without dropout. Computes in JAX's default float type: float64 where `jax_enable_x64` is on.
    """
    return reference_forward(params, config, tokens, timesteps, lengths)[0]


def reference_forward(
    params: Parameters,
    config: Mapping[str, Any],
    tokens: Int[ArrayLike, "batch step"],
    timesteps: Float[ArrayLike, "batch step"],
    lengths: Int[ArrayLike, " batch"],
) -> tuple[Float[Array, "batch class"], dict[str, Array]]:
    """`reference_logits`, and the parameters with the running averages after the call."""
    train = bool(config.get("train", False))
    _checks.check(
        not (train and config.get("dropout", 0.0)),
        "dropout",
        "0 with train, as dropout's random bits cannot be reproduced",
        config.get("dropout"),
    )
    ours, rescale = model_config(config), float(config.get("step_rescale", 1.0))
    batch = jnp.asarray(tokens), jnp.asarray(timesteps), jnp.asarray(lengths)
    return _forward(flat(params), *batch, ours, train, rescale)


@partial(jax.jit, static_argnums=(4, 5, 6))
def _forward(
    params: dict[str, Array],
    tokens: Int[Array, "batch step"],
    timesteps: Float[Array, "batch step"],
    lengths: Int[Array, " batch"],
    config: ModelConfig,
    train: bool,
    rescale: float,
) -> tuple[Float[Array, "batch class"], dict[str, Array]]:
    dtype = jnp.result_type(float)
    model = load_parameters(params, config, dtype)
    stack = _rescaled(model.stack, rescale)

    def one(tokens: Array, timesteps: Array, length: Array) -> tuple[Array, tuple[Moments | None, ...]]:
        rows = model.embedding[jnp.where(tokens < 0, tokens + model.embedding.shape[0], tokens)]
        steps = Steps(rows, timesteps, jnp.asarray(tokens.shape[0], jnp.int32))
        training = Training(jax.random.key(0), _BATCH_AXIS) if train else None
        steps, _, moments = stack(steps, training=training)
        groups = length // config.events_per_prediction
        return model.decoder(_features(config.head, steps.values, steps.gaps, groups)), moments

    batched = jax.vmap(one, axis_name=_BATCH_AXIS, out_axes=(0, None))
    logits, moments = batched(tokens.astype(jnp.int32), timesteps.astype(dtype), lengths.astype(jnp.int32))
    return logits, dump_parameters(updated_norms(model, moments))


def _features(
    mode: HeadMode, values: Float[Array, "step width"], gaps: Float[Array, " step"], groups: Int[Array, ""]
) -> Float[Array, " width"]:
    real = real_steps(gaps.shape[0], groups).astype(values.dtype)
    if mode == "mean":
        return (real[:, None] * values).sum(0) / groups.astype(values.dtype)
    if mode == "time":
        weights = real * (gaps + GAP_EPSILON)
        return (weights[:, None] * values).sum(0) / gaps.sum()
    return values[-1]


def _rescaled(stack: Stack, factor: float) -> Stack:
    """δ times `factor` in every layer."""
    if factor == 1.0:
        return stack
    shift = math.log(factor)
    deltas = [block.layer.log_delta + shift for block in stack.blocks]
    return eqx.tree_at(lambda tree: [block.layer.log_delta for block in tree.blocks], stack, deltas)
