"""What becomes of headings, lists, definitions and tables of web pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.files.web_page import parse_web_page

LONG = "It says how many hours a filter runs in a dusty room before somebody has to change it. " * 4
TAGS = [
    "<dl>", "<dt>term", "<dd>word", "</dl>", "<h2>head</h2>", "<p>text", "<div>", "</div>",
    "<table>", "<caption>title</caption>", "<tr><td>cell", "</table>", "<li>", "<b>bold",
]  # fmt: skip


def read(body: str) -> str:
    """The main text of a page."""
    page = f"<html><head><title>Pumps</title></head><body>{body}</body></html>"
    return str(parse_web_page(page.encode(), "", "", True)["main"]["text"])


@pytest.mark.parametrize("holder", ["div", "section", "article", "main"])
def test_headings_and_lists_stay_whatever_holds_the_text(holder: str) -> None:
    text = read(
        f"<{holder}><div><h2>25.1 <code>pump</code> care</h2></div><p>{LONG}</p>"
        f"<ol><li>Close the valve.</li><li>Open the lid.</li></ol><p>{LONG}</p>"
        f"<div><div><h3>Filters</h3></div></div><p>{LONG}</p></{holder}>"
    )
    lines = [line for line in text.splitlines() if line.startswith(("#", "1.", "2."))]
    assert lines == [
        "## 25.1 `pump` care",
        "1. Close the valve.",
        "2. Open the lid.",
        "### Filters",
    ]


def test_a_long_definition_stands_under_its_term() -> None:
    text = read(
        f"<h2>Settings</h2><p>{LONG}</p><dl><dt><span><code>hours</code> (<code>integer</code>)"
        f"<br/>or days</span></dt><dd>{LONG}<p>The default is 2,000.</p></dd><dt>dust</dt>"
        f"<dt>sand</dt><dd><p>{LONG}</p></dd></dl>"
    )
    parts = [part.strip() for part in text.split("### ")]
    assert [part.splitlines()[0] for part in parts] == [
        "## Settings",
        "hours (integer) or days",
        "dust, sand",
    ]
    assert parts[1].endswith("The default is 2,000.")
    assert LONG.strip() in parts[1]


def test_a_short_definition_stands_on_the_line_of_its_term() -> None:
    text = read(
        f"<p>{LONG}</p><dl><dt>dust</dt><dd><p>What <em>settles</em>.</p></dd><div><dt>sand</dt>"
        f"<dd>What scratches.</dd></div></dl><p>{LONG}</p>"
    )
    assert "- **dust**: What *settles*.\n- **sand**: What scratches." in text


def test_an_index_stays_a_list_of_words() -> None:
    entries = "".join(f"<dt>part {n}, Pumps</dt>" for n in range(9))
    text = read(f"<p>{LONG}</p><dl>{entries}<dd>of steel, Pumps</dd></dl><p>{LONG}</p>")
    assert all(f"\n- part {n}, Pumps\n" in text for n in range(9))


def test_a_table_has_its_caption_above_and_its_header_first() -> None:
    text = read(
        f"<p>{LONG}</p><table><caption>Lives of <i>parts</i></caption><tr><th>part</th>"
        f"<th>hours</th></tr><tr><td>seal</td><td>900</td></tr></table><p>{LONG}</p>"
    )
    rows = [line.strip() for line in text[text.index("**Lives") :].splitlines() if line]
    assert rows[:4] == ["**Lives of parts**", "| part | hours |", "|---|---|", "| seal | 900 |"]


@given(st.lists(st.sampled_from(TAGS), max_size=25))
def test_a_page_of_any_build_is_read(parts: list[str]) -> None:
    assert isinstance(parse_web_page("".join(parts).encode() or b"-", "", "", True), dict)
