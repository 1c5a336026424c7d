"""The equations of the cochlea as on paper, in float64, one step and one unknown after the other."""

import numpy as np

from eventssm.cochlea import BushyCell, Cochlea, HairCell

LENGTH = 0.035


def membrane(cochlea: Cochlea, sections: int, stapes: np.ndarray) -> np.ndarray:
    """Velocity `[step, section]` of the membrane for the stapes' velocity, from rest.

    Every equation of motion is one row of a dense system, taken between two steps: unknowns are the new
    displacement y, velocity v, outflow w, and the pressure p half way.
    """
    m, dt, n = cochlea.membrane, 1 / cochlea.rate, sections
    dx = LENGTH / n
    x = dx * (np.arange(n) + 0.5)
    stiffness, damping = m.stiffness * np.exp(-m.decay * x), m.damping * np.exp(-m.decay * x / 2)
    speed = np.sqrt(m.height * m.stiffness * np.exp(-m.decay * LENGTH) / (2 * m.density))
    eye, zero, column = np.eye(n), np.zeros((n, n)), np.zeros((n, 1))
    last, row = eye[:, -1:], np.zeros((1, n))
    slope = np.diff(np.vstack([row, eye]), axis=0)  # p[i] - p[i - 1]; nothing for the face at the stapes
    slope[0] = 0.0
    bend = (np.vstack([slope[1:], row]) - slope) / dx  # net slope of each section's faces but the outer two

    def halves(new: float) -> np.ndarray:
        """The equations' share in the new (or, with -1, the old) values of y, v and w."""
        sign = 1.0 if new > 0 else -1.0
        return np.block(
            [
                # dy/dt = v
                [sign * eye / dt, -eye / 2, column],
                # 0 = mass dv/dt + damping v + stiffness y - p
                [np.diag(stiffness) / 2, sign * m.mass * eye / dt + np.diag(damping) / 2, column],
                # 0 = 2 density / height dv/dt dx - d²p/dx² dx; at the end dp/dx = -2 density dw/dt
                [zero, sign * 2 * m.density * dx / m.height * eye / dt, sign * 2 * m.density / dt * last],
                # p at the face = p in the last section - dx density dw/dt = 2 density speed w
                [row, row, np.array([[sign * m.density * dx / dt + m.density * speed]])],
            ]
        )

    pressures = np.vstack([zero, -eye, -bend, -last.T])
    inverse = np.linalg.inv(np.hstack([halves(+1), pressures]))
    state, out, before = np.zeros(2 * n + 1), [], 0.0
    old = halves(-1)
    for u in stapes:
        right = -old @ state
        right[2 * n] += 2 * m.density * (u - before) / dt  # dp/dx = -2 density du/dt at the stapes
        state = (inverse @ right)[: 2 * n + 1]
        before = u
        out.append(state[n : 2 * n].copy())
    return np.array(out)


def hair_cell(cell: HairCell, rate: int, moved: np.ndarray) -> np.ndarray:
    """Transmitter in the cleft after each step, from the balance that silence leaves."""
    k = cell.release * cell.a / (cell.a + cell.b)
    # replenish (1 - q) = loss c, k q = (loss + recover) c, reprocess w = recover c
    share = (cell.loss + cell.recover) / k
    c = cell.replenish / (cell.loss + cell.replenish * share)
    q, w = share * c, cell.recover * c / cell.reprocess
    out, dt = [], 1 / rate
    for s in moved:
        k = cell.release * (s + cell.a) / (s + cell.a + cell.b) if s + cell.a > 0 else 0.0
        dq = cell.replenish * (1 - q) - k * q + cell.reprocess * w
        dc = k * q - cell.loss * c - cell.recover * c
        dw = cell.recover * c - cell.reprocess * w
        q, c, w = q + dq * dt, c + dc * dt, w + dw * dt
        out.append(c)
    return np.array(out)


def bushy_cell(cell: BushyCell, rate: int, spikes: np.ndarray) -> list[int]:
    """Steps at which a cell makes an event, for the number of spikes at each step."""
    potential, ready_at, events = 0.0, 0, []
    rest = round(cell.rest_ms * rate / 1e3)
    for step, count in enumerate(spikes):
        if step < ready_at:
            continue
        potential = potential * np.exp(-1e3 / rate / cell.decay_ms) + cell.weight * count
        if potential >= 1:
            events.append(step)
            potential, ready_at = 0.0, step + 1 + rest
    return events
