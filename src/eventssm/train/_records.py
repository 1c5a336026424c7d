"""Configurations as plain values and back: for TOML and JSON, with every key and type checked."""

import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from eventssm import _checks

Config = TypeVar("Config")
Record = dict[str, Any]
NOTHING = "none"
"""How TOML, which has no word for it, spells None."""


def to_record(config: Any) -> Record:
    """A configuration as nested dictionaries of plain values."""
    return {
        field.name: to_record(value) if is_dataclass(value) else value
        for field in fields(config)
        for value in [getattr(config, field.name)]
    }


def from_record(kind: type[Config], given: Mapping[str, Any], base: Config | None = None) -> Config:
    """A configuration of plain values; what is not given is `base`'s, or the default."""
    hints = typing.get_type_hints(kind)
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    values = {}
    for key, value in given.items():
        _checks.check_choice(key, known, "key")
        hint = hints[key]
        if is_dataclass(hint):
            _checks.check(isinstance(value, Mapping), key, "a table", repr(value))
            with _checks.about(key):
                own = None if base is None else getattr(base, key)
                values[key] = from_record(hint, value, own)  # type: ignore[arg-type]
        else:
            values[key] = _typed(value, hint, key)
    if base is not None:
        return replace(base, **values)  # type: ignore[type-var]
    for field in fields(kind):  # type: ignore[arg-type]
        needed = field.default is field.default_factory  # both are missing
        _checks.check(field.name in values or not needed, field.name, "a value", "none")
    return kind(**values)


def to_toml(record: Record, name: str = "") -> str:
    """A record as TOML, tables after plain values."""
    plain = {key: value for key, value in record.items() if not isinstance(value, dict)}
    lines = [f"[{name}]"] if name and plain else []
    lines += [f"{key} = {_toml_value(value)}" for key, value in plain.items()]
    parts = ["\n".join(lines)] if lines else []
    parts += [
        to_toml(value, f"{name}.{key}" if name else key).rstrip("\n")
        for key, value in record.items()
        if isinstance(value, dict)
    ]
    return "\n\n".join(parts) + "\n"


def _toml_value(value: object) -> str:
    if value is None:
        return f'"{NOTHING}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _typed(value: Any, hint: Any, name: str) -> Any:
    """The value, if it is of the type that the hint says; whole numbers are numbers too."""
    if get_origin(hint) in (Union, types.UnionType):
        if value is None or value == NOTHING:
            return None
        (hint,) = (option for option in get_args(hint) if option is not type(None))
    if get_origin(hint) is Literal:
        _checks.check_choice(value, get_args(hint), name)
        return value
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    word = {float: "a number", int: "a whole number", bool: "true or false", str: "a text"}[hint]
    ok = isinstance(value, hint) and (hint is bool or not isinstance(value, bool))
    _checks.check(ok, name, word, repr(value))
    return value
