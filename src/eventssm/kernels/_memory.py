"""What compiled code needs to read the structures of a C interface and to share work between threads."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_INT32, _INT64, _BYTE = ir.IntType(32), ir.IntType(64), ir.IntType(8)


def _at(builder: Any, address: Any, kind: ir.Type) -> Any:
    return builder.inttoptr(address, kind.as_pointer())


def _external(builder: Any, name: str, result: ir.Type, arguments: tuple[ir.Type, ...]) -> Any:
    module = builder.module
    kind = ir.FunctionType(result, arguments)
    return module.globals.get(name) or ir.Function(module, kind, name)


@intrinsic
def word(typing: Any, address: Any) -> Any:
    """The 64-bit number at an address."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_at(builder, args[0], _INT64))

    return types.int64(types.int64), generate


@intrinsic
def half_word(typing: Any, address: Any) -> Any:
    """The 32-bit number at an address."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.sext(builder.load(_at(builder, args[0], _INT32)), _INT64)

    return types.int64(types.int64), generate


@intrinsic
def set_word(typing: Any, address: Any, value: Any) -> Any:
    """Put a 64-bit number to an address."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[1], _at(builder, args[0], _INT64))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def set_half_word(typing: Any, address: Any, value: Any) -> Any:
    """Put a 32-bit number to an address."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(builder.trunc(args[1], _INT32), _at(builder, args[0], _INT32))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def pointer(typing: Any, address: Any) -> Any:
    """An address as what `carray` takes."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], _BYTE.as_pointer())

    return types.voidptr(types.int64), generate


@intrinsic
def add_to(typing: Any, address: Any, value: Any) -> Any:
    """Add to the number at an address, in one step for all threads; what it was before."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _at(builder, args[0], _INT64), args[1], "seq_cst")

    return types.int64(types.int64, types.int64), generate


@intrinsic
def allocate(typing: Any, size: Any) -> Any:
    """The address of so many new bytes, by the C library."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        made = builder.call(_external(builder, "malloc", _BYTE.as_pointer(), (_INT64,)), args)
        return builder.ptrtoint(made, _INT64)

    return types.int64(types.int64), generate


@intrinsic
def release(typing: Any, address: Any) -> Any:
    """Give back what `allocate` gave."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        free = _external(builder, "free", ir.VoidType(), (_BYTE.as_pointer(),))
        builder.call(free, [_at(builder, args[0], _BYTE)])
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def let_others_run(typing: Any) -> Any:
    """Give up the rest of this thread's turn."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.call(_external(builder, "sched_yield", _INT32, ()), [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def call_at(typing: Any, function: Any, argument: Any) -> Any:
    """Call the C function at an address with one pointer, and return the pointer that it returns."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        callee = _at(builder, args[0], ir.FunctionType(_INT64, (_INT64,)))
        return builder.call(callee, [args[1]])

    return types.int64(types.int64, types.int64), generate


def address_of(symbol: str) -> Any:
    """A function for compiled code that returns the address of what `llvmlite` knows as `symbol`."""

    @intrinsic
    def address(typing: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.ptrtoint(_external(builder, symbol, ir.VoidType(), (_INT64,)), _INT64)

        return types.int64(), generate

    return address
