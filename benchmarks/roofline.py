"""Where the time of a training step of shd-medium goes, beside what the machine could do: a Markdown table.

    GLIBC_TUNABLES=glibc.malloc.hugetlb=1 python benchmarks/roofline.py

Every part is timed alone, on the shapes that the step has (32 recordings of 8,192 events), median of nine.
FLOPs are those of the formulas (a complex exponential counts 30, a complex product 6), bytes those of the
arrays that go in and out once. The machine's rates: a matrix product of 2,048 x 2,048, a copy of 256 MiB.
"""

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp

from eventssm.ssm import LayerNorm, pooled_rows, recurrence
from eventssm.ssm._gate import gate

ROWS, EVENTS, STRIDE, WIDTH, STATES, CHANNELS = 32, 8_192, 8, 96, 128, 700
STEPS = ROWS * EVENTS // STRIDE


class Part(NamedTuple):
    name: str
    times: int
    run: Callable[..., object]
    arguments: tuple[jax.Array, ...]
    gflop: float
    megabytes: float


def seconds(run: Callable[..., object], arguments: tuple[jax.Array, ...]) -> float:
    compiled = jax.jit(run).lower(*arguments).compile()
    taken = []
    for _ in range(11):
        began = time.perf_counter()
        jax.block_until_ready(compiled(*arguments))
        taken.append(time.perf_counter() - began)
    return statistics.median(taken[2:])


def reverse(run: Callable[..., jax.Array]) -> Callable[..., object]:
    """The cotangents alone: what of the forward pass they need is part of them."""

    def of(to_out: jax.Array, *arguments: jax.Array) -> object:
        return jax.vjp(run, *arguments)[1](to_out)

    return of


def parts() -> list[Part]:
    keys = iter(jax.random.split(jax.random.key(0), 20))

    def normal(*shape: int) -> jax.Array:
        return jax.random.normal(next(keys), shape)

    rates = jnp.stack((-jnp.ones(STATES), normal(STATES) * 5, jnp.full(STATES, 0.02)))
    gaps = jax.random.exponential(next(keys), (ROWS, EVENTS))
    index = jax.random.randint(next(keys), (ROWS, EVENTS), 0, CHANNELS)
    table, small = normal(CHANNELS, 2, STATES), normal(CHANNELS, WIDTH)
    steps_gaps = jax.random.exponential(next(keys), (ROWS, EVENTS // STRIDE))
    drive, initial = normal(ROWS, EVENTS // STRIDE, 2, STATES), jnp.zeros((2, STATES))

    def front(rates: jax.Array, table: jax.Array) -> jax.Array:
        def one(gaps: jax.Array, index: jax.Array) -> jax.Array:
            count = jnp.asarray(EVENTS, jnp.int32)
            return recurrence(rates, gaps, table, count, initial, index, every=STRIDE)[0]

        return jax.vmap(one)(gaps, index)

    def pool(small: jax.Array) -> jax.Array:
        def one(index: jax.Array) -> jax.Array:
            weights, count = jnp.full(EVENTS, 1 / STRIDE), jnp.asarray(EVENTS, jnp.int32)
            return pooled_rows(weights, index, small, count, every=STRIDE)

        return jax.vmap(one)(index)

    def later(rates: jax.Array, drive: jax.Array) -> jax.Array:
        def one(gaps: jax.Array, drive: jax.Array) -> jax.Array:
            return recurrence(rates, gaps, drive, jnp.asarray(EVENTS // STRIDE, jnp.int32), initial)[0]

        return jax.vmap(one)(steps_gaps, drive)

    def product(x: jax.Array, w: jax.Array) -> jax.Array:
        return x @ w.T

    def norm(x: jax.Array, scale: jax.Array, bias: jax.Array) -> jax.Array:
        return LayerNorm(scale, bias)(x)

    def gated(y: jax.Array, w: jax.Array, b: jax.Array) -> jax.Array:
        return gate(y, w, b, jnp.ones(WIDTH))

    x, y, one = normal(STEPS, WIDTH), normal(STEPS, 2 * STATES), jnp.ones(WIDTH)
    b, c, w = normal(2 * STATES, WIDTH), normal(WIDTH, 2 * STATES), normal(WIDTH, WIDTH)
    states = normal(ROWS, EVENTS // STRIDE, 2, STATES)
    events, many, mega = ROWS * EVENTS * STATES, STEPS * STATES, 4e-6
    dense, square = 2e-9 * STEPS * WIDTH * 2 * STATES, 2e-9 * STEPS * WIDTH * WIDTH
    wide, thin = STEPS * 2 * STATES * mega, STEPS * WIDTH * mega
    pooled = pool(small)
    return [
        Part("front end: recurrence", 1, front, (rates, table), 38e-9 * events, wide + 2),
        Part("its adjoint", 1, reverse(front), (states, rates, table), 100e-9 * events, 2 * wide + 4),
        Part("front end: two pools", 2, pool, (small,), 2e-9 * ROWS * EVENTS * WIDTH, thin + 1),
        Part("their adjoints", 2, reverse(pool), (pooled, small), 2e-9 * ROWS * EVENTS * WIDTH, thin + 1),
        Part("blocks: recurrence", 2, later, (rates, drive), 38e-9 * many, 2 * wide),
        Part("its adjoint, with it", 2, reverse(later), (states, rates, drive), 100e-9 * many, 4 * wide),
        Part("blocks: B u", 2, product, (x, b), dense, wide + thin),
        Part("its two reverse products", 2, reverse(product), (y, x, b), 2 * dense, 2 * (wide + thin)),
        Part("blocks: C x", 3, product, (y, c), dense, wide + thin),
        Part("its two reverse products", 3, reverse(product), (x, y, c), 2 * dense, 2 * (wide + thin)),
        Part("blocks: norm", 2, norm, (x, one, one), 8e-9 * STEPS * WIDTH, 2 * thin),
        Part("its reverse", 2, reverse(norm), (x, x, one, one), 14e-9 * STEPS * WIDTH, 3 * thin),
        Part("blocks: gate", 3, gated, (x, w, one), square + 4e-8 * STEPS * WIDTH, 2 * thin),
        Part("its reverse, with it", 3, reverse(gated), (x, x, w, one), 3 * square, 5 * thin),
    ]


def main() -> None:
    key = jax.random.key(1)
    a = jax.random.normal(key, (2048, 2048))
    peak = 2e-9 * 2048**3 / seconds(lambda a, b: a @ b, (a, a))
    whole = jnp.ones(1 << 26)
    copy = 2 * 4e-9 * whole.size / seconds(lambda x: x + 1, (whole,))
    print(f"Matrix products: {peak:.0f} GFLOP/s. Copies: {copy:.1f} GB/s.\n")
    print("| part | times | ms in all | GFLOP/s | of the products' rate | GB/s | of the copies' rate |")
    print("|---|---|---|---|---|---|---|")
    total = 0.0
    for part in parts():
        taken = seconds(part.run, part.arguments)
        total += part.times * taken
        flops, rate = part.gflop / taken, 1e-3 * part.megabytes / taken
        cells = f"{1e3 * part.times * taken:.1f}", f"{flops:.0f}", f"{flops / peak:.0%}", f"{rate:.1f}"
        print("|", " | ".join((part.name, str(part.times), *cells, f"{rate / copy:.0%}")), "|")
    print(
        f"\nIn all {1e3 * total:.0f} ms for {ROWS * EVENTS:,} events, without the second stage (an eighth)."
    )


if __name__ == "__main__":
    main()
