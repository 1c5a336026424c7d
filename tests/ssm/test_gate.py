"""The gate's values and reverse rule, and the dropout that it is handed."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm.ssm._block import _dropout
from eventssm.ssm._gate import gate
from tests.support import close


def test_equals_its_formula_in_values_and_gradients(rng, dtype):
    def plain(y, weight, bias):
        return kept * y * jax.nn.sigmoid(jax.nn.gelu(y, approximate=True) @ weight.T + bias)

    arguments = [jnp.asarray(rng.normal(size=shape), dtype) for shape in ((3, 5, 8), (8, 8), (8,))]
    kept = jnp.asarray(rng.choice([0.0, 1.25], 8), dtype)
    to_out = jnp.asarray(rng.normal(size=(3, 5, 8)), dtype)
    got, reverse = jax.vjp(lambda *of: gate(*of, kept), *arguments)
    want, plain_reverse = jax.vjp(plain, *arguments)
    close(got, want, 1e-6 if dtype == jnp.float32 else 1e-14)
    for one, other in zip(reverse(to_out), plain_reverse(to_out), strict=True):
        close(one, other, 1e-6 if dtype == jnp.float32 else 1e-14)


@pytest.mark.parametrize("rate", [0.25, 0.5])
def test_dropout_keeps_the_mean(rate):
    kept = _dropout(rate, jax.random.key(0), jnp.ones(20_000))
    assert set(np.unique(kept).tolist()) == {0.0, float(np.float32(1) / np.float32(1 - rate))}
    assert abs(float((kept == 0).mean()) - rate) < 0.02


def test_dropout_is_shared_over_the_sequence():
    kept = _dropout(0.5, jax.random.key(1), jnp.ones(8))
    out = gate(jnp.ones((7, 8)), jnp.eye(8), jnp.zeros(8), kept)
    assert (out == out[0]).all() and ((out[0] == 0) == (kept == 0)).all()
