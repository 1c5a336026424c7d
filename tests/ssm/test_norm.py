"""Norms against NumPy, batch norm's running averages, and dropout."""

import jax
import jax.numpy as jnp
import numpy as np

from eventssm import ssm
from eventssm.ssm._norm import batch_moments
from tests.support import close


def test_layer_norm(rng, float64):
    x, scale, bias = rng.normal(size=(5, 8)), rng.normal(size=8), rng.normal(size=8)
    want = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-6) * scale + bias
    close(ssm.LayerNorm(jnp.asarray(scale), jnp.asarray(bias))(jnp.asarray(x)), want, 1e-13)


def test_layer_norm_of_large_values_keeps_its_digits(rng):
    """`E[x^2] - E[x]^2` would lose them all."""
    x = (1e4 + rng.normal(size=(5, 64))).astype(np.float32)
    exact = x.astype(np.float64)
    want = (exact - exact.mean(1, keepdims=True)) / np.sqrt(exact.var(1, keepdims=True) + 1e-6)
    close(ssm.LayerNorm.create(64, jnp.float32)(jnp.asarray(x)), want, 1e-3)


def moments_of(values, counts):
    def one(values, count):
        steps = ssm.Steps(values, jnp.zeros(values.shape[0]), count)
        return batch_moments(steps, "batch")

    return jax.vmap(one, axis_name="batch", out_axes=None)(
        jnp.asarray(values), jnp.asarray(counts, jnp.int32)
    )


def test_batch_moments_are_over_all_real_steps(rng, float64):
    values = rng.normal(size=(3, 10, 4))
    values[0, 7:] = values[1, 2:] = np.nan
    real = np.concatenate((values[0, :7], values[1, :2], values[2]))
    moments = moments_of(values, [7, 2, 10])
    close(moments.mean, real.mean(0), 1e-13)
    close(moments.variance, real.var(0), 1e-13)
    assert float(moments.count) == 19


def test_batch_norm_uses_the_batch_or_the_running_averages(rng, float64):
    values = rng.normal(size=(2, 6, 4)) * 3 + 1
    norm = ssm.BatchNorm.create(4, 0.95, float64)
    moments = moments_of(values, [6, 6])
    close(norm(jnp.asarray(values), moments).reshape(-1, 4).mean(0), np.zeros(4) + 1e-15, 1e3)
    close(norm(jnp.asarray(values), moments).reshape(-1, 4).var(0), np.ones(4), 1e-4)
    close(norm(jnp.asarray(values)), values / np.sqrt(1 + 1e-5), 1e-13)

    updated = norm.updated(moments)
    close(updated.mean, 0.05 * values.reshape(-1, 4).mean(0), 1e-13)
    close(updated.variance, 0.95 + 0.05 * values.reshape(-1, 4).var(0), 1e-13)


def test_a_batch_without_a_step_moves_no_average(float64):
    norm = ssm.BatchNorm.create(4, 0.95, float64)
    updated = norm.updated(moments_of(np.full((2, 3, 4), np.nan), [0, 0]))
    close(updated.mean, norm.mean, 0)
    close(updated.variance, norm.variance, 0)


def test_the_layer_norms_reverse_rule_is_that_of_its_formula(rng, dtype):
    def plain(x, scale, bias):
        centred = x - x.mean(-1, keepdims=True)
        return centred / jnp.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-6) * scale + bias

    arguments = [jnp.asarray(rng.normal(size=shape), dtype) for shape in ((2, 5, 8), (8,), (8,))]
    to_out = jnp.asarray(rng.normal(size=(2, 5, 8)), dtype)
    got = jax.vjp(lambda x, scale, bias: ssm.LayerNorm(scale, bias)(x), *arguments)[1](to_out)
    for one, want in zip(got, jax.vjp(plain, *arguments)[1](to_out), strict=True):
        close(one, want, 1e-6 if dtype == jnp.float32 else 1e-14)
