"""The recordings that the model finds hardest, as cards."""

from html import escape

import numpy as np

from eventssm.plots import png, thumbnail
from eventssm.report._gather import Example, Findings
from eventssm.report._html import image, paragraph, percent, tag

_STRIP = 1000


def examples(found: Findings) -> str:
    """A card for each: its picture, below it when the right class was said, and what is true."""
    intro = paragraph(
        f"The greatest losses of the {found.split} split. The bar below a recording is its time: blue where "
        "the right class was said, red where another was, empty before the first prediction."
    )
    if found.missing is not None:
        intro += paragraph(f"The recordings themselves are not shown: {found.missing}.")
    cards = (_card(example) for example in found.hard)
    return intro + tag("div", *cards, class_="cards")


def _card(example: Example) -> str:
    right = example.true == example.said
    verdict = (
        f"{escape(example.true)}, said with {percent(example.probability, 0)}"
        if right
        else f"{escape(example.true)} taken for {escape(example.said)}"
    )
    chances = (
        f"{percent(example.probability, 0)} sure; {percent(example.true_probability)} for {example.true}"
    )
    size = f"{example.events:,} events, {example.duration_us / 1000:,.0f} ms"
    return tag(
        "div",
        _picture(example),
        _strip(example),
        tag("div", verdict, class_=f"said {'right' if right else 'wrong'}"),
        "" if right else tag("div", escape(chances)),
        tag("div", escape(size)),
        tag("div", escape(f"loss {example.loss:.2f}, {example.key}"), class_="key"),
        class_="card",
    )


def _picture(example: Example) -> str:
    if example.recording is None:
        return ""
    shown = image(png(thumbnail(example.recording)), f"recording of {example.true}")
    return shown.replace("<img ", '<img class="camera" ') if example.recording.sensor.is_camera else shown


def _strip(example: Example) -> str:
    """Stretches of time in which the right class, or another one, was what was said last."""
    if not len(example.prediction_us):
        return ""
    right = np.asarray(example.prediction_right, bool)
    changes = np.concatenate(([0], np.flatnonzero(right[1:] != right[:-1]) + 1))
    starts = example.prediction_us[changes] * (_STRIP / max(example.duration_us, 1))
    ends = np.append(starts[1:], _STRIP)
    bars = "".join(
        f'<rect x="{start:.0f}" width="{max(end - start, 1):.0f}" height="8" '
        f'fill="var({"--off" if good else "--on"})"/>'
        for start, end, good in zip(starts, ends, right[changes], strict=True)
    )
    said = f"right in {percent(float(right.mean()), 0)} of the predictions"
    box = f'viewBox="0 0 {_STRIP} 8" preserveAspectRatio="none"'
    return f'<svg {box} role="img" aria-label="{said}">{bars}</svg>'
