"""The published parameter tree in and out of a `Classifier`.

The flat names are flax's: `encoder/stages_0/SequenceLayer_0/S5SSM_0/B` and so on, batch norm's running
averages under `batch_stats/`. A complex matrix is one array with (real, imaginary) on its last axis; a
dense kernel is (in, out).
"""

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import DTypeLike
from jaxtyping import Array

from eventssm import _checks
from eventssm.model import Classifier, ModelConfig, Stack
from eventssm.ssm import (
    BatchNorm,
    Block,
    FreeSpectrum,
    LayerNorm,
    Linear,
    Pooling,
    StableSpectrum,
    StateSpaceLayer,
)

Parameters = Mapping[str, Any]


def load_parameters(params: Parameters, config: ModelConfig, dtype: DTypeLike | None = None) -> Classifier:
    """A `Classifier` with the parameters of the published code's tree, flat or nested.

    Widths and states are the arrays' own: the published code gives a third stage another width than its
    configuration says. With `config.spectrum == "stable"` every real part of Λ must be negative.
    """
    reader = _Reader(flat(params), dtype)
    blocks = tuple(
        _load_block(reader, stage, position, config)
        for stage in range(config.stages)
        for position in range(config.blocks_per_stage)
    )
    embedding = reader.take("encoder/encoder/embedding", (config.channels, None))
    decoder = _load_linear(reader, "decoder", blocks[-1].gate.bias.shape[0], config.classes)
    reader.check_all_read()
    return Classifier.assemble(config, embedding, Stack(blocks, config.time), decoder)


def dump_parameters(model: Classifier) -> dict[str, Array]:
    """The published code's flat tree of a `Classifier`'s parameters: the inverse of `load_parameters`."""
    params = {"encoder/encoder/embedding": model.embedding, **_dump_linear("decoder", model.decoder)}
    for index, block in enumerate(model.stack.blocks):
        stage, position = divmod(index, model.config.blocks_per_stage)
        params |= _dump_block(_prefix(stage, position), block)
    return params


def _load_block(reader: "_Reader", stage: int, position: int, config: ModelConfig) -> Block:
    prefix = _prefix(stage, position)
    ssm = f"{prefix}/S5SSM_0"
    b = reader.take(f"{ssm}/B", (None, None, 2))
    states, d_in = b.shape[:2]
    c = reader.take(f"{ssm}/C", (None, states, 2))
    d_out = c.shape[0]
    real, imag = (reader.take(f"{ssm}/Lambda_{part}", (states,)) for part in ("re", "im"))
    d = reader.take(f"{ssm}/D", (d_in,) if d_in == d_out else (d_out, d_in))
    log_step = reader.take(f"{ssm}/log_step", (states, 1))
    stride = config.stride if position == 0 else 1
    widen = None if d_in == d_out else _load_linear(reader, f"{prefix}/Dense_1", d_in, d_out)
    return Block(
        norm=_load_norm(reader, prefix, d_in if config.norm_order == "pre" else d_out, config),
        layer=StateSpaceLayer(
            spectrum=_load_spectrum(real, imag, config, f"{ssm}/Lambda_re"),
            log_delta=log_step[:, 0],
            B=jnp.moveaxis(b, -1, 0),
            C=jnp.moveaxis(c, -1, 0),
            D=d,
            pooling=Pooling(stride, config.pooling, config.read_out),
            discretization=config.discretization,
            conjugate=config.conjugate,
            scan=config.scan,
        ),
        gate=_load_linear(reader, f"{prefix}/Dense_0", d_out, d_out),
        widen=widen,
        order=config.norm_order,
        dropout=config.dropout,
    )


def _load_spectrum(real: Array, imag: Array, config: ModelConfig, name: str) -> StableSpectrum | FreeSpectrum:
    if config.spectrum != "stable":
        return FreeSpectrum(real, imag, clipped=config.spectrum == "clipped")
    if not isinstance(real, jax.core.Tracer):
        known = np.asarray(real)
        _checks.check_every(known < 0, name, "a number < 0 for spectrum 'stable'", known)
    return StableSpectrum(jnp.log(-real), imag)


