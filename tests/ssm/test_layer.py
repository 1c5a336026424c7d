"""The layer against answers on paper: tests/README.md derives them under these names."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm import ssm
from tests.support import close, tolerance

LAMBDA, DELTA, B = -0.5 + 3.0j, 0.02, 1.7
KINDS = ["async", "dirac", "zoh"]


def one_state(kind, dtype, eigenvalue=LAMBDA):
    """One state, B = 1.7, C = 1, D = 0."""
    real, imag = (jnp.asarray([part], dtype) for part in (np.real(eigenvalue), np.imag(eigenvalue)))
    return ssm.StateSpaceLayer(
        spectrum=ssm.FreeSpectrum(real, imag, clipped=False),
        log_delta=jnp.log(jnp.asarray([DELTA], dtype)),
        B=jnp.asarray([[[B]], [[0.0]]], dtype),
        C=jnp.asarray([[[1.0]], [[0.0]]], dtype),
        D=jnp.zeros(1, dtype),
        pooling=ssm.Pooling(1, "mean"),
        discretization=kind,
        conjugate=False,
    )


def steps(inputs, gaps, dtype):
    values = jnp.asarray(inputs, dtype).reshape(len(gaps), -1)
    return ssm.Steps(values, jnp.asarray(gaps, dtype), jnp.asarray(len(gaps), jnp.int32))


@jax.jit
def whole_call(layer, sequence):
    return layer(sequence)


@jax.jit
def single_steps(layer, sequence):
    def one(state, step):
        return layer.emit(layer.step(*step, state))[1], None

    return jax.lax.scan(one, layer.init_state(), (sequence.values, sequence.gaps))[0]


def state_after(layer, inputs, gaps, dtype):
    """The state's value after all steps, from the whole-sequence call and from single steps."""
    sequence = steps(inputs, gaps, dtype)
    _, whole = whole_call(layer, sequence)
    stepped = single_steps(layer, sequence)
    close(stepped.x, whole.x, tolerance(dtype, 1e-5, 1e-13))
    return complex(whole.x[0])


def factor(kind, gap, eigenvalue=LAMBDA):
    if kind == "dirac":
        return 1.0
    return np.expm1(eigenvalue * DELTA * (gap if kind == "zoh" else 1.0)) / eigenvalue


def agree(got, want, dtype):
    assert abs(got - want) <= tolerance(dtype, 1e-5, 1e-13) * max(abs(want), 1e-30)


@pytest.mark.parametrize("kind", KINDS)
def test_two_spikes(kind, dtype):
    layer = one_state(kind, dtype)
    want = np.exp(LAMBDA * DELTA * 7.0) * factor(kind, 0.0) * B * 2.0 + factor(kind, 7.0) * B * -3.0
    agree(state_after(layer, [2.0, -3.0], [0.0, 7.0], dtype), want, dtype)
    output, _ = whole_call(layer, steps([2.0, -3.0], [0.0, 7.0], dtype))
    agree(complex(output.values[1, 0]), want.real, dtype)


@pytest.mark.parametrize("kind", KINDS)
def test_any_events(kind, rng, float64):
    gaps, inputs = rng.exponential(5.0, 50), rng.normal(size=50)
    times = np.cumsum(gaps)
    factors = np.array([factor(kind, gap) for gap in gaps])
    want = (np.exp(LAMBDA * DELTA * (times[-1] - times)) * factors * B * inputs).sum()
    agree(state_after(one_state(kind, float64), inputs, gaps, float64), want, float64)


@pytest.mark.parametrize("kind", ["async", "dirac"])
def test_constant_input(kind, dtype):
    q, count = np.exp(LAMBDA * DELTA * 2.0), 40
    want = factor(kind, 2.0) * B * 1.5 * (1 - q**count) / (1 - q)
    agree(state_after(one_state(kind, dtype), [1.5] * count, [2.0] * count, dtype), want, dtype)


@pytest.mark.parametrize("cuts", [1, 3, 64])
def test_constant_input_held_by_zoh_is_the_exact_solution(cuts, dtype):
    gaps = np.full(cuts, 30.0 / cuts)
    want = np.expm1(LAMBDA * DELTA * 30.0) / LAMBDA * B * 1.5
    agree(state_after(one_state("zoh", dtype), [1.5] * cuts, gaps, dtype), want, dtype)


def test_a_long_gap(dtype):
    layer = one_state("dirac", dtype)
    after = state_after(layer, [1.0, 0.0], [0.0, 100.0], dtype)
    agree(abs(after), B * np.exp(-0.5 * DELTA * 100.0), dtype)
    agree(after, B * np.exp(LAMBDA * DELTA * 100.0), dtype)
    agree(state_after(layer, [1.0, 2.0], [0.0, 1e9], dtype), 2.0 * B, dtype)


