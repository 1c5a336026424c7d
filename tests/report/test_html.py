"""Words that look like HTML stay words."""

import pytest

from eventssm.plots import new_figure
from eventssm.report._html import facts, image, paragraph, percent, picture, section, table, tag

EVIL = '<b>&"x"</b>'
SAFE = "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;"


@pytest.mark.parametrize(
    "made",
    [
        table((EVIL, "n"), [("a", "1")]),
        table(("n", "m"), [("a", EVIL)]),
        facts([(EVIL, "a")]),
        facts([("a", EVIL)], {"a"}),
        paragraph(EVIL),
        section(EVIL, "name"),
        image(b"", EVIL),
        picture(new_figure(1.0, 1.0), "name", EVIL, "caption"),
        picture(new_figure(1.0, 1.0), "name", "said", EVIL),
        tag("p", title=EVIL),
    ],
)
def test_every_word_is_escaped(made):
    assert SAFE in made and EVIL not in made and "<b>" not in made


def test_names_of_figures():
    figure = new_figure(2.0, 1.0)
    figure.subplots().set_title(EVIL)
    assert "<b>" not in picture(figure, "name", "", "")


def test_elements():
    assert tag("p", "a", "b", class_="c") == '<p class="c">ab</p>'
    assert (
        facts([("a", "1"), ("b", "2")], {"b"})
        == '<dl><dt>a</dt><dd>1</dd><dt>b</dt><dd class="set">2</dd></dl>'
    )
    assert percent(0.1234) == "12.3 %" and percent(None) == "–" and percent(1.0, 0) == "100 %"
