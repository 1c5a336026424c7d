"""EVT 3.0, word by word, and beside a plain decoder that takes one word after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eventssm as es
from eventssm import InputError
from eventssm.files._evt3 import _Decoder
from tests.files.samples import EVT3_VECTORS, evt3_bytes

KINDS = [0, 2, 3, 4, 5, 6, 8, 10, 14]


def plain(words: list[int]) -> list[tuple[int, int, int, int]]:
    """The format's documentation, in its own order."""
    high = low = y = base = polarity = turns = 0
    events = []
    for word in words:
        kind, content = word >> 12, word & 0xFFF
        match kind:
            case 0:
                y = content & 0x7FF
            case 2:
                events.append((turns * 2**24 + high * 4096 + low, content & 0x7FF, y, content >> 11))
            case 3:
                base, polarity = content & 0x7FF, content >> 11
            case 4 | 5:
                for bit in range(12 if kind == 4 else 8):
                    if content >> bit & 1:
                        events.append((turns * 2**24 + high * 4096 + low, base + bit, y, polarity))
                base += 12 if kind == 4 else 8
            case 6:
                low = content
            case 8:
                turns += high - content >= 2048
                low = low if content == high else 0
                high = content
    return events


@given(
    st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 0xFFF)), max_size=60),
    st.lists(st.integers(0, 60), max_size=3),
)
def test_any_words_in_any_pieces_as_the_plain_decoder(pairs, cuts):
    words = [kind << 12 | content for kind, content in pairs]
    decoder = _Decoder(0)
    found = []
    for piece in np.split(np.array(words, "<u2"), sorted(cuts)):
        if len(piece):
            columns = decoder.decode(piece, np.arange(len(piece)))
            found += list(zip(*(columns[name].tolist() for name in ("t", "x", "y", "p")), strict=True))
    assert found == plain(words)


def test_vectors_by_hand(tmp_path):
    (tmp_path / "a.raw").write_bytes(evt3_bytes(EVT3_VECTORS))
    events = es.read(tmp_path / "a.raw")
    assert events.t.tolist() == [4101] * 7 + [4105, 8192]
    assert events.x.tolist() == [16, 27, 28, 29, 40, 47, 5, 5, 6]
    assert events.p.tolist() == [True] * 6 + [False, True, True]
    assert plain(EVT3_VECTORS) == list(
        zip(events.t.tolist(), events.x.tolist(), events.y.tolist(), events.p.tolist(), strict=True)
    )


def test_time_goes_on_where_its_word_starts_again(tmp_path):
    words = [0x0001, 0x8FFF, 0x6FFF, 0x2001, 0x8000, 0x2001, 0x8800, 0x2001, 0x8FFE, 0x8001, 0x6001, 0x2001]
    (tmp_path / "a.raw").write_bytes(evt3_bytes(words))
    turn = 2**24
    assert es.read(tmp_path / "a.raw").t.tolist() == [turn - 1, turn, turn + 2**23, 2 * turn + 4097]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([0x8001, 0x0007, 0x2040], r"x\[0\]: expected 0 <= x < 64, got 64 \(byte 37\)"),
        ([0x8001, 0x0007, 0x303F, 0x4003], r"x\[1\]: expected 0 <= x < 64, got 64 \(byte 39\)"),
        ([0x8001, 0x0030, 0x2001], r"y\[0\]: expected 0 <= y < 48, got 48 \(byte 37\)"),
        (
            [0x8001, 0x6002, 0x2001, 0x6001, 0x2001],
            r"t\[1\]: expected a time >= 4098 .* got 4097 \(byte 41\)",
        ),
    ],
)
def test_damage(tmp_path, words, complaint):
    (tmp_path / "a.raw").write_bytes(evt3_bytes(words))
    with pytest.raises(InputError, match=complaint):
        es.read(tmp_path / "a.raw")


def test_a_half_word_at_the_end(tmp_path):
    (tmp_path / "a.raw").write_bytes(evt3_bytes([0x8001])[:-1])
    with pytest.raises(InputError, match="byte 33: expected a whole record of 2 bytes, got 1"):
        es.read(tmp_path / "a.raw")
