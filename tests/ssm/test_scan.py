"""Three scans against each other and against the recurrence written out, in values and gradients."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm import InputError, ssm
from tests.support import close, complex_of, tolerance

SCANS = {
    "sequential": ssm.sequential_scan,
    "associative": ssm.associative_scan,
    "chunked": partial(ssm.chunked_scan, chunk=16),
}


def elements(rng, steps, dtype):
    """Decays from 0 over 1e-30 to moduli of exactly 1, and drives."""
    moduli = rng.choice([0.0, 1e-30, 0.3, 0.999, 1.0 - 1e-6, 1.0], size=(steps, 6))
    decay = moduli * np.exp(1j * rng.uniform(0, 2 * np.pi, (steps, 6)))
    drive, initial = rng.normal(size=(2, steps, 6)), rng.normal(size=(2, 6))
    values = (decay, drive[0] + 1j * drive[1], initial[0] + 1j * initial[1])
    return tuple(jnp.asarray(value, complex_of(dtype)) for value in values)


def written_out(decay, drive, initial):
    """The recurrence in NumPy, in double precision."""
    decay, drive, initial = (np.asarray(value, np.complex128) for value in (decay, drive, initial))
    states, x = [], initial
    for factor, added in zip(decay, drive, strict=True):
        x = factor * x + added
        states.append(x)
    return np.array(states).reshape(drive.shape), x


@pytest.mark.parametrize("steps", [1, 2, 7, 64, 1000])
@pytest.mark.parametrize("name", SCANS)
def test_values(name, steps, dtype, rng):
    inputs = elements(rng, steps, dtype)
    states, last = SCANS[name](*inputs)
    want_states, want_last = written_out(*inputs)
    close(states, want_states, tolerance(dtype, 2e-5, 1e-13))
    close(last, want_last, tolerance(dtype, 2e-5, 1e-13))


@pytest.mark.parametrize("steps", [1, 2, 7, 64, 1000])
@pytest.mark.parametrize("name", SCANS)
def test_gradients_are_those_of_the_plain_loop(name, steps, dtype, rng):
    """Against JAX's own differentiation of a loop without the hand-written adjoint."""
    inputs = elements(rng, steps, dtype)
    weights, last_weight = elements(rng, steps, dtype)[1:]

    def plain(decay, drive, initial):
        def step(x, element):
            x = element[0] * x + element[1]
            return x, x

        last, states = jax.lax.scan(step, initial, (decay, drive))
        return states, last

    def loss(scan, *inputs):
        states, last = scan(*inputs)
        return (states * weights).real.sum() + (last * last_weight).imag.sum()

    got = jax.jit(jax.grad(partial(loss, SCANS[name]), argnums=(0, 1, 2)))(*inputs)
    want = jax.jit(jax.grad(partial(loss, plain), argnums=(0, 1, 2)))(*inputs)
    for a, b in zip(got, want, strict=True):
        close(a, b, tolerance(dtype, 3e-5, 1e-13))


@pytest.mark.parametrize("name", SCANS)
def test_pieces_make_the_whole(name, rng, float64):
    decay, drive, initial = elements(rng, 50, float64)
    whole, last = SCANS[name](decay, drive, initial)
    first, between = SCANS[name](decay[:19], drive[:19], initial)
    second, end = SCANS[name](decay[19:], drive[19:], between)
    close(jnp.concatenate((first, second)), whole, 1e-13)
    close(end, last, 1e-13)


@pytest.mark.parametrize("name", SCANS)
def test_no_steps_keep_the_state(name, rng, float64):
    decay, drive, initial = elements(rng, 0, float64)
    states, last = SCANS[name](decay, drive, initial)
    assert states.shape == (0, 6)
    close(last, initial, 0)
    to_decay, _, to_initial = jax.grad(lambda *x: SCANS[name](*x)[1].real.sum(), argnums=(0, 1, 2))(
        decay, drive, initial
    )
    assert to_decay.shape == (0, 6)
    close(to_initial, np.ones(6, np.complex128), 0)


def test_the_reverse_rule_can_be_differentiated_again(rng, float64):
    decay, drive, initial = elements(rng, 9, float64)

    def second_order(scan, decay):
        inner = jax.grad(lambda d: (scan(d, drive, initial)[0] ** 2).real.sum())
        return (inner(decay) ** 2).real.sum()

    wants = [jax.grad(partial(second_order, scan))(decay) for scan in SCANS.values()]
    close(wants[1], wants[0], 1e-11)
    close(wants[2], wants[0], 1e-11)


@pytest.mark.parametrize("method", ["auto", "sequential", "associative", "chunked"])
def test_the_method_can_be_chosen(method, rng, float64):
    inputs = elements(rng, 20, float64)
    close(ssm.linear_scan(*inputs, method)[0], written_out(*inputs)[0], 1e-13)


def test_auto_is_a_loop_on_a_cpu_and_a_tree_elsewhere(rng):
    lowered = jax.jit(ssm.linear_scan).trace(*elements(rng, 64, jnp.float32))
    assert "stablehlo.while" in lowered.lower(lowering_platforms=("cpu",)).as_text()
    assert "stablehlo.while" not in lowered.lower(lowering_platforms=("cuda",)).as_text()


def test_an_unknown_method_is_refused(rng, as_a_user):
    message = r"scan method: expected one of .*, got 'sequental' \(did you mean 'sequential'\?\)"
    with pytest.raises(InputError, match=message):
        ssm.linear_scan(*elements(rng, 2, jnp.float32), "sequental")


def test_chunks_store_no_states():
    """What the reverse needs, beside its inputs, is one state per chunk."""
    decay, drive = jnp.ones((4096, 8), jnp.complex64), jnp.ones((4096, 8), jnp.complex64)

    def kept(scan):
        saved = jax.eval_shape(lambda *x: jax.vjp(lambda *y: scan(*y)[1], *x)[1], decay, drive, drive[0])
        return sum(leaf.size for leaf in jax.tree.leaves(saved))

    inputs = decay.size + drive.size
    assert kept(partial(ssm.chunked_scan, chunk=256)) < inputs + 4096
    assert kept(ssm.sequential_scan) > inputs - drive.size + decay.size - 1
