"""How the run was set up, and what would make it again."""

from collections.abc import Iterator
from dataclasses import asdict
from html import escape
from typing import Any

from eventssm.report._gather import Findings
from eventssm.report._html import facts, tag


def settings(found: Findings) -> str:
    """The whole configuration, a group for every part."""
    record = asdict(found.run.config)
    groups = {"run": {key: value for key, value in record.items() if not isinstance(value, dict)}}
    groups |= {key: value for key, value in record.items() if isinstance(value, dict)}
    again = tag(
        "p", "To train it again: ", tag("code", escape(f"eventssm train {found.run.folder}/config.toml"))
    )
    parts = (
        tag(
            "div",
            tag("h3", escape(name)),
            facts((key, _word(value)) for key, value in group.items()),
            class_="group",
        )
        for name, group in groups.items()
    )
    return again + tag("div", *parts, class_="groups")


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


def _word(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
