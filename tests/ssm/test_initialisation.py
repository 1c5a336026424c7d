"""Starting values: HiPPO-LegS by its definition, spreads by their documentation."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm import ssm
from eventssm.ssm import _initialisation as initialisation
from tests.support import close


@pytest.mark.parametrize("size", [2, 8, 16, 64])
def test_hippo_is_the_normal_part_of_legs(size):
    eigenvalues, vectors = ssm.hippo_legs(size)
    legs = np.zeros((size, size))
    for n in range(size):
        for k in range(n + 1):
            legs[n, k] = -(n + 1) if n == k else -np.sqrt((2 * n + 1) * (2 * k + 1))
    low_rank = np.sqrt(np.arange(size) + 0.5)
    normal = legs + np.outer(low_rank, low_rank)
    close(vectors @ np.diag(eigenvalues) @ vectors.conj().T, normal.astype(complex), 1e-12)
    close(vectors.conj().T @ vectors, np.eye(size).astype(complex), 1e-12)


def test_hippo_comes_in_conjugate_pairs_of_fixed_phase():
    eigenvalues, vectors = ssm.hippo_legs(16)
    assert (eigenvalues.real == -0.5).all()
    assert (np.diff(eigenvalues.imag) > 0).all()
    close(eigenvalues[::-1].conj(), eigenvalues, 1e-13)
    close(vectors[:, ::-1].conj(), vectors, 1e-12)
    assert (vectors[0].real > 0).all()
    close(vectors[0].imag, np.zeros(16), 1e-15)


def test_half_of_the_states_give_the_output_of_all():
    """With real B and C before the rotation, `2 Re` over one of each pair is `Re` over all."""
    rng = np.random.default_rng(0)
    b, c = rng.normal(size=(8, 3)), rng.normal(size=(2, 8))
    outputs = []
    for conjugate in (False, True):
        eigenvalues, basis = initialisation.block_diagonal_basis(8, 4, conjugate)
        response = (c @ basis) @ np.diag(np.exp(eigenvalues * 0.7)) @ (basis.conj().T @ b)
        outputs.append((2 if conjugate else 1) * response.real)
    close(outputs[1], outputs[0], 1e-13)


def test_spreads_are_as_documented():
    full, width = 128, 96
    _, basis = initialisation.block_diagonal_basis(full, 8, False)
    key, dtype = jax.random.key(0), jnp.float32
    b = initialisation.input_matrix(basis, width, key, dtype)
    # A rotation by a unitary matrix leaves the sum of squares alone.
    assert np.isclose(np.sqrt((b**2).sum() / (full * width)), full**-0.5, rtol=0.02)
    # C is complex: two draws of this deviation.
    for init, deviation in (("lecun_normal", (full * width) ** -0.5), ("trunc_standard_normal", full**-0.5)):
        c = initialisation.output_matrix(basis, width, init, key, dtype)
        assert np.isclose(np.sqrt((c**2).sum() / (2 * full * width)), deviation, rtol=0.02)
    c = initialisation.output_matrix(basis, width, "complex_normal", key, dtype)
    assert np.isclose(c.std(), 0.5**0.5, rtol=0.02)
    steps = initialisation.log_time_scales(4096, 0.004, 0.1, key, dtype)
    assert np.log(0.004) <= steps.min() and steps.max() <= np.log(0.1)
    assert np.isclose(steps.mean(), (np.log(0.004) + np.log(0.1)) / 2, atol=0.05)


@pytest.mark.parametrize("conjugate", [False, True])
def test_a_seed_gives_one_layer(conjugate):
    def layer(seed):
        return ssm.StateSpaceLayer.create(
            4, 6, 16, ssm.Pooling(2, "mean"), jax.random.key(seed),
            block_size=8, conjugate=conjugate, dt_min=0.01, dt_max=0.1,
        )  # fmt: skip

    first, again, other = layer(0), layer(0), layer(1)
    assert all(
        np.array_equal(a, b) for a, b in zip(jax.tree.leaves(first), jax.tree.leaves(again), strict=True)
    )
    assert not np.array_equal(first.B, other.B)
    states = 8 if conjugate else 16
    assert (first.B.shape, first.C.shape, first.D.shape) == ((2, states, 4), (2, 6, states), (6, 4))
    close(first.spectrum().real, np.full(states, -0.5, np.float32), 1e-6)
