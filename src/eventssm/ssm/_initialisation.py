"""Starting values of a state-space layer.

All randomness comes from the key handed in; the HiPPO part is computed in float64 on the host, with the
phase of every eigenvector fixed, so that it does not depend on the linear algebra library.
"""

from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import DTypeLike
from jaxtyping import Array, Complex128, Float, PRNGKeyArray

OutputInit = Literal["lecun_normal", "trunc_standard_normal", "complex_normal"]


def hippo_legs(
    block_size: int,
) -> tuple[Complex128[np.ndarray, " block"], Complex128[np.ndarray, "block block"]]:
    """Eigenvalues and unitary eigenvectors of the normal part of HiPPO-LegS.

    LegS is `A[n, k] = -sqrt(2n+1) sqrt(2k+1)` below the diagonal and `-(n+1)` on it. Adding the rank-one
    `p p^T` with `p[n] = sqrt(n + 1/2)` leaves `-I/2` plus a skew-symmetric matrix, whose eigenvalues are
    `-1/2 + iθ` in conjugate pairs. They come sorted by θ, so that the first half holds one of each pair.
    """
    n = np.arange(block_size)
    root = np.sqrt(2.0 * n + 1.0)
    legs = -np.tril(np.outer(root, root), -1) - np.diag(n + 1.0)
    low_rank = np.sqrt(n + 0.5)
    skew = legs + np.outer(low_rank, low_rank) + 0.5 * np.eye(block_size)
    theta, vectors = np.linalg.eigh(-1j * skew)
    vectors = vectors * (np.abs(vectors[:1]) / vectors[:1])
    return -0.5 + 1j * theta, vectors


def block_diagonal_basis(
    d_state: int, block_size: int, conjugate: bool
) -> tuple[Complex128[np.ndarray, " state"], Complex128[np.ndarray, "full state"]]:
    """Eigenvalues and eigenvectors of `d_state / block_size` HiPPO-LegS blocks.

    With `conjugate` only one of each conjugate pair is kept, half of the states.
    """
    eigenvalues, vectors = hippo_legs(block_size)
    kept = block_size // 2 if conjugate else block_size
    blocks = d_state // block_size
    return np.tile(eigenvalues[:kept], blocks), np.kron(np.eye(blocks), vectors[:, :kept])


def input_matrix(
    basis: Complex128[np.ndarray, "full state"], width: int, key: PRNGKeyArray, dtype: DTypeLike
) -> Float[Array, "2 state width"]:
    """B: truncated normal of standard deviation `1/sqrt(full)`, rotated into the eigenbasis (`V* B`)."""
    full = jax.nn.initializers.lecun_normal()(key, (basis.shape[0], width), dtype)
    rotation = jnp.asarray(_pairs(basis.conj().T), dtype)
    return jnp.einsum("csf,fw->csw", rotation, full)


def output_matrix(
    basis: Complex128[np.ndarray, "full state"],
    width: int,
    init: OutputInit,
    key: PRNGKeyArray,
    dtype: DTypeLike,
) -> Float[Array, "2 width state"]:
    """C, complex, in the eigenbasis.

    `lecun_normal`: truncated normal of standard deviation `1/sqrt(full width)` for both parts, rotated
    (`C V`); the published recipes use it. `trunc_standard_normal`: the same with `1/sqrt(full)`.
    `complex_normal`: normal with variance 1/2 for both parts, already in the eigenbasis.
    """
    full, states = basis.shape
    if init == "complex_normal":
        return jax.random.normal(key, (2, width, states), dtype) * jnp.asarray(0.5**0.5, dtype)
    deviation = (full * width) ** -0.5 if init == "lecun_normal" else full**-0.5
    real, imag = _truncated_normal(key, (2, width, full), deviation, dtype)
    basis_real, basis_imag = jnp.asarray(_pairs(basis), dtype)
    return jnp.stack(
        (real @ basis_real - imag @ basis_imag, real @ basis_imag + imag @ basis_real),
    )


def feedthrough(d_in: int, d_out: int, key: PRNGKeyArray, dtype: DTypeLike) -> Float[Array, "..."]:
    """D: one standard normal per channel where the widths agree, else a Glorot-normal matrix."""
    if d_in == d_out:
        return jax.random.normal(key, (d_in,), dtype)
    return jax.nn.initializers.glorot_normal()(key, (d_out, d_in), dtype)


def log_time_scales(
    states: int, dt_min: float, dt_max: float, key: PRNGKeyArray, dtype: DTypeLike
) -> Float[Array, " state"]:
    """log δ, with δ log-uniform in `[dt_min, dt_max]`."""
    low, high = np.log(dt_min), np.log(dt_max)
    return jax.random.uniform(key, (states,), dtype, low, high)


def _truncated_normal(
    key: PRNGKeyArray, shape: tuple[int, ...], deviation: float, dtype: DTypeLike
) -> Float[Array, "..."]:
    """Normal cut at two standard deviations and rescaled so that `deviation` is what remains."""
    shrink = 0.87962566103423978
    draw = jax.random.truncated_normal(key, -2.0, 2.0, shape, dtype)
    return draw * jnp.asarray(deviation / shrink, dtype)


def _pairs(matrix: np.ndarray) -> np.ndarray:
    return np.stack((matrix.real, matrix.imag))
