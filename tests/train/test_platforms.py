"""A training step and an evaluation lower for GPUs and TPUs too, without what only CPUs have."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

from eventssm import ModelConfig, train
from eventssm.batching import Batch
from eventssm.ssm import kernels_unavailable
from tests.support import random_classifier

CONFIG = ModelConfig(channels=9, classes=3, d_model=4, d_state=4, block_size=4, blocks_per_stage=2, stride=4)
KERNELS = "eventssm_kernels"


@pytest.fixture
def batch(rng) -> Batch:
    return Batch(
        channels=rng.integers(0, 9, (2, 64)).astype(np.int32),
        gaps=rng.exponential(1.0, (2, 64)).astype(np.float32),
        lengths=np.array([64, 30], np.int32),
        targets=np.eye(3, dtype=np.float32)[[0, 2]],
        samples=np.arange(2),
        cut=np.zeros((), np.int64),
    )


@pytest.mark.parametrize("platform", ["cuda", "tpu"])
@pytest.mark.parametrize("norm", ["layer", "batch"])
def test_a_training_step_lowers(batch, platform, norm):
    model = random_classifier(ModelConfig(**{**vars(CONFIG), "norm": norm}))
    optimizer = train.create_optimizer(model, train.OptimizerConfig(), 1e-3, 1, 10)
    step = train.make_step(optimizer, jax.random.key(0))
    state = train.init_state(model, optimizer, 1)
    exported = export.export(step, platforms=[platform])(state, batch, True)
    assert exported.platforms == (platform,) and KERNELS not in exported.mlir_module()
    assert (KERNELS in step.lower(state, batch, True).as_text()) == (kernels_unavailable() is None)


@pytest.mark.parametrize("platform", ["cuda", "tpu"])
def test_an_evaluation_lowers(batch, platform):
    learnt, fixed = eqx.partition(random_classifier(CONFIG), eqx.is_array)

    @jax.jit
    def logits(learnt, channels, gaps, lengths):
        return jax.vmap(eqx.combine(learnt, fixed))(channels, gaps, lengths)

    of_batch = [jnp.asarray(value) for value in batch[:3]]
    exported = export.export(logits, platforms=[platform])(learnt, *of_batch)
    assert KERNELS not in exported.mlir_module()
