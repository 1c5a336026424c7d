"""DAT, record by record."""

import pytest

import eventssm as es
from eventssm import InputError
from tests.files.samples import dat_bytes


def address(x: int, y: int, p: int) -> int:
    return p << 28 | y << 14 | x


START = len(dat_bytes([]))


def test_records(tmp_path):
    (tmp_path / "a.dat").write_bytes(dat_bytes([(5, address(63, 47, 1)), (5, address(0, 2, 0))]))
    events = es.read(tmp_path / "a.dat")
    assert (events.t.tolist(), events.x.tolist()) == ([5, 5], [63, 0])
    assert (events.y.tolist(), events.p.tolist()) == ([47, 2], [True, False])


def test_version_1_has_other_bits(tmp_path):
    (tmp_path / "a.dat").write_bytes(dat_bytes([(5, 1 << 17 | 47 << 9 | 63)], version=1))
    events = es.read(tmp_path / "a.dat")
    assert (events.x[0], events.y[0], events.p[0]) == (63, 47, True)


def test_time_goes_on_after_71_minutes(tmp_path):
    records = [(t % 2**32, address(1, 1, 1)) for t in (2**32 - 1, 2**32, 2**33 - 5, 2**33 + 1)]
    (tmp_path / "a.dat").write_bytes(dat_bytes([(2**31, 0), *records]))
    assert es.read(tmp_path / "a.dat").t.tolist() == [2**31, 2**32 - 1, 2**32, 2**33 - 5, 2**33 + 1]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (dat_bytes([(5, 0)])[:-3], f"byte {START}: expected a whole record of 8 bytes, got 5"),
        (
            dat_bytes([(5, 0)], kind=b"\x0c\x10"),
            rf"byte {START - 2}: expected events of a camera .* got 0c10",
        ),
        (dat_bytes([(5, 0)], version=3), r"Version: expected one of 1, 2, got '3'"),
        (dat_bytes([(9, 0), (8, 0)]), rf"t\[1\]: expected a time >= 9 .* got 8 \(byte {START + 8}\)"),
        (dat_bytes([(9, 0), (9, 64)]), rf"x\[1\]: expected 0 <= x < 64, got 64 \(byte {START + 8}\)"),
    ],
    ids=["cut", "kind", "version", "backwards", "x"],
)
def test_damage(tmp_path, data, complaint):
    (tmp_path / "a.dat").write_bytes(data)
    with pytest.raises(InputError, match=complaint):
        es.read(tmp_path / "a.dat")


def test_only_a_header_is_an_empty_recording(tmp_path):
    (tmp_path / "a.dat").write_bytes(dat_bytes([])[:-2])
    assert len(es.read(tmp_path / "a.dat")) == 0
