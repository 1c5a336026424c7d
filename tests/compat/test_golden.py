"""The published code's logits, gradients and running averages, case by case."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from eventssm import compat
from eventssm.ssm import Steps
from tests.compat import golden
from tests.conftest import SHARED
from tests.support import close

FOLDER = SHARED / "golden"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json")) or ["(none)"]


def loss_of(params, case, dtype):
    """Loss of the batch, and beside it the logits and the parameters after the call."""
    logits, after = compat.reference_forward({**params, **case.batch_stats(dtype)}, case.config, *case.batch)
    targets = jnp.asarray(case.arrays["in/targets"], dtype)
    return -(targets * jax.nn.log_softmax(logits)).sum(-1).mean(), (logits, after)


@pytest.mark.parametrize("name", NAMES)
def test_float32(name, shared):
    """Logits, loss, gradients and running averages."""
    case = golden.load(shared, name)
    of_loss = jax.value_and_grad(loss_of, has_aux=True)
    (value, (logits, after)), gradient = of_loss(case.params(jnp.float32), case, jnp.float32)
    wanted = case.under("out/")
    if "losses" in wanted:  # an optimizer's: the first is that of these parameters
        assert abs(value - wanted["losses"][0]) <= 1e-6 * wanted["losses"][0]
        return
    close(logits, wanted["logits"], 1e-4)
    assert abs(value - wanted["loss"]) <= 1e-4 * abs(wanted["loss"])
    gradients = case.under("grad/")
    assert gradient.keys() == gradients.keys()
    for path, want in gradients.items():
        close(gradient[path], want, 1e-4)
    for path, want in case.under("new_batch_stats/").items():
        close(after[f"batch_stats/{path}"], want, 1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_float64(name, shared, float64):
    """Logits to nearly every digit, where the published code was run in float64 too."""
    case = golden.load(shared, name)
    if "out/logits_f64" not in case.arrays:
        pytest.skip("a case of training, run in float32 alone")
    _, (logits, _) = loss_of(case.params(float64), case, float64)
    close(logits, case.arrays["out/logits_f64"], 1e-12)


@pytest.mark.parametrize("name", ["case02", "case08"])
def test_every_stage(name, shared):
    """Outputs and gaps of each stage, padding included."""
    case = golden.load(shared, name)
    config = compat.model_config(case.config)
    model = compat.load_parameters(case.params(jnp.float32), config)
    tokens, timesteps, _ = case.batch
    values = model.embedding[np.where(tokens < 0, tokens + config.channels, tokens)]
    per_stage = config.blocks_per_stage

    @jax.jit
    def stage(blocks, steps):
        for block in blocks:
            steps, _, _ = block(steps)
        return steps

    for i in range(len(tokens)):
        steps = Steps(values[i], jnp.asarray(timesteps[i]), jnp.asarray(tokens.shape[1], jnp.int32))
        for number in range(config.stages):
            steps = stage(model.stack.blocks[number * per_stage : (number + 1) * per_stage], steps)
            close(steps.values, case.arrays[f"out/stage{number}_x"][i], 1e-4)
            close(steps.gaps, case.arrays[f"out/stage{number}_dt"][i], 1e-6)
