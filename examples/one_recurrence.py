"""One model, three ways to read 100,000 events: as a whole, in pieces, one by one.

Run it with `python examples/one_recurrence.py`.
"""

import time

import jax
import jax.numpy as jnp
import numpy as np

import eventssm as es


def main() -> None:
    rng = np.random.default_rng(0)
    cochlea = es.Sensor(name="cochlea", channels=700)
    times = np.cumsum(rng.integers(0, 200, 100_000))
    events = es.Events(cochlea, t=times, channel=rng.integers(0, 700, 100_000))
    channels, gaps = events.channel, events.gaps_ms()
    model = es.Classifier(es.presets["shd-tiny"], key=jax.random.key(0))
    print(f"{events}; a prediction every {model.config.events_per_prediction} events")

    whole = model.anytime(channels, gaps)
    want = np.asarray(whole.logits[: int(whole.count)])

    state, pieces = model.init_state(), []
    for start in range(0, len(events), 7_777):
        piece = slice(start, start + 7_777)
        predictions, state = model.advance(channels[piece], gaps[piece], state)
        pieces.append(np.asarray(predictions.logits[: int(predictions.count)]))
    print(f"whole and in pieces of 7,777 events: logits differ by at most {apart(pieces, want):.1e}")

    def one(state, event):
        logits, new, state = model.step(*event, state)
        return state, (logits, new)

    run = jax.jit(lambda state: jax.lax.scan(one, state, (jnp.asarray(channels), jnp.asarray(gaps))))
    run(model.init_state())[1][0].block_until_ready()
    began = time.perf_counter()
    _, (logits, new) = run(model.init_state())
    logits = np.asarray(logits)[np.asarray(new)]
    seconds = time.perf_counter() - began
    print(f"whole and one by one: at most {apart([logits], want):.1e}")
    print(f"one by one took {seconds / len(events) * 1e6:.1f} us an event")


def apart(pieces: list[np.ndarray], want: np.ndarray) -> float:
    """Largest difference, as a share of the logits' range."""
    return float(np.abs(np.concatenate(pieces) - want).max() / (want.max() - want.min()))


if __name__ == "__main__":
    main()
