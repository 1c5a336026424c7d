"""What flows between layers: a padded sequence that knows how much of it is real."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int32


class Steps(eqx.Module):
    """A sequence of steps, the first `count` of which are real and the rest padding.

    `gaps[k]` is the time BEFORE step k, in milliseconds. What the padding holds is arbitrary but finite;
    no layer lets it into a result.
    """

    values: Float[Array, "step width"]
    gaps: Float[Array, " step"]
    count: Int32[Array, ""]

    @property
    def real(self) -> Bool[Array, " step"]:
        """Which steps are not padding."""
        return real_steps(self.gaps.shape[0], self.count)

    def with_values(self, values: Float[Array, "step out"]) -> "Steps":
        """The same steps with other values."""
        return type(self)(values, self.gaps, self.count)

    def with_unit_gaps(self) -> "Steps":
        """The same steps, one millisecond apart: what is left when event times are not used."""
        return type(self)(self.values, jnp.ones_like(self.gaps), self.count)


def real_steps(slots: int, count: Int32[Array, ""]) -> Bool[Array, " step"]:
    """Which of `slots` steps are among the first `count`."""
    return jnp.arange(slots, dtype=jnp.int32) < count


def where_real(real: Bool[Array, " step"], values: Float[Array, "step *rest"]) -> Float[Array, "step *rest"]:
    """`values`, with zeros in place of padding."""
    return jnp.where(real.reshape(real.shape + (1,) * (values.ndim - 1)), values, jnp.zeros_like(values))
