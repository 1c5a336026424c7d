"""The whole chain: seeds, cuts, rates, ears, and where speech is heard."""

import itertools
import shutil
import subprocess

import h5py
import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from eventssm import Events, InputError
from eventssm.bench._hear import voice
from eventssm.cochlea import ArraySound, Cochlea, FileSound, Listener, hear, hear_pieces

RATE = 48_000
SMALL = Cochlea(channels=28)


@pytest.fixture(scope="module")
def word() -> np.ndarray:
    return voice(0.5, RATE)


@pytest.fixture(scope="module")
def heard(word) -> Events:
    return hear(word, RATE)


def test_half_a_second_gives_thousands_of_events_where_speech_is(word, heard):
    assert 3000 < len(heard) < 20_000
    assert heard.sensor.channels == 700 and heard.t[0] >= 0 and heard.t[-1] < 500_000
    per_channel = np.bincount(heard.channel, minlength=700)
    assert per_channel[400:].sum() > 0.6 * len(heard)  # below 1.1 kHz
    assert per_channel[:100].sum() < 0.02 * len(heard)  # above 9 kHz, where there is nothing
    pauses = np.concatenate([heard.between(0, 20_000).channel, heard.between(480_000, 500_000).channel])
    assert len(pauses) / 0.04 < 0.3 * len(heard) / 0.5


def test_seeds(word, heard):
    assert hear(word, RATE, seed=0) == heard
    other = hear(word, RATE, seed=1)
    assert other != heard and abs(len(other) - len(heard)) < 0.1 * len(heard)


def test_loudness_does_not_matter(word):
    quiet = hear(word * 2.0**-20, RATE, SMALL)
    assert quiet == hear(word, RATE, SMALL) and len(quiet) > 100


