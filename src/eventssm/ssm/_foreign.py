"""Functions with compiled kernels on CPUs and a plain form elsewhere, and kernels for their adjoints.

One operand of such a function is a table, whose rows many recordings may share. Where the caller says that it
takes gradients outside of `jax.vmap`, recordings add their cotangents to one table, not each to its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array

from eventssm import _checks
from eventssm.ssm import _native

Operands = tuple[Any, ...]
"""Arrays; where JAX knows a value, NumPy's."""
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Foreign:
    """A function in both forms, and what the kernels need to know of it.

    `plain` takes the operands and `every` and `holds`. `shapes` are those of its results. The results `kept`
    are handed to the adjoint's kernel after the operands and before the cotangents.
    """

    kernel: int
    plain: Callable[..., Operands]
    shapes: Callable[[Operands, int], tuple[Shape, ...]]
    learnt: tuple[int, ...]
    table: int
    kept: tuple[int, ...]

    def __call__(
        self, *operands: Array, every: int, holds: bool = False, native: bool = True, shared: bool = False
    ) -> Operands:
        """The results; no derivative is taken by operands that are not `learnt`.

        With `shared`, gradients are taken outside of the surrounding `jax.vmap`, never inside of it.
        """
        types = {str(value.dtype) for value in operands if jnp.issubdtype(value.dtype, jnp.floating)}
        _checks.check(
            len(types) == 1 and types <= {"float32", "float64"},
            "float types of a layer and its steps",
            "float32 for all or float64 for all",
            " and ".join(sorted(types)),
        )
        return _differentiable(self, every, holds, native and _native.available(), shared)(*operands)


@cache
def _differentiable(
    of: Foreign, every: int, holds: bool, native: bool, shared: bool
) -> Callable[..., Operands]:
    alone = _by_platform(of, every, holds, native, shared=False)
    adjoint = _shared_adjoint(of, every, holds, native) if shared else alone

    def plain(*operands: Array) -> Operands:
        return of.plain(*operands, every=every, holds=holds)

    def kernel(*operands: Array) -> Operands:
        like = operands[of.table].dtype
        return _call(of.kernel, of.shapes(operands, every), like, operands, every, holds, "expand_dims")

    @jax.custom_vjp
    def run(*operands: Array) -> Operands:
        return lax.platform_dependent(*operands, cpu=kernel, default=plain) if native else plain(*operands)

    def forward(*operands: Array) -> tuple[Operands, Operands]:
        results = run(*operands)
        return results, (*operands, *(results[place] for place in of.kept))

    def backward(residuals: Operands, cotangents: Operands) -> tuple[Array | None, ...]:
        found = iter(adjoint(*residuals, *cotangents))
        count = len(residuals) - len(of.kept)
        return tuple(next(found) if place in of.learnt else None for place in range(count))

    run.defvjp(forward, backward)
    return run


@cache
def _shared_adjoint(of: Foreign, every: int, holds: bool, native: bool) -> Callable[..., Operands]:
    """Cotangents of the operands that are learnt, summed over the recordings that share the table.

    JAX adds up a batch's cotangents of what the batch shares, but takes what has no batch axis as it is. Were
    the gradient taken inside of the `jax.vmap`, every recording would get the sum.
    """
    alone = _by_platform(of, every, holds, native, shared=False)
    together = _by_platform(of, every, holds, native, shared=True)

    @jax.custom_batching.custom_vmap
    def adjoint(*operands: Array) -> Operands:
        return alone(*operands)

    @adjoint.def_vmap
    def batched(size: int, in_batched: list[bool], *operands: Array) -> tuple[Operands, tuple[bool, ...]]:
        if in_batched[of.table]:
            axes = [0 if one else None for one in in_batched]
            return jax.vmap(alone, axes)(*operands), (True,) * len(of.learnt)
        every_one = [
            value if one or place == of.table else jnp.broadcast_to(value, (size, *value.shape))
            for place, (one, value) in enumerate(zip(in_batched, operands, strict=True))
        ]
        return together(*every_one), tuple(place != of.table for place in of.learnt)

    return adjoint


def _by_platform(
    of: Foreign, every: int, holds: bool, native: bool, *, shared: bool
) -> Callable[..., Operands]:
    """The adjoint of one recording, or of many that share their table."""

    def plain(*operands: Array) -> Operands:
        results = len(of.shapes(operands, every))
        given = operands[: len(operands) - len(of.kept) - results]

        def run(*learnt: Array) -> Operands:
            whole = list(given)
            for place, value in zip(of.learnt, learnt, strict=True):
                whole[place] = value
            axes = [None if place == of.table else 0 for place in range(len(given))]

            def one(*operands: Array) -> Operands:
                return of.plain(*operands, every=every, holds=holds)

            return (jax.vmap(one, axes) if shared else one)(*whole)

        return jax.vjp(run, *(given[place] for place in of.learnt))[1](operands[-results:])

    def kernel(*operands: Array) -> Operands:
        shapes = [operands[place].shape for place in of.learnt]
        method = "sequential" if shared else "expand_dims"
        return _call(of.kernel + 1, shapes, operands[of.table].dtype, operands, every, holds, method)

    def run(*operands: Array) -> Operands:
        return lax.platform_dependent(*operands, cpu=kernel, default=plain)

    return run if native else plain


def _call(
    kernel: int,
    shapes: Sequence[Shape],
    dtype: jnp.dtype,
    operands: Operands,
    every: int,
    holds: bool,
    vmap_method: str,
) -> Operands:
    results = [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes]
    call = jax.ffi.ffi_call(_native.TARGET, results, vmap_method=vmap_method)
    found = call(*operands, kernel=np.int64(kernel), every=np.int64(every), holds=np.int64(holds))
    return tuple(found)
