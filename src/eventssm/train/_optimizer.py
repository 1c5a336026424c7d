"""AdamW in two groups, with a learning rate that warms up and then falls along a cosine."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax.typing import ArrayLike
from jaxtyping import Array, Float

from eventssm.model import Classifier, trainable
from eventssm.ssm import StateSpaceLayer
from eventssm.train._config import OptimizerConfig


@dataclass(frozen=True)
class Group:
    """How a parameter is learnt: what its rate is multiplied by, and its weight decay."""

    factor: float
    weight_decay: float


def learning_rate(update: ArrayLike, peak: float, warm_up: int, updates: int) -> Float[Array, "*update"]:
    """The rate of an update, counted from 0, out of `updates`.

    `peak (u + 1) / w` while `u < w = warm_up`, then `peak (1 + cos(π (u - w) / (updates - w))) / 2`: no
    update has the rate 0, and the one after the last would.
    """
    u = jnp.asarray(update, jnp.float32)
    rising = (u + 1) / max(warm_up, 1)
    falling = (1 + jnp.cos(jnp.pi * (u - warm_up) / max(updates - warm_up, 1))) / 2
    return peak * jnp.where(u < warm_up, rising, falling)


def groups(model: Classifier, config: OptimizerConfig) -> Classifier:
    """A tree like `model` with a `Group` for every leaf: B and Λ of every layer, or all others."""
    rest = Group(config.lr_factor, config.weight_decay)
    ssm = Group(1.0, config.weight_decay_ssm)
    log_delta = rest if config.decay_log_delta else Group(config.lr_factor, 0.0)

    def of_layer(layer: StateSpaceLayer) -> StateSpaceLayer:
        return jax.tree_util.tree_map_with_path(
            lambda path, _: {"spectrum": ssm, "B": ssm, "log_delta": log_delta}.get(path[0].name, rest), layer
        )

    def is_layer(node: object) -> bool:
        return isinstance(node, StateSpaceLayer)

    return jax.tree.map(lambda node: of_layer(node) if is_layer(node) else rest, model, is_leaf=is_layer)


def create_optimizer(
    model: Classifier, config: OptimizerConfig, peak: float, warm_up: int, updates: int
) -> optax.GradientTransformation:
    """`p -= rate(update) factor (adam(gradient) + weight_decay p)`, with factor and decay of p's group.

    `peak` is the highest rate of the group with factor 1; gradients may be shortened first to `clip_norm`.
    """
    first = [] if config.clip_norm is None else [optax.clip_by_global_norm(config.clip_norm)]
    return _promoting(
        optax.chain(
            *first,
            optax.scale_by_adam(config.b1, config.b2, config.epsilon),
            _by_group(groups(model, config)),
            optax.scale_by_learning_rate(lambda update: learning_rate(update, peak, warm_up, updates)),
        )
    )


def _promoting(optimizer: optax.GradientTransformation) -> optax.GradientTransformation:
    """With JAX's usual promotion of types, which optax counts on, whatever the caller has chosen."""

    def update(updates: Any, state: Any, params: Any = None) -> tuple[Any, Any]:
        with jax.numpy_dtype_promotion("standard"):
            changes, after = optimizer.update(updates, state, params)
        return changes, after

    return optax.GradientTransformation(optimizer.init, update)


def _by_group(tree: Classifier) -> optax.GradientTransformation:
    def update(updates: optax.Updates, params: optax.Params | None) -> optax.Updates:
        return jax.tree.map(_in_group, tree, updates, params)

    return optax.stateless(update)


def _in_group(group: Group, change: Array | None, value: Array | None) -> Array | None:
    """Both are None where nothing is learnt."""
    if change is None or value is None:
        return None
    return group.factor * (change + group.weight_decay * value)


def parameters(model: Classifier) -> Classifier:
    """The model with None where nothing is learnt: batch norm's running averages."""
    return jax.tree.map(lambda leaf, learnt: leaf if learnt else None, model, trainable(model))