@pytest.mark.parametrize("wave", ["published", "forward"])
def test_tones_are_heard_at_their_places(wave):
    t = np.arange(RATE // 2) / RATE
    for tone in (250, 1000, 4000):
        events = hear(np.sin(2 * np.pi * tone * t), RATE, Cochlea(wave=wave))
        per_channel = np.bincount(events.channel, minlength=700)
        resonance = np.log(1e10 / 0.5 / (2 * np.pi * tone) ** 2) / 300 / 0.035 * 700
        middle = np.median(np.flatnonzero(per_channel > 0.8 * np.quantile(per_channel, 0.99)))
        assert resonance - 120 < middle < resonance
        assert per_channel[int(resonance) + 30 :].mean() < 2 < 20 < per_channel.max()  # 1.1 is silence


def test_the_published_wave_leads_and_the_forward_one_lags():
    click = np.zeros(RATE // 2)
    click[RATE // 4 :: 4800] = 1.0
    for wave, sign in (("published", -1), ("forward", +1)):
        events = hear(click, RATE, Cochlea(wave=wave, drive=300.0))
        high, low = (
            np.median((events.t[np.abs(events.channel - c) < 10] - 250_000 + 50_000) % 100_000)
            for c in (350, 520)
        )
        assert sign * (low - high) > 1000


def test_phase_locking_to_a_low_tone():
    """At 250 Hz events keep to one part of the period."""
    t = np.arange(RATE // 2) / RATE
    events = hear(np.sin(2 * np.pi * 250 * t), RATE)
    at = events.t[(events.channel > 555) & (events.channel < 560) & (events.t > 100_000)]
    strength = np.abs(np.exp(2j * np.pi * 250e-6 * at).mean())
    assert len(at) > 200 and strength > 0.7


@given(st.lists(st.integers(0, 30_000), max_size=4), st.sampled_from(["published", "forward"]))
@settings(max_examples=12)
def test_however_it_is_cut(cuts, wave):
    sound = 0.3 * np.random.default_rng(1).standard_normal(30_000)
    cochlea = Cochlea(channels=28, wave=wave)

    def run(parts: list[np.ndarray]) -> Events:
        listener = Listener(cochlea, 3)
        pieces = [listener.push(part) for part in parts]
        return Events.join(cochlea.sensor, [*pieces, listener.finish()])

    whole = run([sound])
    assert len(whole) > 20 and run(np.split(sound, sorted(cuts))) == whole


def test_files_give_what_arrays_give(word, heard, tmp_path):
    for number, (rate, ears) in enumerate([(RATE, 1), (22_050, 2)]):
        sound = np.repeat(np.float32(word[: int(0.4 * rate)])[:, None], ears, axis=1)
        path = tmp_path / f"{number}.wav"
        soundfile.write(path, sound, rate, subtype="FLOAT")
        pieces = list(hear_pieces(FileSound(path), SMALL, 5))
        assert len(pieces) > 4 and Events.join(SMALL.sensor, pieces) == hear(sound, rate, SMALL, 5)


def test_the_rate_of_the_sound_hardly_matters():
    def at(rate: int) -> np.ndarray:
        return np.bincount(hear(voice(0.5, rate), rate).channel // 50, minlength=14)

    want = at(RATE)
    for rate in (16_000, 44_100, 96_000):
        assert np.abs(at(rate) - want).max() < 0.1 * want.max()


def test_progress_is_told_in_seconds(word):
    told: list[float] = []
    list(hear_pieces(ArraySound(word, RATE), SMALL, 0, told.append))
    assert told == sorted(told) and told[-1] == 0.5 and len(told) > 3


def test_long_sound_takes_constant_memory():
    """Eight seconds on 28 channels: the velocities of them all would be 86 MB."""
    import tracemalloc

    rng = np.random.default_rng(0)

    class Noise:
        rate, name = RATE, "noise"

        def blocks(self):
            for _ in range(16):
                yield rng.standard_normal(RATE // 2)

    hear(voice(0.2, RATE), RATE, SMALL)  # compiled before memory is watched
    tracemalloc.start()
    events = sum(len(piece) for piece in hear_pieces(Noise(), SMALL))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert events > 300 and peak < 40e6


@pytest.mark.usefixtures("as_a_user")
def test_what_a_listener_refuses():
    listener = Listener(SMALL)
    for audio, message in (
        (np.zeros((4, 2)), r"audio: expected an array \[sample\], got 2 axes"),
        (np.zeros(4, np.int16), "audio: expected samples of float, got int16"),
        (np.array([0.0, np.nan]), r"audio\[1\]: expected a number of at most 1e\+06, up or down, got nan"),
        (np.array([-1e300]), r"audio\[0\]: expected a number of at most 1e\+06, up or down, got -1e\+300"),
    ):
        with pytest.raises(InputError, match=message):
            listener.push(audio)
    assert len(listener.push(np.zeros(0))) == 0 and len(listener.finish()) == 0
    with pytest.raises(InputError, match="listener: expected one that has not finished, got one that has"):
        listener.push(np.zeros(4))
    with pytest.raises(InputError, match=r"seed: expected a whole number >= 0, got 0\.5"):
        Listener(SMALL, 0.5)


def test_speech_is_like_the_recordings_of_the_published_chain(shared, tmp_path):
    """A synthetic voice says the digits; rates are those of AudioMNIST's within a factor of two."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("NOT RUN: espeak-ng is not installed")
    rates, places = [], []
    for number, digit in enumerate(("one", "four", "six", "nine")):
        path = tmp_path / "digit.wav"
        subprocess.run(["espeak-ng", "-v", ("en-us", "en-gb")[number % 2], "-w", path, digit], check=True)
        events = hear(*soundfile.read(path))
        rates.append(len(events) / events.duration)
        places.append(np.bincount(events.channel // 50, minlength=14) / len(events))
    with h5py.File(shared / "data" / "audiomnist-spikes-test.h5") as file:
        ends, t, channel = file["offset"][:], file["t_us"][:], file["channel"][:]
        real = np.diff(ends) / np.array([t[a:b].max() for a, b in itertools.pairwise(ends)])
        shares = np.bincount(channel // 50, minlength=14) / len(channel)
    assert 0.5 < np.median(rates) / np.median(real) < 2
    assert np.corrcoef(np.mean(places, axis=0), shares)[0, 1] > 0.7
