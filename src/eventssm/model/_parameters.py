"""Which numbers of a model are learnt."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax

from eventssm.model._classifier import Classifier
from eventssm.ssm import BatchNorm, Moments


def trainable(model: Classifier) -> Classifier:
    """A tree like `model`: true for parameters, false for batch norm's running averages and the rest."""
    mask = jax.tree.map(eqx.is_inexact_array, model)
    return _replace_norms(
        mask, lambda norm: eqx.tree_at(lambda n: (n.mean, n.variance), norm, (False, False))
    )


def updated_norms(model: Classifier, moments: tuple[Moments | None, ...]) -> Classifier:
    """`model` with its batch norms' running averages moved towards a batch's `moments`."""
    if all(found is None for found in moments):
        return model
    of_norms = iter([found for found in moments if found is not None])
    return _replace_norms(model, lambda norm: norm.updated(next(of_norms)))


def count_parameters(model: Classifier) -> tuple[int, int]:
    """Learnt numbers outside the embedding, and in it. Takes shapes as well as arrays."""
    sizes = jax.tree.map(lambda leaf: leaf.size, model)
    sizes = _replace_norms(sizes, lambda norm: (norm.scale, norm.bias))
    embedding = model.embedding.size
    return sum(jax.tree.leaves(sizes)) - embedding, embedding


def _replace_norms(tree: Classifier, replace: Callable[[BatchNorm], Any]) -> Classifier:
    """`tree` with every batch norm replaced, first block first."""
    norms = [block.norm for block in tree.stack.blocks if isinstance(block.norm, BatchNorm)]
    if not norms:
        return tree
    return eqx.tree_at(
        lambda t: [block.norm for block in t.stack.blocks],
        tree,
        [
            replace(block.norm) if isinstance(block.norm, BatchNorm) else block.norm
            for block in tree.stack.blocks
        ],
    )
