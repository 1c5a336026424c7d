"""Helpers of the numerical tests."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from eventssm import Classifier, ModelConfig
from eventssm.model import ClassifierState
from eventssm.ssm import BatchNorm


def close(got: jax.Array, want: jax.Array | np.ndarray, tolerance: float) -> None:
    """Within `tolerance` of the largest value wanted."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    scale = max(np.abs(want).max(initial=0.0), 1e-30)
    worst = np.abs(got - want).max(initial=0.0) / scale
    assert worst <= tolerance, f"off by {worst:.3g} of the largest value, {tolerance:.3g} allowed"


def tolerance(dtype: jnp.dtype, float32: float, float64: float) -> float:
    """The tolerance for a float type."""
    return float32 if dtype == jnp.float32 else float64


def complex_of(dtype: jnp.dtype) -> jnp.dtype:
    """The complex type of a float type."""
    return jnp.dtype("complex64" if dtype == jnp.float32 else "complex128")


def recording(
    rng: np.random.Generator, events: int, channels: int, dtype: jnp.dtype = jnp.float32
) -> tuple[np.ndarray, np.ndarray]:
    """Random channels, and exponential gaps of which a third are ties."""
    gaps = rng.exponential(1.0, events) * (rng.random(events) > 1 / 3)
    gaps[:1] = 0.0
    return rng.integers(0, channels, events).astype(np.int32), gaps.astype(dtype)


def random_classifier(config: ModelConfig, dtype: jnp.dtype = jnp.float32, seed: int = 0) -> Classifier:
    """A classifier of NumPy's random numbers: nothing to compile, and no number has its starting value."""
    rng = np.random.default_rng(seed)
    shapes = eqx.filter_eval_shape(lambda key: Classifier(config, key=key, dtype=dtype), jax.random.key(0))
    scale = 1 / np.sqrt(config.d_model)
    model = jax.tree.map(lambda leaf: jnp.asarray(scale * rng.normal(size=leaf.shape), leaf.dtype), shapes)

    def positive(tree: Classifier) -> list[jax.Array]:
        norms = [block.norm for block in tree.stack.blocks]
        return [norm.variance for norm in norms if isinstance(norm, BatchNorm)]

    variances = [jnp.asarray(rng.uniform(0.5, 2.0, leaf.shape), leaf.dtype) for leaf in positive(shapes)]
    return eqx.tree_at(positive, model, variances)


def stepped(
    model: Classifier, channels: np.ndarray, gaps: np.ndarray, state: ClassifierState | None = None
) -> tuple[jax.Array, jax.Array, ClassifierState]:
    """Logits and completions after every single event, and the state after the last."""

    @jax.jit
    def run(state: ClassifierState) -> tuple[ClassifierState, tuple[jax.Array, jax.Array]]:
        def one(state: ClassifierState, event: tuple[jax.Array, jax.Array]):
            logits, ready, state = model.step(*event, state)
            return state, (logits, ready)

        return jax.lax.scan(one, state, (jnp.asarray(channels), jnp.asarray(gaps)))

    state, (logits, ready) = run(model.init_state() if state is None else state)
    return logits, ready, state
