"""The exponentials, against extended precision and against the closed forms of tests/README.md."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventssm import ssm
from tests.support import close, complex_of, tolerance

EXTENDED = np.clongdouble
MAGNITUDES = st.floats(-14, 1.5).map(lambda power: 10.0**power)
PHI1_DERIVATIVE = jax.jit(jax.grad(ssm.phi1, holomorphic=True))
ANGLES = st.floats(np.pi / 2, 3 * np.pi / 2)


def relative_error(got: jax.Array, want: np.ndarray) -> float:
    return float(abs(EXTENDED(np.asarray(got)) - want) / abs(want))


@given(MAGNITUDES, ANGLES)
def test_phi1_and_expm1_to_the_last_digits(magnitude, angle):
    with jax.enable_x64(True):
        for dtype, allowed in ((jnp.complex64, 6e-7), (jnp.complex128, 2e-15)):
            z = jnp.asarray(magnitude * np.exp(1j * angle), dtype)
            exact = np.expm1(EXTENDED(np.asarray(z)))
            assert relative_error(ssm.phi1(z), exact / EXTENDED(np.asarray(z))) < allowed
            assert relative_error(ssm.expm1(z), exact) < allowed


@given(MAGNITUDES.filter(lambda size: size < 1), ANGLES)
def test_derivative_of_phi1(magnitude, angle):
    """`phi1' = sum (k+1) z^k / (k+2)!`, which cancels nothing where |z| < 1."""
    with jax.enable_x64(True):
        for dtype, allowed in ((jnp.complex64, 2e-6), (jnp.complex128, 4e-15)):
            z = jnp.asarray(magnitude * np.exp(1j * angle), dtype)
            power, factorial, exact = EXTENDED(1), EXTENDED(1), EXTENDED(0)
            for k in range(30):
                factorial = factorial * (k + 2)
                exact, power = exact + (k + 1) * power / factorial, power * EXTENDED(np.asarray(z))
            derivative = PHI1_DERIVATIVE(z)
            assert relative_error(derivative, exact) < allowed


def test_phi1_at_zero(dtype):
    zero = jnp.zeros((), complex_of(dtype))
    assert ssm.phi1(zero) == 1
    assert jax.grad(ssm.phi1, holomorphic=True)(zero) == 0.5


def test_factors_at_the_limit_of_no_decay(dtype):
    """At Λ = 0: async gives δ, zoh gives δ Δ, dirac 1; and the derivatives by Λ are finite."""
    eigenvalue, delta = jnp.zeros(1, complex_of(dtype)), jnp.asarray([0.02], dtype)
    gaps = jnp.asarray([0.0, 3.0], dtype)
    for kind, want in (("async", [[0.02]]), ("zoh", [[0.0], [0.06]]), ("dirac", [[1.0]])):
        close(ssm.input_factor(kind, eigenvalue, delta, gaps), np.array(want, complex_of(dtype)), 1e-6)
        gradient = jax.jit(jax.grad(lambda z, kind=kind: ssm.input_factor(kind, z, delta, gaps).real.sum()))
        assert np.isfinite(np.asarray(gradient(eigenvalue))).all()


def test_tiny_steps_in_float32():
    """δ Δ = 1e-6, where `(exp(z) - 1) / Λ` in float32 is 4 % off."""
    eigenvalue = jnp.asarray([-0.5], jnp.complex64)
    delta, gap = jnp.asarray([1e-3], jnp.float32), jnp.asarray([1e-3], jnp.float32)
    got = ssm.input_factor("zoh", eigenvalue, delta, gap)[0, 0]
    elapsed = np.float64(np.float32(1e-3)) * np.float64(np.float32(1e-3))
    exact = np.expm1(np.complex128(-0.5) * elapsed) / -0.5
    assert relative_error(got, exact) < 3e-7
    plain = (jnp.exp(eigenvalue * 1e-6) - 1) / eigenvalue
    assert relative_error(plain[0], exact) > 0.04


def test_async_with_unit_gaps_is_zoh_without_times(dtype, rng):
    eigenvalues = jnp.asarray(-rng.exponential(size=5) + 1j * rng.normal(size=5), complex_of(dtype))
    delta, ones = jnp.asarray(rng.exponential(size=5), dtype), jnp.ones(4, dtype)
    zoh = ssm.input_factor("zoh", eigenvalues, delta, ones)
    asynchronous = ssm.input_factor("async", eigenvalues, delta, ones)
    close(zoh, np.broadcast_to(asynchronous, zoh.shape), tolerance(dtype, 1e-6, 1e-15))


@pytest.mark.parametrize("gap", [0.0, 1e-3, 1.0, 1e4])
def test_decay_over_a_gap(gap, dtype):
    got = ssm.decay(
        jnp.asarray([-0.5 + 2j], complex_of(dtype)), jnp.asarray([0.01], dtype), jnp.asarray(gap, dtype)
    )
    assert abs(complex(got[0]) - np.exp((-0.5 + 2j) * 0.01 * gap)) < tolerance(dtype, 1e-6, 1e-14)
