"""Groups: their values by hand, and their independence of where a stream is cut."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventssm import ssm
from tests.support import close

VALUES = np.arange(1.0, 8.0)[:, None] * [1.0, -1.0]
GAPS = np.array([0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 9.0])


def steps(values, gaps, count=None):
    return ssm.Steps(
        jnp.asarray(values), jnp.asarray(gaps), jnp.asarray(len(gaps) if count is None else count, jnp.int32)
    )


@pytest.mark.parametrize(
    ("mode", "read_out", "want"),
    [
        ("mean", "last", [2.0, 5.0]),
        ("last", "last", [3.0, 6.0]),
        ("last", "first", [1.0, 4.0]),
        ("time", "last", [(2.0 * 1 + 3.0 * 2) / 3, 4.0]),
    ],
)
def test_values_by_hand(mode, read_out, want, float64):
    pooled, rest = ssm.Pooling(3, mode, read_out)(steps(VALUES, GAPS))
    assert int(pooled.count) == 2
    close(pooled.values[:2, 0], np.array(want), 1e-5)
    close(pooled.values[:2, 1], -np.array(want), 1e-5)
    close(pooled.gaps[:2], np.array([3.0, 3.0]), 0)
    assert int(rest.count) == 1
    close(rest.gap, np.array(9.0), 0)


def test_a_group_of_simultaneous_events_has_its_plain_mean(float64):
    pooled, _ = ssm.Pooling(3, "time")(steps(VALUES[:3], np.zeros(3)))
    close(pooled.values[0], VALUES[:3].mean(0), 1e-12)


def test_a_stride_of_one_changes_nothing(rng, float64):
    values, gaps = rng.normal(size=(9, 2)), rng.exponential(size=9)
    for mode in ("mean", "last", "time"):
        pooled, rest = ssm.Pooling(1, mode)(steps(values, gaps, 7))
        close(pooled.values[:7], values[:7], 0)
        close(pooled.gaps[:7], gaps[:7], 0)
        assert (int(pooled.count), int(rest.count)) == (7, 0)


RUN = jax.jit(lambda pooling, steps, state: pooling(steps, state), static_argnums=0)


@pytest.mark.parametrize("mode", ["mean", "last", "time"])
@given(data=st.data())
@settings(max_examples=25)
def test_where_a_stream_is_cut_changes_nothing(mode, data):
    with jax.enable_x64(True):
        pooling, slots = ssm.Pooling(4, mode), 12
        rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
        lengths = data.draw(st.lists(st.integers(0, slots), min_size=1, max_size=5))
        total = sum(lengths)
        values, gaps = rng.normal(size=(total + slots, 2)), rng.exponential(size=total + slots)

        longest = 5 * slots
        padded = np.resize(values, (longest, 2)), np.resize(gaps, longest)
        whole, whole_rest = RUN(pooling, steps(*padded, total), None)
        state, start, pieces, piece_gaps = (
            pooling.init_state(2, jnp.float64),
            0,
            [np.zeros((0, 2))],
            [np.zeros(0)],
        )
        for length in lengths:
            piece = slice(start, start + slots)
            pooled, state = RUN(pooling, steps(values[piece], gaps[piece], length), state)
            pieces.append(np.asarray(pooled.values[: int(pooled.count)]))
            piece_gaps.append(np.asarray(pooled.gaps[: int(pooled.count)]))
            start += length
        count = int(whole.count)
        assert count == total // 4
        close(np.concatenate(pieces), whole.values[:count], 1e-12)
        close(np.concatenate(piece_gaps), whole.gaps[:count], 1e-12)
        for a, b in zip(jax.tree.leaves(state), jax.tree.leaves(whole_rest), strict=True):
            close(a, b, 1e-12)
