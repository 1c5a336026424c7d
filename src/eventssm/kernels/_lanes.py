"""Sixteen float32 numbers as one value in numba, so that a loop over states stays in registers.

A kernel is written once, over the type of its `zero`: with `ZERO` (lanes) it handles sixteen states at a
time, with a scalar zero one. LLVM lowers the vectors to whatever the machine has.
"""

import math
import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, overload, register_model

WIDTH = 16

_FLOAT, _INT = ir.FloatType(), ir.IntType(32)
_FLOATS, _INTS = ir.VectorType(_FLOAT, WIDTH), ir.VectorType(_INT, WIDTH)
_MAGIC = 12582912.0
"""Added to a small float32 and taken off again, it leaves the nearest whole number."""
_CONTRACT = ("contract",)


class Lanes(types.Type):
    """The numba type of sixteen float32 numbers."""

    def __init__(self) -> None:
        super().__init__(name="float32x16")


LANES = Lanes()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, numba_type: Lanes) -> None:
        super().__init__(manager, numba_type, _FLOATS)


def _arithmetic(operation: Any, instruction: str) -> None:
    @infer_global(operation)
    class _Template(ConcreteTemplate):
        cases = (signature(LANES, LANES, LANES),)

    @lower_builtin(operation, LANES, LANES)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args, flags=_CONTRACT)


for _operation, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _arithmetic(_operation, _instruction)


def _every(element: ir.Type, value: float) -> ir.Constant:
    return ir.Constant(ir.VectorType(element, WIDTH), [ir.Constant(element, value)] * WIDTH)


def _spread(builder: Any, value: Any) -> Any:
    nothing = ir.Constant(_FLOATS, ir.Undefined)
    first = builder.insert_element(nothing, value, ir.Constant(_INT, 0))
    return builder.shuffle_vector(first, nothing, _every(_INT, 0))


def _place(context: Any, builder: Any, array_type: Any, array: Any, offset: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), _FLOATS.as_pointer())


@intrinsic
def _splat(typing: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _spread(builder, context.cast(builder, args[0], sig.args[0], types.float32))

    return LANES(x), generate


@intrinsic
def _load(typing: Any, array: Any, offset: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        loaded = builder.load(_place(context, builder, sig.args[0], *args))
        loaded.align = 4
        return loaded

    return LANES(array, types.int64), generate


@intrinsic
def _store(typing: Any, array: Any, offset: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, sig.args[0], *args[:2]), align=4)
        return context.get_dummy_value()

    return types.void(array, types.int64, LANES), generate


@intrinsic
def nearest(typing: Any, value: Any) -> Any:
    """The nearest whole numbers, below 2^22."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fsub(builder.fadd(args[0], _every(_FLOAT, _MAGIC)), _every(_FLOAT, _MAGIC))

    return LANES(LANES), generate


def _bits_of_whole(builder: Any, value: Any) -> Any:
    """Integers whose low 22 bits are those of whole numbers."""
    return builder.bitcast(builder.fadd(value, _every(_FLOAT, _MAGIC)), _INTS)


@intrinsic
def power_of_two(typing: Any, exponent: Any) -> Any:
    """`2^exponent` for whole numbers from -126 to 128."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        shifted = builder.shl(
            builder.add(_bits_of_whole(builder, args[0]), _every(_INT, 127)), _every(_INT, 23)
        )
        return builder.bitcast(shifted, _FLOATS)

    return LANES(LANES), generate