def _load_norm(reader: "_Reader", prefix: str, width: int, config: ModelConfig) -> LayerNorm | BatchNorm:
    name = f"{prefix}/{'LayerNorm' if config.norm == 'layer' else 'BatchNorm'}_0"
    scale, bias = (reader.take(f"{name}/{part}", (width,)) for part in ("scale", "bias"))
    if config.norm == "layer":
        return LayerNorm(scale, bias)
    mean, variance = (reader.take(f"batch_stats/{name}/{part}", (width,)) for part in ("mean", "var"))
    return BatchNorm(scale, bias, mean, variance, config.batch_momentum)


def _load_linear(reader: "_Reader", name: str, d_in: int, d_out: int) -> Linear:
    kernel = reader.take(f"{name}/kernel", (d_in, d_out))
    return Linear(kernel.T, reader.take(f"{name}/bias", (d_out,)))


def _dump_block(prefix: str, block: Block) -> dict[str, Array]:
    layer, norm = block.layer, block.norm
    if isinstance(layer.spectrum, FreeSpectrum):
        real, imag = layer.spectrum.real, layer.spectrum.imag
    else:
        real, imag = -jnp.exp(layer.spectrum.phi), layer.spectrum.theta
    params = {
        f"{prefix}/S5SSM_0/B": jnp.moveaxis(layer.B, 0, -1),
        f"{prefix}/S5SSM_0/C": jnp.moveaxis(layer.C, 0, -1),
        f"{prefix}/S5SSM_0/D": layer.D,
        f"{prefix}/S5SSM_0/Lambda_re": real,
        f"{prefix}/S5SSM_0/Lambda_im": imag,
        f"{prefix}/S5SSM_0/log_step": layer.log_delta[:, None],
        **_dump_linear(f"{prefix}/Dense_0", block.gate),
    }
    if block.widen is not None:
        params |= _dump_linear(f"{prefix}/Dense_1", block.widen)
    name = f"{prefix}/{'LayerNorm' if isinstance(norm, LayerNorm) else 'BatchNorm'}_0"
    params |= {f"{name}/scale": norm.scale, f"{name}/bias": norm.bias}
    if isinstance(norm, BatchNorm):
        params |= {f"batch_stats/{name}/mean": norm.mean, f"batch_stats/{name}/var": norm.variance}
    return params


def _dump_linear(name: str, linear: Linear) -> dict[str, Array]:
    return {f"{name}/kernel": linear.weight.T, f"{name}/bias": linear.bias}


def _prefix(stage: int, position: int) -> str:
    return f"encoder/stages_{stage}/SequenceLayer_{position}"


def flat(params: Parameters, prefix: str = "") -> dict[str, Any]:
    """Nested dicts as `a/b/c`; the collection name `params` at the root is left out."""
    leaves: dict[str, Any] = {}
    for key, value in params.items():
        if isinstance(value, Mapping):
            leaves |= flat(value, prefix if key == "params" and not prefix else f"{prefix}{key}/")
        else:
            leaves[f"{prefix}{key}"] = value
    return leaves


class _Reader:
    """Takes arrays by name, checks their shapes, and remembers what is left."""

    def __init__(self, params: dict[str, Any], dtype: DTypeLike | None) -> None:
        self._params = params
        self._dtype = dtype
        self._read: set[str] = set()

    def take(self, name: str, shape: tuple[int | None, ...]) -> Array:
        """The array of this name; None in `shape` is any length."""
        _checks.check(name in self._params, "params", f"an array {name!r}", f"{len(self._params)} others")
        array = jnp.asarray(self._params[name], self._dtype)
        fits = array.ndim == len(shape) and all(
            want is None or got == want for got, want in zip(array.shape, shape, strict=True)
        )
        _checks.check(fits, name, f"shape {shape}".replace("None", "any"), f"shape {array.shape}")
        self._read.add(name)
        return array

    def check_all_read(self) -> None:
        """Refuse arrays that the configuration has no place for."""
        left = sorted(set(self._params) - self._read)
        _checks.check(not left, "params", "only arrays that the configuration names", ", ".join(left[:3]))
