"""Sound from arrays and files: mixed, measured, levelled, and refused where it is none."""

import numpy as np
import pytest
import soundfile

from eventssm import InputError
from eventssm.cochlea import ArraySound, FileSound
from eventssm.cochlea._sound import levelled, measure


def samples(sound) -> np.ndarray:
    return np.concatenate(list(sound.blocks()))


@pytest.mark.parametrize(
    ("suffix", "subtype", "tolerance"),
    [
        ("wav", "PCM_16", 1e-4), ("wav", "PCM_24", 1e-6), ("wav", "FLOAT", 1e-7), ("wav", "PCM_U8", 1e-2),
        ("flac", "PCM_16", 1e-4), ("aiff", "PCM_16", 1e-4), ("ogg", "VORBIS", 0.1),
    ],
)  # fmt: skip
def test_files_hold_what_was_written(tmp_path, suffix, subtype, tolerance, rng):
    t = np.arange(70_000) / 44_100
    ears = np.stack([0.5 * np.sin(2 * np.pi * 440 * t), 0.2 * np.sin(2 * np.pi * 1000 * t)], axis=1)
    path = tmp_path / f"tone.{suffix}"
    soundfile.write(path, ears, 44_100, subtype=subtype)
    sound = FileSound(path)
    assert (sound.rate, sound.frames) == (44_100, 70_000)
    np.testing.assert_allclose(samples(sound), ears.mean(axis=1), atol=tolerance)
    np.testing.assert_array_equal(samples(sound), samples(sound))


def test_a_suffix_tells_nothing(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.ones(100), 48_000)
    for name in ("a.raw", "a.flac", "a"):
        (tmp_path / name).write_bytes((tmp_path / "a.wav").read_bytes())
        assert FileSound(tmp_path / name).frames == 100


def test_whole_numbers_are_at_full_scale():
    np.testing.assert_array_equal(samples(ArraySound(np.array([-32768, 16384], np.int16), 8000)), [-1, 0.5])
    np.testing.assert_array_equal(samples(ArraySound(np.array([[0.5, 0.0]], np.float32), 8000)), [0.25])


def test_the_level_is_of_the_whole_before_the_ramps(rng):
    noise = 1e-3 * rng.standard_normal(100_000)
    sound = ArraySound(noise, 48_000)
    assert measure(sound).rms == pytest.approx(np.sqrt(np.mean(noise**2)), rel=1e-12)
    got = np.concatenate(list(levelled(sound, measure(sound), 0.3, 10.0)))
    want = noise * 0.3 / np.sqrt(np.mean(noise**2))
    np.testing.assert_allclose(got[480:-480], want[480:-480], rtol=1e-12)
    ramp = 0.5 - 0.5 * np.cos(np.pi * np.arange(480) / 480)
    np.testing.assert_allclose(got[:480], want[:480] * ramp, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(got[::-1][:480], want[::-1][:480] * ramp, rtol=1e-9, atol=1e-15)


@pytest.mark.usefixtures("as_a_user")
@pytest.mark.parametrize(
    ("audio", "rate", "message"),
    [
        (np.zeros(0), 48_000, "audio: expected samples, got none"),
        (np.zeros((4, 0)), 48_000, "audio: expected at least one ear, got none"),
        (np.zeros((4, 2, 2)), 48_000, r"audio: expected an array \[sample\] or \[sample, ear\], got 3 axes"),
        (np.zeros(4, complex), 48_000, "audio: expected samples of float, int16 or int32, got complex128"),
        (np.zeros(4, np.uint8), 48_000, "audio: expected samples of float, int16 or int32, got uint8"),
        (np.ones(4), 0, "rate: expected a whole number >= 1, got 0"),
        (np.ones(4), 48e3, "rate: expected a whole number >= 1, got 48000.0"),
        (np.ones(4), 10**9, "rate: expected 1000 to 768000 samples a second, got 1000000000"),
        (np.zeros(9000), 48_000, "audio: expected sound, got silence"),
        (np.array([1.0, 2.0, np.nan]), 48_000, r"audio\[2\]: expected a finite number, got nan"),
        (np.array([[1.0, np.inf], [1.0, -np.inf]]), 48_000, r"audio\[0\]: expected a finite number, got inf"),
        (np.full(9000, 1e200), 48_000, "audio: expected samples whose squares can be summed, got larger"),
        (np.ones(2879), 48_000, "audio: expected at least 60 ms, two ramps of 30 ms, got 59.9792 ms"),
    ],
)
def test_what_is_no_sound_is_refused(audio, rate, message):
    with pytest.raises(InputError, match=message):
        sound = ArraySound(audio, rate)
        list(levelled(sound, measure(sound), 0.3, 30.0))


def test_files_that_are_no_sound_are_refused(tmp_path):
    path = tmp_path / "a.wav"
    with pytest.raises(FileNotFoundError):
        FileSound(path)
    with pytest.raises(IsADirectoryError):
        FileSound(tmp_path)
    for content, message in (
        (b"", "a.wav: file: expected audio, got an empty file"),
        (
            b"no sound at all",
            "a.wav: file: expected audio such as wav, flac or ogg, got libsndfile's 'Format",
        ),
    ):
        path.write_bytes(content)
        with pytest.raises(InputError, match=message):
            FileSound(path)
    soundfile.write(path, np.zeros((0, 1)), 48_000)
    with pytest.raises(InputError, match=r"a\.wav: audio: expected samples, got none"):
        FileSound(path)
    soundfile.write(path, np.array([0.1, np.nan]), 48_000, subtype="FLOAT")
    with pytest.raises(InputError, match=r"a\.wav: audio\[1\]: expected a finite number, got nan"):
        samples(FileSound(path))


@pytest.mark.parametrize("suffix", ["wav", "flac", "ogg"])
def test_damaged_files_are_read_as_far_or_refused(tmp_path, suffix, rng):
    """Never a crash, never fewer samples than the file says; what libsndfile repairs, it repairs."""
    whole = tmp_path / f"whole.{suffix}"
    soundfile.write(whole, 0.1 * rng.standard_normal(20_000), 48_000)
    data = whole.read_bytes()
    path = tmp_path / f"part.{suffix}"
    outcomes = set()
    for number in range(60):
        broken = bytearray(data[: rng.integers(1, len(data))] if number % 2 else data)
        for _ in range(number // 10):
            broken[rng.integers(len(broken))] = rng.integers(256)
        path.write_bytes(broken)
        try:
            sound = FileSound(path)
            assert len(samples(sound)) == sound.frames
            outcomes.add("read")
        except InputError as refused:
            assert str(refused).startswith(str(path))
            outcomes.add("refused")
    assert "refused" in outcomes


def test_wav_that_was_cut_short_is_refused_and_a_stream_is_not(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, np.full(20_000, 0.1), 48_000)
    data = path.read_bytes()
    path.write_bytes(data[:-2])
    with pytest.raises(
        InputError, match=r"a\.wav: audio: expected 40000 bytes, as its start says, got 39998"
    ):
        FileSound(path)
    size = data.index(b"data") + 4
    path.write_bytes(data[:size] + b"\xff" * 4 + data[size + 4 :])
    assert len(samples(FileSound(path))) == 20_000