@intrinsic
def quarter_turns(typing: Any, quarters: Any, sine: Any, cosine: Any) -> Any:
    """Sine and cosine after so many quarter turns more."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = _bits_of_whole(builder, args[0])
        one, two, top = (_every(_INT, value) for value in (1, 2, 30))
        odd = builder.icmp_signed("!=", builder.and_(bits, one), _every(_INT, 0))

        def signed(value: Any, turns: Any) -> Any:
            flip = builder.shl(builder.and_(turns, two), top)
            return builder.bitcast(builder.xor(builder.bitcast(value, _INTS), flip), _FLOATS)

        turned = (
            signed(builder.select(odd, args[2], args[1]), bits),
            signed(builder.select(odd, args[1], args[2]), builder.add(bits, one)),
        )
        return context.make_tuple(builder, sig.return_type, turned)

    return types.UniTuple(LANES, 2)(LANES, LANES, LANES), generate


@intrinsic
def quarters_of_far(typing: Any, phase: Any) -> Any:
    """How many quarter turns, less whole turns, and what is left of phases below 2^30, reduced in float64."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        double = ir.DoubleType()
        doubles = ir.VectorType(double, WIDTH)

        def whole(value: Any) -> Any:
            magic = _every(double, 6755399441055744.0)
            return builder.fsub(builder.fadd(value, magic), magic)

        far = builder.fpext(args[0], doubles)
        n = whole(builder.fmul(far, _every(double, 2 / math.pi)))
        rest = builder.fsub(far, builder.fmul(n, _every(double, math.pi / 2)))
        turns = whole(builder.fmul(n, _every(double, 0.25)))
        left = builder.fsub(n, builder.fmul(turns, _every(double, 4.0)))
        return context.make_tuple(
            builder, sig.return_type, [builder.fptrunc(value, _FLOATS) for value in (left, rest)]
        )

    return types.UniTuple(LANES, 2)(LANES), generate


@intrinsic
def within(typing: Any, value: Any, low: Any, high: Any) -> Any:
    """The values cut to `low` and `high`; NaN stays NaN."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        low, high = (
            _spread(builder, context.cast(builder, bound, kind, types.float32))
            for bound, kind in zip(args[1:], sig.args[1:], strict=True)
        )
        value = builder.select(builder.fcmp_ordered("<", args[0], low), low, args[0])
        return builder.select(builder.fcmp_ordered(">", value, high), high, value)

    return LANES(LANES, low, high), generate


@intrinsic
def _choose_below(typing: Any, value: Any, limit: Any, yes: Any, no: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        limit = _spread(builder, context.cast(builder, args[1], sig.args[1], types.float32))
        return builder.select(builder.fcmp_ordered("<", args[0], limit), args[2], args[3])

    return LANES(LANES, limit, LANES, LANES), generate


@njit(forceinline=True)
def lanes_of_zero() -> Any:
    """Sixteen zeros: what a kernel is handed to work on lanes."""
    return _splat(np.float32(0))


def width(zero: Any) -> int:
    """States that one value holds."""
    raise AssertionError("compiled code only")


def load(zero: Any, array: Any, offset: Any) -> Any:
    """A value from `array[offset:]`."""
    raise AssertionError("compiled code only")


def store(array: Any, offset: Any, value: Any) -> None:
    """Put a value to `array[offset:]`."""
    raise AssertionError("compiled code only")


def splat(zero: Any, number: Any) -> Any:
    """The same number for every state."""
    raise AssertionError("compiled code only")


def where_below(value: Any, limit: Any, yes: Any, no: Any) -> Any:
    """`yes` where the value is below a limit, `no` elsewhere."""
    raise AssertionError("compiled code only")


@overload(width, strict=False)
def _width(zero: Any) -> Any:
    return (lambda zero: WIDTH) if isinstance(zero, Lanes) else (lambda zero: 1)


@overload(load, strict=False)
def _load_any(zero: Any, array: Any, offset: Any) -> Any:
    if isinstance(zero, Lanes):
        return lambda zero, array, offset: _load(array, offset)
    return lambda zero, array, offset: array[offset]


@overload(store, strict=False)
def _store_any(array: Any, offset: Any, value: Any) -> Any:
    if isinstance(value, Lanes):
        return lambda array, offset, value: _store(array, offset, value)

    def put(array: Any, offset: int, value: Any) -> None:
        array[offset] = value

    return put


@overload(splat, strict=False)
def _splat_any(zero: Any, number: Any) -> Any:
    if isinstance(zero, Lanes):
        return lambda zero, number: _splat(number)
    kind = zero
    return lambda zero, number: kind(number)


@overload(where_below, strict=False)
def _where_below_any(value: Any, limit: Any, yes: Any, no: Any) -> Any:
    if isinstance(value, Lanes):
        return lambda value, limit, yes, no: _choose_below(value, limit, yes, no)
    return lambda value, limit, yes, no: yes if value < limit else no