@pytest.mark.parametrize("kind", KINDS)
def test_ties(kind, dtype):
    layer = one_state(kind, dtype)
    first = state_after(layer, [1.0, 2.0, 4.0], [3.0, 0.0, 0.0], dtype)
    if kind == "zoh":
        agree(first, factor(kind, 3.0) * B * 1.0, dtype)
    else:
        agree(first, factor(kind, 0.0) * B * 7.0, dtype)
        agree(state_after(layer, [4.0, 1.0, 2.0], [3.0, 0.0, 0.0], dtype), first, dtype)


@pytest.mark.parametrize("eigenvalue", [0.0, -1e-12, 1e-9j])
def test_no_decay(eigenvalue, dtype):
    gaps, inputs = np.array([2.0, 0.0, 5.0, 1.0]), np.array([1.0, -2.0, 3.0, 0.5])
    sums = {
        "async": DELTA * inputs.sum(),
        "dirac": inputs.sum(),
        "zoh": DELTA * (gaps * inputs).sum(),
    }
    for kind, total in sums.items():
        got = state_after(one_state(kind, dtype, eigenvalue), inputs, gaps, dtype)
        assert abs(got - B * total) <= 1e-5 * abs(B * total)


def random_layer(dtype, stride=1, **changes):
    layer = ssm.StateSpaceLayer.create(
        3, 5, 8, ssm.Pooling(stride, "mean"), jax.random.key(2),
        block_size=4, conjugate=True, dt_min=0.01, dt_max=0.5, dtype=dtype,
    )  # fmt: skip
    return dataclasses.replace(layer, **changes)


def test_async_with_unit_gaps_is_zoh_without_event_times(rng, dtype):
    sequence = steps(rng.normal(size=(20, 3)), np.ones(20), dtype)
    untimed = steps(sequence.values, rng.exponential(size=20), dtype).with_unit_gaps()
    want, _ = whole_call(random_layer(dtype, discretization="async"), sequence)
    got, _ = whole_call(random_layer(dtype, discretization="zoh"), untimed)
    close(got.values, want.values, tolerance(dtype, 1e-5, 1e-13))


def test_a_group_is_read_after_its_last_step(rng, float64):
    sequence = steps(rng.normal(size=(22, 3)), rng.exponential(size=22), float64)
    through = jnp.zeros((5, 3))
    every, _ = whole_call(random_layer(float64, D=through), sequence)
    pooled, _ = whole_call(random_layer(float64, stride=4, D=through), sequence)
    assert int(pooled.count) == 5
    close(pooled.values[:5], every.values[3::4], 1e-13)
    close(pooled.gaps[:5], sequence.gaps[:20].reshape(5, 4).sum(1), 1e-13)


def test_the_state_after_padding_is_that_after_the_last_real_step(rng, float64):
    layer = random_layer(float64, stride=4)
    sequence = steps(rng.normal(size=(22, 3)), rng.exponential(size=22), float64)
    _, want = layer(ssm.Steps(sequence.values[:10], sequence.gaps[:10], jnp.asarray(10, jnp.int32)))
    _, got = layer(ssm.Steps(sequence.values, sequence.gaps, jnp.asarray(10, jnp.int32)))
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        close(a, b, 1e-13)


@pytest.mark.parametrize("method", ["sequential", "associative", "chunked"])
def test_every_scan_gives_the_same_layer_and_gradient(method, rng, dtype):
    sequence = steps(rng.normal(size=(30, 3)), rng.exponential(size=30), dtype)

    def loss(layer):
        return jnp.sin(layer(sequence)[0].values).sum()

    gradient_of = jax.jit(jax.value_and_grad(loss))

    plain = random_layer(dtype, stride=4, scan="sequential")
    want, want_gradient = gradient_of(plain)
    got, gradient = gradient_of(dataclasses.replace(plain, scan=method))
    close(got, want, tolerance(dtype, 1e-5, 1e-12))
    for a, b in zip(jax.tree.leaves(gradient), jax.tree.leaves(want_gradient), strict=True):
        close(a, b, tolerance(dtype, 1e-4, 1e-11))


def test_a_stable_spectrum_decays_whatever_its_parameters(rng, dtype):
    phi = jnp.asarray(rng.normal(size=50) * 5, dtype)
    assert (ssm.StableSpectrum(phi, phi)().real < 0).all()


def test_a_clipped_spectrum_is_cut_below_zero():
    real = jnp.asarray([-1.0, -1e-5, 3.0])
    clipped = ssm.FreeSpectrum(real, jnp.zeros(3), clipped=True)()
    close(clipped.real, np.array([-1.0, -1e-4, -1e-4], np.float32), 1e-7)
    close(ssm.FreeSpectrum(real, jnp.zeros(3), clipped=False)().real, real, 0)
