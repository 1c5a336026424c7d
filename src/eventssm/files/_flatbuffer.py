"""As much of FlatBuffers as AEDAT4 needs: tables, numbers, strings and vectors, never read past the end."""

import struct

from eventssm import _checks


class Table:
    """A table of a size-prefixed buffer; fields are numbered as in its schema."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data, self._name = data, name
        size = self._at("<I", 0)
        _checks.check(size == len(data) - 4, name, f"{len(data) - 4} bytes", size)
        self._start = 4 + self._at("<I", 4)
        self._fields = self._start - self._at("<i", self._start)

    def number(self, field: int, form: str, default: int) -> int:
        """A number of this form for `struct`; `default` where the field is left out."""
        place = self._place(field)
        return default if place is None else self._at(form, place)

    def vector(self, field: int, size: int) -> memoryview:
        """The bytes of a vector of elements of `size` bytes; none where the field is left out."""
        place = self._place(field)
        if place is None:
            return memoryview(b"")
        start = place + self._at("<I", place)
        length = self._at("<I", start) * size
        left = len(self._data) - start - 4
        _checks.check(length <= left, self._name, f"at most {left} bytes of elements", length)
        return memoryview(self._data)[start + 4 : start + 4 + length]

    def _place(self, field: int) -> int | None:
        entry = 4 + 2 * field
        if entry + 2 > self._at("<H", self._fields):
            return None
        offset = self._at("<H", self._fields + entry)
        return self._start + offset if offset else None

    def _at(self, form: str, place: int) -> int:
        inside = 0 <= place <= len(self._data) - struct.calcsize(form)
        _checks.check(inside, self._name, f"an offset within {len(self._data)} bytes", place)
        return int(struct.unpack_from(form, self._data, place)[0])
