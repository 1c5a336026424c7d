"""Pooled rows of a table: kernel, twin, and the sum over gathered rows."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm.ssm._pooled_rows import pooled_rows
from tests.ssm.test_recurrence import FORMS
from tests.support import close, tolerance


def gathered(weights, index, rows, count, every):
    whole = len(weights) // every * every
    products = (weights[:, None] * rows[index])[:whole].reshape(-1, every, rows.shape[1])
    return products.sum(1)[: int(count) // every]


@pytest.mark.parametrize("native", FORMS)
@pytest.mark.parametrize(
    ("steps", "count", "every", "width"), [(1, 1, 1, 3), (50, 37, 4, 16), (9000, 8999, 8, 21)]
)
def test_equals_the_sum_of_gathered_rows(rng, dtype, steps, count, every, width, native):
    weights = jnp.asarray(rng.random(steps), dtype)
    rows = jnp.asarray(rng.normal(size=(30, width)), dtype)
    index = jnp.asarray(rng.integers(0, 30, steps), jnp.int32)

    @jax.jit
    def run(rows):
        return pooled_rows(weights, index, rows, jnp.asarray(count, jnp.int32), every=every, native=native)

    sums, whole = run(rows), count // every
    assert sums.shape == (-(-steps // every), width) and not sums[whole:].any()
    close(sums[:whole], gathered(weights, index, rows, count, every), tolerance(dtype, 1e-6, 1e-14))
    to_sums = jnp.asarray(rng.normal(size=(whole, width)), dtype)
    got = jax.grad(lambda rows: (run(rows)[:whole] * to_sums).sum())(rows)
    want = jax.grad(lambda rows: (gathered(weights, index, rows, count, every) * to_sums).sum())(rows)
    close(got, want, tolerance(dtype, 2e-6, 1e-14))


@pytest.mark.parametrize("native", FORMS)
def test_batches_add_to_the_table_that_they_share(rng, native):
    weights = jnp.asarray(rng.random((3, 20)), jnp.float32)
    index = jnp.asarray(rng.integers(0, 9, (3, 20)), jnp.int32)
    rows, count = jnp.asarray(rng.normal(size=(9, 17)), jnp.float32), jnp.asarray([20, 8, 0], jnp.int32)

    def total(rows):
        def one(weights, index, count):
            return pooled_rows(weights, index, rows, count, every=4, native=native, shared=True)

        return jnp.sin(jax.vmap(one)(weights, index, count)).sum()

    def apart(rows):
        sums = [gathered(*of, rows, n, 4) for *of, n in zip(weights, index, count, strict=True)]
        return sum(jnp.sin(one).sum() for one in sums)

    close(jax.grad(total)(rows), jax.grad(apart)(rows), 1e-6)


@pytest.mark.parametrize("native", FORMS)
def test_an_index_without_a_row_gives_nan(native):
    index = jnp.asarray([0, 1, 0, 5], jnp.int32)
    sums = pooled_rows(
        jnp.ones(4), index, jnp.ones((3, 16)), jnp.asarray(4, jnp.int32), every=2, native=native
    )
    assert np.isfinite(sums[0]).all() and np.isnan(sums[1]).all()
