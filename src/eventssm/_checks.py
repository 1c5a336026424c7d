"""Every complaint about what a caller handed in, in one form: name, what was expected, what came."""

import contextlib
import difflib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

import numpy as np


class InputError(ValueError):
    """Something handed in cannot be used; its message is one line fit to show a user."""

    def __init__(self, message: str) -> None:
        """What is wrong; of what a file names, characters that cannot be printed are escaped."""
        printable = message.isprintable()
        super().__init__(message if printable else "".join(map(_printable, message)))


class HaltedError(RuntimeError):
    """A long task had to stop; its message is one line that says why and what is left to go on from."""


def refuse(name: str, expected: str, got: object) -> NoReturn:
    """Raise the one error form of this package."""
    raise InputError(f"{name}: expected {expected}, got {got}")


def check(ok: bool | np.bool_, name: str, expected: str, got: object) -> None:
    """Refuse unless `ok`. Write the condition so that NaN makes it false."""
    if not ok:
        refuse(name, expected, got)


def check_every(ok: np.ndarray, name: str, expected: str, values: np.ndarray) -> None:
    """Refuse at the first index where `ok` is false, naming index and value."""
    if not ok.all():
        index = int(np.argmin(ok))
        refuse(f"{name}[{index}]", expected, values[index])


def check_range(values: np.ndarray, limit: int, name: str) -> None:
    """Refuse values outside `0 <= value < limit`."""
    if values.size and not (values.min() >= 0 and values.max() < limit):
        check_every((values >= 0) & (values < limit), name, f"0 <= {name} < {limit}", values)


def check_choice(value: object, choices: Iterable[str], name: str) -> None:
    """Refuse a word that is none of `choices`, and name the nearest."""
    known = list(choices)
    if value not in known:
        refuse_choice(value, known, name)


def refuse_choice(value: object, known: Sequence[str], name: str) -> NoReturn:
    """Refuse a word that is none of the `known` ones, and name the nearest."""
    refuse(name, f"one of {', '.join(known)}", f"{value!r}{_nearest(value, known)}")


def check_not_like(key: str, missing: Sequence[str], name: str) -> None:
    """Refuse an unknown key that looks like one of the `missing` ones."""
    hint = _nearest(key, missing)
    check(not hint, name, "known keys", f"{key!r}{hint}")


def check_size(value: Any, name: str, least: int = 1) -> None:
    """Refuse what is not a whole number of at least `least`."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    check(whole and int(value) >= least, name, f"a whole number >= {least}", repr(value))


@contextlib.contextmanager
def about(subject: object) -> Iterator[None]:
    """Put `subject`, say a file, before what is complained of inside."""
    try:
        yield
    except InputError as wrong:
        raise InputError(f"{subject}: {wrong}") from wrong.__cause__


def _printable(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]


def _nearest(value: object, known: Sequence[str]) -> str:
    match = difflib.get_close_matches(str(value), known, n=1)
    return f" (did you mean {match[0]!r}?)" if match else ""
