"""Pieces of a page, with every word escaped."""

import base64
from collections.abc import Container, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from eventssm.plots import themed_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SCALE = 1.42


def tag(name: str, *content: str, **attributes: str) -> str:
    """An element of pieces that are HTML already; attribute values are escaped, `class_` is `class`."""
    given = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(content)}</{name}>"


def section(title: str, name: str, *content: str) -> str:
    """A headed part of the page that can be linked to."""
    return tag("section", tag("h2", escape(title)), *content, id=name)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True) -> str:
    """A table of plain text: the first column left, the others right where they are numbers."""
    kind = "numbers" if numbers else "words"
    top = tag("thead", tag("tr", *(tag("th", escape(cell), scope="col") for cell in head)))
    body = (tag("tr", *(tag("td", escape(cell)) for cell in row)) for row in rows)
    parts = [top] if any(head) else []
    return tag("div", tag("table", *parts, tag("tbody", *body), class_=kind), class_="wide")


def facts(pairs: Iterable[tuple[str, str]], stressed: Container[str] = ()) -> str:
    """Names and what they are, below each other; those of the `stressed` names stand out."""

    def one(name: str, value: str) -> str:
        return tag("dt", escape(name)) + tag(
            "dd", escape(value), **({"class_": "set"} if name in stressed else {})
        )

    return tag("dl", *(one(name, value) for name, value in pairs))


def picture(figure: "Figure", name: str, said: str, caption: str) -> str:
    """A figure drawn in the page's own colours, with a caption; `said` describes it to who cannot see it."""
    inches = figure.get_figwidth() * 72 * _SCALE
    svg = themed_svg(figure, name, escape(said))
    note = tag("figcaption", escape(caption)) if caption else ""
    return tag("figure", tag("div", svg, style=f"max-width:{inches:.0f}px"), note)


def image(png: bytes, said: str) -> str:
    """A PNG that is part of the page."""
    data = base64.b64encode(png).decode("ascii")
    return f'<img src="data:image/png;base64,{data}" alt="{escape(said)}">'


def paragraph(text: str) -> str:
    """Plain text."""
    return tag("p", escape(text))


def percent(share: float | None, digits: int = 1) -> str:
    """A share in per cent; a dash for none."""
    return "–" if share is None else f"{100 * share:.{digits}f} %"
