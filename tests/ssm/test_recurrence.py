"""The recurrence by groups: kernels, their twin for other platforms, and the scan over every step."""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from eventssm import InputError, ssm
from eventssm.ssm import _native
from eventssm.ssm._recurrence import recurrence
from tests.support import close, tolerance

needs_kernels = pytest.mark.skipif(
    _native.kernels_unavailable() is not None, reason=f"NOT RUN: {_native.kernels_unavailable()}"
)
FORMS = [pytest.param(True, marks=needs_kernels, id="kernel"), pytest.param(False, id="plain")]


class Case(NamedTuple):
    rates: jax.Array
    gaps: jax.Array
    rows: jax.Array
    count: jax.Array
    initial: jax.Array
    index: jax.Array | None


def case(rng, steps, states, dtype, *, table=None, unused=0, fastest=3.0) -> Case:
    """Random decays, a third of the gaps zero; some states keep all, some nothing."""
    real = -rng.uniform(1e-6, 1.0, states)
    real[::4] *= 1e3
    rates = np.stack((real, rng.normal(size=states) * fastest, rng.uniform(0.01, 1.0, states)))
    gaps = rng.exponential(1.0, steps) * (rng.random(steps) > 1 / 3)
    index = None if table is None else jnp.asarray(rng.integers(0, table, steps), jnp.int32)
    rows = rng.normal(size=(steps if table is None else table, 2, states))
    initial = rng.normal(size=(2, states))
    arrays = (jnp.asarray(value, dtype) for value in (rates, gaps, rows, initial))
    rates, gaps, rows, initial = arrays
    return Case(rates, gaps, rows, jnp.asarray(steps - unused, jnp.int32), initial, index)


