"""How the run was set up, and what would make it again."""

from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from html import escape
from typing import Any

from eventssm.report._gather import Findings
from eventssm.report._html import facts, tag


def settings(found: Findings) -> str:
    """The whole configuration, a group for every part; what is not as by default stands out."""
    config, folder = found.run.config, found.run.folder
    parts = {field.name: getattr(config, field.name) for field in fields(config)}
    own = [name for name, value in parts.items() if not is_dataclass(value)]
    groups = _group("run", config, own)
    for name, part in parts.items():
        if is_dataclass(part):
            groups += _group(name, part, [field.name for field in fields(part)])
    command = tag("code", escape(f"eventssm train {folder}/config.toml"))
    intro = tag("p", "To train it again: ", command, ". Set in bold is what is not as by default.")
    return intro + tag("div", groups, class_="groups")


def provenance(found: Findings) -> Iterator[tuple[str, str]]:
    """Seed, versions, machine and digests."""
    known = found.run.facts
    yield "seed", str(found.run.config.seed)
    yield "run", str(known.get("id", "unknown"))
    yield "model", f"{found.digest} (digest of its numbers; {found.which} checkpoint)"
    yield "sensor", f"{found.run.sensor.name}, {found.run.sensor.channels:,} channels"
    for split, facts_of in dict(known.get("data") or {}).items():
        size = f"{facts_of['recordings']:,} recordings, {facts_of['events']:,} events"
        yield f"{split} data", f"{size}, digest {facts_of['digest']}"
    if known.get("versions"):
        versions = dict(known["versions"])
        yield "versions", ", ".join(f"{name} {version}" for name, version in versions.items())
    for name in ("python", "machine"):
        if known.get(name):
            yield name, str(known[name])
    yield "folder", str(found.run.folder.resolve())


def _group(title: str, part: Any, names: list[str]) -> str:
    default = {field.name: field.default for field in fields(part)}
    stressed = {name for name in names if default[name] is MISSING or default[name] != getattr(part, name)}
    pairs = ((name, _word(getattr(part, name))) for name in names)
    return tag("div", tag("h3", escape(title)), facts(pairs, stressed), class_="group")


def _word(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
