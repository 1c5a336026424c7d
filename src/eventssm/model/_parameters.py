"""Which numbers of a model are learnt."""

import equinox as eqx
import jax
import numpy as np

from eventssm.model._classifier import Classifier
from eventssm.ssm import BatchNorm, Moments


def trainable(model: Classifier) -> Classifier:
    """A tree like `model` that is true for parameters and false for batch norm's running averages."""
    mask = jax.tree.map(eqx.is_inexact_array, model)
    norms = [index for index, block in enumerate(model.blocks) if isinstance(block.norm, BatchNorm)]
    if not norms:
        return mask

    def running(tree: Classifier) -> list[object]:
        return [value for i in norms for value in (tree.blocks[i].norm.mean, tree.blocks[i].norm.variance)]

    return eqx.tree_at(running, mask, [False] * (2 * len(norms)))


def updated_norms(model: Classifier, moments: tuple[Moments | None, ...]) -> Classifier:
    """`model` with its batch norms' running averages moved towards a batch's `moments`."""
    norms = [index for index, found in enumerate(moments) if found is not None]
    if not norms:
        return model
    new = [model.blocks[index].norm.updated(moments[index]) for index in norms]
    return eqx.tree_at(lambda tree: [tree.blocks[index].norm for index in norms], model, new)


def count_parameters(model: Classifier) -> tuple[int, int]:
    """Learnt numbers outside the embedding, and in it. Takes shapes as well as arrays."""
    shapes = jax.tree.map(lambda leaf: int(np.prod(leaf.shape)), model)
    embedding = shapes.embedding
    running = [
        shapes.blocks[index].norm.mean + shapes.blocks[index].norm.variance
        for index, block in enumerate(model.blocks)
        if isinstance(block.norm, BatchNorm)
    ]
    return sum(jax.tree.leaves(shapes)) - embedding - sum(running), embedding
