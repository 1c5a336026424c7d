"""The gate of a block, with a reverse rule that keeps little."""

import jax
from jaxtyping import Array, Float


@jax.custom_vjp
def gate(
    y: Float[Array, "*step width"],
    weight: Float[Array, "width width"],
    bias: Float[Array, " width"],
    kept: Float[Array, " width"],
) -> Float[Array, "*step width"]:
    """`kept * y * sigmoid(W gelu(y) + b)`; no derivative is taken by `kept`, which is dropout's.

    For the reverse it keeps y and the sigmoid's argument; forward mode (`jax.jvp`) is not defined.
    """
    return _forward(y, weight, bias, kept)[0]


def _forward(y: Array, weight: Array, bias: Array, kept: Array) -> tuple[Array, tuple[Array, ...]]:
    opening = _gelu(y) @ weight.T + bias
    return kept * (y * jax.nn.sigmoid(opening)), (y, weight, kept, opening)


def _backward(residuals: tuple[Array, ...], to_out: Array) -> tuple[Array, Array, Array, None]:
    y, weight, kept, opening = residuals
    width = y.shape[-1]
    open_, to_gated = jax.nn.sigmoid(opening), to_out * kept
    to_opening = to_gated * y * open_ * (1.0 - open_)
    smooth, slope = jax.vjp(_gelu, y)
    to_y = to_gated * open_ + slope(to_opening @ weight)[0]
    to_weight = to_opening.reshape(-1, width).T @ smooth.reshape(-1, width)
    return to_y, to_weight, to_opening.reshape(-1, width).sum(0), None


def _gelu(y: Array) -> Array:
    return jax.nn.gelu(y, approximate=True)


gate.defvjp(_forward, _backward)