def by_every_step(case: Case, every: int, holds: bool) -> tuple[jax.Array, jax.Array]:
    """The obvious form: gather, decay and scan every step, then read those that end a group."""
    eigenvalues, delta = lax.complex(case.rates[0], case.rates[1]), case.rates[2]
    real = ssm.real_steps(len(case.gaps), case.count)
    gaps = jnp.where(real, case.gaps, 0.0)
    rows = case.rows if case.index is None else case.rows[case.index]
    drive = jnp.where(real[:, None], lax.complex(rows[:, 0], rows[:, 1]), 0.0)
    if holds:
        drive = ssm.input_factor("zoh", eigenvalues, delta, gaps) * drive
    initial = lax.complex(*case.initial)
    states, last = ssm.sequential_scan(ssm.decay(eigenvalues, delta, gaps), drive, initial)
    padded = jnp.pad(states, ((0, -len(states) % every), (0, 0)))[every - 1 :: every]
    padded = jnp.where(ssm.real_steps(len(padded), case.count // every)[:, None], padded, 0.0)
    return jnp.stack((padded.real, padded.imag), 1), jnp.stack((last.real, last.imag))


def summary(states, last, rng):
    """A number that depends on every state, each in its own way."""
    weights = jnp.asarray(rng.normal(size=states.shape), states.dtype)
    return (weights * states).sum() + (last * jnp.cos(jnp.arange(last.size).reshape(last.shape))).sum()


def gradients(run, case: Case):
    def of(rates, rows, initial):
        states, last = run(case._replace(rates=rates, rows=rows, initial=initial))
        return summary(states, last, np.random.default_rng(5))

    return jax.grad(of, argnums=(0, 1, 2))(case.rates, case.rows, case.initial)


SHAPES = [
    # steps, every, rows of the table (None: one for each step), states, holds
    (1, 1, None, 3, True),
    (2, 4, 5, 16, False),
    (7, 2, 5, 20, True),
    (64, 8, None, 5, True),
    (64, 1, None, 32, False),
    (1000, 8, 40, 36, False),
    (1000, 8, 40, 36, True),
]


@pytest.mark.parametrize("native", FORMS)
@pytest.mark.parametrize(("steps", "every", "table", "states", "holds"), SHAPES)
def test_equals_the_scan_over_every_step(rng, float64, steps, every, table, states, holds, native):
    compare_with_the_scan(rng, float64, steps, every, table, states, holds, native)


@pytest.mark.parametrize("native", FORMS)
@pytest.mark.parametrize(("steps", "every", "table", "states", "holds"), SHAPES[-3:])
def test_equals_it_in_float32_too(rng, steps, every, table, states, holds, native):
    compare_with_the_scan(rng, jnp.dtype("float32"), steps, every, table, states, holds, native)


def compare_with_the_scan(rng, dtype, steps, every, table, states, holds, native):
    given = case(rng, steps, states, dtype, table=table, unused=steps // 5)
    run = jax.jit(lambda case: recurrence(*case, every=every, holds=holds, native=native))
    twin = functools.partial(by_every_step, every=every, holds=holds)
    # Phases over a group's whole time reach tens of radians, whose float32 neighbours are 4e-6 apart.
    for got, want in zip(run(given), twin(given), strict=True):
        close(got, want, tolerance(dtype, 3e-6 if native else 8e-6, 1e-12))
    # With `holds` the twin's own gradient by the rates is 3e-5 from that in float64, the plain form's 6e-5.
    allowed = tolerance(dtype, 1e-4 if holds else 2e-5, 1e-11)
    for got, want in zip(gradients(run, given), jax.jit(lambda c: gradients(twin, c))(given), strict=True):
        close(got, want, allowed)


@pytest.mark.parametrize("native", FORMS)
@pytest.mark.parametrize("table", [None, 30], ids=["rows", "table"])
def test_batches_add_to_the_table_that_they_share(rng, float64, table, native):
    """`jax.vmap` over recordings, and over models too, equals one recording after the other."""
    one = case(rng, 50, 20, float64, table=table)
    many = [case(rng, 50, 20, float64, table=table, unused=n) for n in (0, 3, 49)]
    of_each = [(other.gaps, other.count, other.initial, other.index) for other in many]
    gaps, count, initial, index = jax.tree.map(lambda *of: jnp.stack(of), *of_each)

    def batch(rates, rows):
        def run(gaps, count, initial, index):
            return recurrence(rates, gaps, rows, count, initial, index, every=4, native=native, shared=True)

        return summary(*jax.vmap(run)(gaps, count, initial, index), np.random.default_rng(5))

    def apart(rates, rows):
        found = [by_every_step(c._replace(rates=rates, rows=rows), 4, False) for c in many]
        return summary(*map(jnp.stack, zip(*found, strict=True)), np.random.default_rng(5))

    models = jnp.stack((one.rates, 0.5 * one.rates)), jnp.stack((one.rows, -one.rows))
    wanted = jax.jit(jax.grad(apart, (0, 1)))
    want = [wanted(rates, rows) for rates, rows in zip(*models, strict=True)]
    for got, alone in zip(jax.jit(jax.grad(batch, (0, 1)))(one.rates, one.rows), want[0], strict=True):
        close(got, alone, 1e-12)
    got = jax.jit(jax.vmap(jax.grad(batch, (0, 1))))(*models)
    for together, alone in zip(got, zip(*want, strict=True), strict=True):
        close(together, jnp.stack(alone), 1e-12)


@pytest.mark.parametrize("native", FORMS)
@pytest.mark.parametrize("channel", [-1, 7])
def test_an_index_without_a_row_gives_nan(rng, native, channel):
    given = case(rng, 12, 20, jnp.float32, table=7)
    broken = given._replace(index=given.index.at[9].set(channel))
    states, last = recurrence(*broken, every=4, native=native)
    assert np.isfinite(states[:2]).all() and np.isnan(states[2]).all() and np.isnan(last).all()
    padded = broken._replace(count=jnp.asarray(9, jnp.int32))
    assert np.isfinite(recurrence(*padded, every=4, native=native)[1]).all()


@needs_kernels
@pytest.mark.parametrize("fastest", [1.0, 1e5, 1e9])
def test_long_gaps_and_fast_states(rng, fastest):
    """Phases of many turns, in float32, against float64 with the same float32 phases."""
    steps, states = 40, 32
    given = case(rng, steps, states, jnp.float32, fastest=fastest)
    given = given._replace(rates=given.rates.at[0].set(-1e-4))
    kept, _ = recurrence(*given)
    initial, rates = np.asarray(given.initial, np.float64), np.asarray(given.rates)
    x = initial[0] + 1j * initial[1]
    for m in range(steps):
        elapsed = (rates[2] * np.float32(given.gaps[m])).astype(np.float32)
        a, b = (rates[0] * elapsed).astype(np.float64), (rates[1] * elapsed).astype(np.float64)
        b = np.clip(b, -(2.0**30), 2.0**30)
        x = np.exp(a + 1j * b) * x + np.asarray(given.rows[m, 0]) + 1j * np.asarray(given.rows[m, 1])
        got = np.asarray(kept[m], np.float64)
        close(got[0] + 1j * got[1], x, 1e-5)


@pytest.mark.parametrize("native", FORMS)
@pytest.mark.parametrize("table", [None, 6], ids=["rows", "table"])
def test_gradients_of_single_recordings_stay_apart(rng, float64, table, native):
    """`jax.vmap` of a gradient by what all share gives each recording its own."""
    one = case(rng, 12, 5, float64, table=table)
    gaps = jnp.stack((one.gaps, 2 * one.gaps, one.gaps[::-1]))

    def total(rows, gaps):
        states, _ = recurrence(*one._replace(rows=rows, gaps=gaps), every=4, native=native)
        return jnp.sin(states).sum()

    got = jax.jit(jax.vmap(jax.grad(total), (None, 0)))(one.rows, gaps)
    alone = jax.jit(jax.grad(total))
    close(got, jnp.stack([alone(one.rows, of_one) for of_one in gaps]), 1e-12)


@pytest.mark.parametrize("native", FORMS)
def test_a_wrong_count_reads_nothing_beyond(rng, native):
    given = case(rng, 12, 5, jnp.float32, table=6)
    whole, _ = recurrence(*given, every=4, native=native)
    for count in (10**9, -7):
        states, _ = recurrence(*given._replace(count=jnp.asarray(count, jnp.int32)), every=4, native=native)
        assert jnp.array_equal(states, whole if count > 0 else jnp.zeros_like(whole))


def test_mixed_float_types_are_refused(rng, as_a_user):
    given = case(rng, 12, 5, jnp.float32, table=6)
    with pytest.raises(InputError, match="float32 for all or float64 for all, got bfloat16 and float32"):
        recurrence(*given._replace(rows=given.rows.astype(jnp.bfloat16)))
