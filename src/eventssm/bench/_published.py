"""The published form of a classifier: what the fast one is measured against.

It takes the same parameters and conventions to the same logits, but as the published code goes about it: a
complex matrix product for every single event, `associative_scan` over all events and its derivative by JAX,
pooling afterwards. It is for recordings that fill whole groups, without padding.
"""

from collections.abc import Hashable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, PRNGKeyArray

from eventssm.model import Classifier
from eventssm.ssm import (
    GAP_EPSILON,
    BatchNorm,
    Block,
    Linear,
    Moments,
    Pooling,
    StateSpaceLayer,
    Steps,
    batch_moments,
    input_factor,
)

LAYER_EPSILON = 1e-6


class PublishedForm(Classifier):
    """The same model, slower."""

    @classmethod
    def of(cls, model: Classifier) -> "PublishedForm":
        """With the parameters of `model`."""
        form = cls.assemble(model.config, model.embedding, model.stack, model.decoder)
        assert isinstance(form, PublishedForm)
        return form

    def __call__(self, channels: Any, gaps: Any, length: Any = None) -> Array:
        """Logits of one recording."""
        return _published(self, channels, gaps, None, None)[0]

    def training_logits(
        self,
        channels: Any,
        gaps: Any,
        length: Any = None,
        *,
        key: PRNGKeyArray,
        batch_axis: Hashable | None = None,
    ) -> tuple[Array, tuple[Moments | None, ...]]:
        """Logits with dropout, and the moments that batch norm used."""
        return _published(self, channels, gaps, key, batch_axis)


def _published(
    model: Classifier, channels: Array, gaps: Array, key: PRNGKeyArray | None, axis: Hashable | None
) -> tuple[Array, tuple[Moments | None, ...]]:
    values, moments = model.embedding[channels], []
    for number, block in enumerate(model.stack.blocks):
        own = None if key is None else jax.random.fold_in(key, number)
        values, gaps, found = _block(block, values, gaps, own, axis)
        moments.append(found)
    weights = gaps + GAP_EPSILON if model.config.head == "time" else jnp.ones_like(gaps)
    features = (weights[:, None] * values).sum(0) / weights.sum()
    return _linear(model.decoder, features), tuple(moments)


def _block(
    block: Block, values: Array, gaps: Array, key: PRNGKeyArray | None, axis: Hashable | None
) -> tuple[Array, Array, Moments | None]:
    inner, moments = _norm(block, values, key is not None, axis)
    hidden = _layer(block.layer, inner, gaps)
    gated = hidden * jax.nn.sigmoid(_linear(block.gate, jax.nn.gelu(hidden)))
    if key is not None and block.dropout > 0:
        kept = jax.random.bernoulli(key, 1 - block.dropout, gated.shape[-1:])
        gated = jnp.where(kept, gated / (1 - block.dropout), jnp.zeros_like(gated))
    skip, gaps = _pooled(block.layer.pooling, values, gaps)
    return gated + (skip if block.widen is None else _linear(block.widen, skip)), gaps, moments


def _norm(block: Block, values: Array, training: bool, axis: Hashable | None) -> tuple[Array, Moments | None]:
    norm = block.norm
    if not isinstance(norm, BatchNorm):
        mean, variance = values.mean(-1, keepdims=True), values.var(-1, keepdims=True)
        return (values - mean) * lax.rsqrt(variance + LAYER_EPSILON) * norm.scale + norm.bias, None
    steps = Steps(values, values[:, 0], jnp.asarray(len(values), jnp.int32))
    moments = batch_moments(steps, axis) if training else None
    return norm(values, moments), moments


def _layer(layer: StateSpaceLayer, inner: Array, gaps: Array) -> Array:
    eigenvalues, delta = layer.spectrum(), layer.delta
    factor = input_factor("async", eigenvalues, delta, jnp.ones((), delta.dtype))
    matrix = factor[:, None] * lax.complex(layer.B[0], layer.B[1])
    driven = jax.vmap(lambda u: matrix @ u.astype(matrix.dtype))(inner)
    decays = jax.vmap(lambda gap: jnp.exp(eigenvalues * (delta * gap).astype(matrix.dtype)))(gaps)
    _, states = lax.associative_scan(_compose, (decays, driven))
    outputs = lax.complex(layer.C[0], layer.C[1])
    read = jax.vmap(lambda x: (outputs @ x).real)(states[layer.pooling.stride - 1 :: layer.pooling.stride])
    pooled, _ = _pooled(layer.pooling, inner, gaps)
    through = pooled * layer.D if layer.D.ndim == 1 else jax.vmap(lambda u: layer.D @ u)(pooled)
    return (2 * read if layer.conjugate else read) + through


def _compose(first: tuple[Array, Array], second: tuple[Array, Array]) -> tuple[Array, Array]:
    return second[0] * first[0], second[0] * first[1] + second[1]


def _pooled(pooling: Pooling, values: Array, gaps: Array) -> tuple[Array, Array]:
    grouped = gaps.reshape(-1, pooling.stride)
    weights = grouped + GAP_EPSILON if pooling.mode == "time" else jnp.ones_like(grouped)
    sums = (weights[..., None] * values.reshape(*grouped.shape, -1)).sum(1)
    return sums / weights.sum(1)[:, None], grouped.sum(1)


def _linear(linear: Linear, x: Array) -> Array:
    return x @ linear.weight.T + linear.bias
