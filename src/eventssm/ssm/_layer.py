"""The state-space layer: a diagonal linear system, solved exactly between events."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax
from jax.typing import DTypeLike
from jaxtyping import Array, Complex, Float, Int, PRNGKeyArray

from eventssm import _checks
from eventssm.ssm import _initialisation as initialisation
from eventssm.ssm._discretisation import Discretization, decay, input_factor
from eventssm.ssm._pooling import Pooling, PoolingState
from eventssm.ssm._recurrence import recurrence
from eventssm.ssm._scan import ScanMethod, linear_scan
from eventssm.ssm._spectrum import FreeSpectrum, SpectrumKind, StableSpectrum
from eventssm.ssm._steps import Steps, where_real


class StateSpaceState(eqx.Module):
    """The system's state after the last step, and the inputs of the group that is being filled."""

    x: Complex[Array, " state"]
    inputs: PoolingState


class StateSpaceLayer(eqx.Module):
    """`x[m] = exp(Λ δ Δ[m]) x[m-1] + factor B u[m]`,  `y = Re(C x) + D u` at the end of each group.

    The gap Δ[m] is the time BEFORE step m, so that a step can be processed the moment it arrives. The
    output of a group reads the state after its last step and the pooled inputs. Where only one of each
    conjugate pair of states is kept (`conjugate`), `y = 2 Re(C x) + D u`. B and C are pairs of real
    matrices, the real parts first.
    """

    spectrum: StableSpectrum | FreeSpectrum
    log_delta: Float[Array, " state"]
    B: Float[Array, "2 state in"]
    C: Float[Array, "2 out state"]
    D: Float[Array, " out"] | Float[Array, "out in"]
    pooling: Pooling
    discretization: Discretization = eqx.field(static=True)
    conjugate: bool = eqx.field(static=True)
    scan: ScanMethod = eqx.field(static=True, default="auto")

    @classmethod
    def create(
        cls,
        d_in: int,
        d_out: int,
        d_state: int,
        pooling: Pooling,
        key: PRNGKeyArray,
        *,
        block_size: int,
        conjugate: bool,
        dt_min: float,
        dt_max: float,
        discretization: Discretization = "async",
        c_init: initialisation.OutputInit = "lecun_normal",
        spectrum: SpectrumKind = "stable",
        scan: ScanMethod = "auto",
        dtype: DTypeLike = jnp.float32,
    ) -> "StateSpaceLayer":
        """HiPPO-LegS blocks on the diagonal; see `_initialisation` for every starting value."""
        to_b, to_c, to_d, to_delta = jax.random.split(key, 4)
        eigenvalues, basis = initialisation.block_diagonal_basis(d_state, block_size, conjugate)
        real, imag = jnp.asarray(eigenvalues.real, dtype), jnp.asarray(eigenvalues.imag, dtype)
        return cls(
            spectrum=StableSpectrum(jnp.log(-real), imag)
            if spectrum == "stable"
            else FreeSpectrum(real, imag, clipped=spectrum == "clipped"),
            log_delta=initialisation.log_time_scales(real.shape[0], dt_min, dt_max, to_delta, dtype),
            B=initialisation.input_matrix(basis, d_in, to_b, dtype),
            C=initialisation.output_matrix(basis, d_out, c_init, to_c, dtype),
            D=initialisation.feedthrough(d_in, d_out, to_d, dtype),
            pooling=pooling,
            discretization=discretization,
            conjugate=conjugate,
            scan=scan,
        )

    def init_state(self) -> StateSpaceState:
        """The state before the first step: zero."""
        _checks.check(
            self.pooling.read_out == "last", "read_out", "'last' for a state that goes on", "'first'"
        )
        inputs = self.pooling.init_state(self.B.shape[2], self.B.dtype)
        return StateSpaceState(jnp.zeros_like(self.spectrum()), inputs)

    def __call__(self, steps: Steps, state: StateSpaceState | None = None) -> tuple[Steps, StateSpaceState]:
        """Outputs of a whole sequence that goes on from `state`, or starts from zero without one.

        Padding keeps the state: its decay is 1 and its drive 0.
        """
        pooled, inputs = self.pooling(steps, None if state is None else state.inputs)
        goes_on = state is not None and self.pooling.stride > 1
        by_groups = self.scan == "auto" and self.pooling.read_out == "last" and not goes_on
        states, last = self._states_of_groups(steps, state) if by_groups else self._states(steps, state)
        return pooled.with_rows(self.read(states, pooled.rows)), StateSpaceState(last, inputs)

    def _states(
        self, steps: Steps, state: StateSpaceState | None
    ) -> tuple[Float[Array, "group 2 state"], Complex[Array, " state"]]:
        """The states that are read, out of the states after every step; and the last one."""
        real = steps.real
        gaps = where_real(real, steps.gaps)
        drive = jnp.where(real[:, None], self.drive(steps.values, gaps), 0.0)
        initial = jnp.zeros_like(drive[0]) if state is None else state.x
        states, last = linear_scan(self.decay(gaps), drive, initial, self.scan)
        pending: Int[Array, ""] | None = None if state is None else state.inputs.count
        return pairs(self.pooling.read(states, pending)), last

    def _states_of_groups(
        self, steps: Steps, state: StateSpaceState | None
    ) -> tuple[Float[Array, "group 2 state"], Complex[Array, " state"]]:
        """The same, where nothing is kept of the steps inside a group."""
        eigenvalues, delta = self.spectrum(), self.delta
        initial = jnp.zeros_like(eigenvalues) if state is None else state.x
        states, last = recurrence(
            jnp.stack((eigenvalues.real, eigenvalues.imag, delta)),
            steps.gaps,
            self._input(steps.rows),
            steps.count,
            jnp.stack((initial.real, initial.imag)),
            steps.index,
            every=self.pooling.stride,
            holds=self.discretization == "zoh",
            shared=steps.shared,
        )
        return states, lax.complex(last[0], last[1])

    def step(self, u: Float[Array, " in"], gap: Float[Array, ""], state: StateSpaceState) -> StateSpaceState:
        """The state after one more step; `emit` reads the output where this fills a group."""
        x = self.decay(gap) * state.x + self.drive(u, gap)
        return StateSpaceState(x, self.pooling.add(u, gap, state.inputs))

    def emit(self, state: StateSpaceState) -> tuple[Float[Array, " out"], StateSpaceState]:
        """Output of the full group, and the state with an empty one."""
        pooled, _, inputs = self.pooling.take(state.inputs)
        return self.read(pairs(state.x), pooled), StateSpaceState(state.x, inputs)

    @property
    def delta(self) -> Float[Array, " state"]:
        """δ: how fast each state lives; 1/δ is its time scale in milliseconds."""
        return jnp.exp(self.log_delta)

    def decay(self, gaps: Float[Array, "*step"]) -> Complex[Array, "*step state"]:
        """Λ̄: what each state keeps over each gap."""
        return decay(self.spectrum(), self.delta, gaps)

    def drive(
        self, u: Float[Array, "*step in"], gaps: Float[Array, "*step"]
    ) -> Complex[Array, "*step state"]:
        """B̄ u: what each step adds to the state."""
        pairs = self._input(u)
        driven = lax.complex(pairs[..., 0, :], pairs[..., 1, :])
        if self.discretization != "zoh":
            return driven
        return input_factor("zoh", self.spectrum(), self.delta, gaps) * driven

    def _input(self, u: Float[Array, "*row in"]) -> Float[Array, "*row 2 state"]:
        """B u, times what of the input factor does not depend on the gap."""
        matrix = self.B
        if self.discretization == "async":
            unit = jnp.ones((), self.B.dtype)
            factor = input_factor("async", self.spectrum(), self.delta, unit)[..., None]
            real = factor.real * self.B[0] - factor.imag * self.B[1]
            matrix = jnp.stack((real, factor.real * self.B[1] + factor.imag * self.B[0]))
        flat = matrix.reshape(-1, matrix.shape[-1])
        return (u @ flat.T).reshape(*u.shape[:-1], *matrix.shape[:-1])

    def read(
        self, x: Float[Array, "*step 2 state"], u: Float[Array, "*step in"]
    ) -> Float[Array, "*step out"]:
        """`Re(C x) + D u`, with twice the real part where states stand for conjugate pairs.

        x comes as real and imaginary parts, so that one real matrix product does it.
        """
        matrix = jnp.concatenate((self.C[0], -self.C[1]), axis=1)
        y = x.reshape(*x.shape[:-2], -1) @ matrix.T
        through = u * self.D if self.D.ndim == 1 else u @ self.D.T
        return (2.0 * y if self.conjugate else y) + through


def pairs(x: Complex[Array, "*step state"]) -> Float[Array, "*step 2 state"]:
    """Real and imaginary parts."""
    return jnp.stack((x.real, x.imag), axis=-2)
