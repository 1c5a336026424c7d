"""The published code's logits, gradients and running averages, case by case."""

import jax
import jax.numpy as jnp
import pytest

from eventssm import compat
from eventssm.ssm import Steps
from tests.compat import golden
from tests.conftest import SHARED
from tests.support import close, tolerance

FOLDER = SHARED / "golden"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json")) or ["(none)"]


def loss_of(params, case, dtype):
    """Loss of the batch, and beside it the logits and the parameters after the call."""
    logits, after = compat.reference_forward({**params, **case.batch_stats(dtype)}, case.config, *case.batch)
    targets = jnp.asarray(case.arrays["in/targets"], dtype)
    return -(targets * jax.nn.log_softmax(logits)).sum(-1).mean(), (logits, after)


@pytest.mark.parametrize("name", NAMES)
def test_case(name, shared, dtype):
    case = golden.load(shared, name)
    if dtype == jnp.float64 and case.config.get("train"):
        pytest.skip("the published code was run in float32 here")
    params = case.params(dtype)
    value, (logits, after) = loss_of(params, case, dtype)
    wanted = case.under("out/")
    if "logits_f64" in wanted:
        close(logits, wanted["logits_f64"], tolerance(dtype, 1e-4, 1e-12))
    if "logits" in wanted:
        close(logits, wanted["logits"], tolerance(dtype, 1e-4, 1e-4))
    if "loss" in wanted:
        assert abs(float(value) - wanted["loss"]) <= 1e-4 * abs(wanted["loss"])
    if "losses" in wanted:
        assert abs(float(value) - wanted["losses"][0]) <= 1e-6 * wanted["losses"][0]
    for path, want in case.under("new_batch_stats/").items():
        close(after[f"batch_stats/{path}"], want, 1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_gradients(name, shared):
    """In float32, as the published code's are."""
    case = golden.load(shared, name)
    want = case.under("grad/")
    if not want:
        pytest.skip("a case of the optimizer, without gradients")
    gradient = jax.grad(loss_of, has_aux=True)(case.params(jnp.float32), case, jnp.float32)[0]
    assert gradient.keys() == want.keys()
    for path, array in want.items():
        close(gradient[path], array, 1e-4)


@pytest.mark.parametrize("name", ["case02", "case08", "case04"])
def test_every_stage(name, shared, dtype):
    """Outputs and gaps of each stage, padding included."""
    case = golden.load(shared, name)
    config = compat.model_config(case.config)
    model = compat.load_parameters({**case.params(dtype), **case.batch_stats(dtype)}, config)
    tokens, timesteps, _ = case.batch
    values = model.embedding[jnp.where(tokens < 0, tokens + config.channels, tokens)]
    per_stage = config.blocks_per_stage

    @jax.jit
    def stage(blocks, steps):
        for block in blocks:
            steps, _, _ = block(steps)
        return steps

    for i in range(len(tokens)):
        steps = Steps(values[i], jnp.asarray(timesteps[i], dtype), jnp.asarray(tokens.shape[1], jnp.int32))
        for number in range(config.stages):
            steps = stage(model.stack.blocks[number * per_stage : (number + 1) * per_stage], steps)
            close(steps.values, case.arrays[f"out/stage{number}_x"][i], 1e-4)
            close(steps.gaps, case.arrays[f"out/stage{number}_dt"][i], 1e-6)
