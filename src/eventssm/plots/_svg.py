"""A figure as SVG for a page: its colours are the page's own, in light and in dark."""

import io
import re
from typing import TYPE_CHECKING

from eventssm.plots._figure import INK, MUTED, OFF, ON

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PAPER = "#ffffff"
_VARIABLES = {ON: "--on", OFF: "--off", INK: "--ink", MUTED: "--muted", _PAPER: "--paper"}


def themed_svg(figure: "Figure", name: str, said: str) -> str:
    """The figure as an `<svg>` element that stands in a page, with `said` for those who do not see it.

    ON, OFF, INK, MUTED and white become the variables `--on`, `--off`, `--ink`, `--muted` and `--paper`, text
    stays text in the page's font. `name` is put before every identifier, so that one page holds several.
    The same figure gives the same bytes.
    """
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": f"salt-{name}"}):
        metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(buffer, format="svg", facecolor="none", metadata=metadata)
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<style type=.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>{name}-", text)
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    text = re.sub(r"font: (\S+) [^;\"]*", r"font-size: \1", text)
    text = re.sub(r"(; )?font-family: [^;\"]*", "", text)
    text = re.sub(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>', rf'<svg \1 role="img" aria-label="{said}">', text)
    return re.sub(r"\n\s+", "\n", text).strip()
