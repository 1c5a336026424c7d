"""The page: one string of HTML that needs nothing beside it."""

from collections.abc import Sequence
from html import escape
from importlib import resources

from eventssm.report._examples import examples
from eventssm.report._gather import Findings
from eventssm.report._html import facts, section, tag
from eventssm.report._results import anytime, calibration, classes, headline, results
from eventssm.report._settings import provenance, settings
from eventssm.report._training import times, training


def page(found: Findings) -> str:
    """The whole page; it loads nothing, and the same findings give the same bytes."""
    run = found.run
    title = f"{run.config.data.name.rpartition('/')[2]} · {run.folder.resolve().name}"
    parts: Sequence[tuple[str, str, str]] = (
        ("results", "Results", results(found)),
        ("training", "Training", training(found)),
        ("classes", "Classes", classes(found)),
        ("anytime", "Before the end", anytime(found)),
        ("calibration", "Confidence", calibration(found)),
        ("time-scales", "Time scales", times(found)),
        ("hard", "Hard examples", examples(found)),
        ("settings", "Configuration", settings(found)),
        ("provenance", "Where it comes from", facts(provenance(found))),
    )
    parts = [part for part in parts if part[2]]
    links = tag("nav", *(tag("a", escape(name), href=f"#{anchor}") for anchor, name, _ in parts))
    sections = (section(name, anchor, content) for anchor, name, content in parts)
    body = tag("header", tag("h1", escape(title)), headline(found)) + links + tag("main", *sections)
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        + tag("title", escape(f"eventssm: {title}"))
        + tag("style", _style())
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'


def _style() -> str:
    return resources.files("eventssm.report").joinpath("style.css").read_text(encoding="utf-8")
