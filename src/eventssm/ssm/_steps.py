"""What flows between layers: a padded sequence that knows how much of it is real."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int32


class Steps(eqx.Module):
    """A sequence of steps, the first `count` of which are real and the rest padding.

    `gaps[k]` is the time BEFORE step k, in milliseconds. Step k has the k-th row of `rows`, or the row
    `index[k]` where there is an index: events are rows of a table with one row for each channel. What the
    padding holds is arbitrary but finite; no layer lets it into a result.
    """

    rows: Float[Array, "row width"]
    gaps: Float[Array, " step"]
    count: Int32[Array, ""]
    index: Int32[Array, " step"] | None = None
    shared: bool = eqx.field(static=True, default=False)
    """Gradients are taken outside of the `jax.vmap` over recordings, whose table this is."""

    @property
    def values(self) -> Float[Array, "step width"]:
        """The row of each step; NaN for an index that has no row."""
        if self.index is None:
            return self.rows
        at = jnp.where(
            self.index < 0, self.rows.shape[0], self.index
        )  # a negative one would count from the end
        return self.rows.at[at].get(mode="fill", fill_value=np.nan)

    @property
    def real(self) -> Bool[Array, " step"]:
        """Which steps are not padding."""
        return real_steps(self.gaps.shape[0], self.count)

    def uses(self, index: Int32[Array, " step"]) -> Float[Array, " row"]:
        """How many real steps have each row."""
        real = self.real.astype(self.rows.dtype)
        return jnp.zeros(self.rows.shape[0], real.dtype).at[index].add(real, mode="drop")

    def with_rows(self, rows: Float[Array, "row out"]) -> "Steps":
        """The same steps with other rows."""
        return type(self)(rows, self.gaps, self.count, self.index, self.shared)

    def gathered(self) -> "Steps":
        """The same steps, each with a row of its own."""
        return type(self)(self.values, self.gaps, self.count)

    def with_unit_gaps(self) -> "Steps":
        """The same steps, one millisecond apart: what is left when event times are not used."""
        return type(self)(self.rows, jnp.ones_like(self.gaps), self.count, self.index, self.shared)


def real_steps(slots: int, count: Int32[Array, ""]) -> Bool[Array, " step"]:
    """Which of `slots` steps are among the first `count`."""
    return jnp.arange(slots, dtype=jnp.int32) < count


def where_real(real: Bool[Array, " step"], values: Float[Array, "step *rest"]) -> Float[Array, "step *rest"]:
    """`values`, with zeros in place of padding."""
    return jnp.where(real.reshape(real.shape + (1,) * (values.ndim - 1)), values, jnp.zeros_like(values))
