"""A web page's main content reaches its text as Markdown, and what leads elsewhere does not."""

from typing import Any

import pytest
from lxml import html

from connectors.files.html_writer import write_markdown
from connectors.files.main_content import MainContent
from connectors.files.web_page import parse_web_page

PROSE = (
    "Brine keeps ice from bonding with the ground, and is spread before the frost begins. "
    "Applied too late it melts a film of water on top of the ice, which is slippery."
)


def read(body: str) -> str:
    page = f"<!doctype html><html><head><title>t</title></head><body>{body}</body></html>"
    main: dict[str, Any] = parse_web_page(page.encode(), "", "quire", True)["main"]
    return str(main["text"])


def read_in_article(body: str) -> str:
    """What stands before a paragraph in an article."""
    text = read(f"<main><article>{body}<p>{PROSE}</p></article></main>")
    assert text.endswith(PROSE)
    return text.removesuffix(PROSE).rstrip("\n")


@pytest.mark.parametrize("frame", ["", "article", "div"])
def test_headings_and_lists_around_a_table_are_kept_in_their_order(frame: str) -> None:
    body = (
        "<h2>Amounts</h2><table><tr><th>When</th><th>Grams</th></tr><tr><td>Frost</td>"
        "<td>20</td></tr></table><h3>Crew</h3><ol><li>Fill the tank.</li><li>Rinse.</li></ol>"
        f"<p>{PROSE}</p><ul><li>Grit</li></ul>"
    )
    text = read(f"<{frame}>{body}</{frame}>" if frame else body)
    assert text == (
        "## Amounts\n\n| When | Grams |\n| --- | --- |\n| Frost | 20 |\n\n### Crew\n\n"
        f"1. Fill the tank.\n2. Rinse.\n\n{PROSE}\n\n- Grit"
    )


def test_every_level_of_headings_is_kept_and_an_empty_one_is_none() -> None:
    levels = "".join(f"<h{n}>Level {n} <a href='#{n}'>¶</a></h{n}>" for n in range(1, 7))
    assert read_in_article(f"{levels}<h2> <a href='#x'></a></h2><h3></h3>") == (
        "\n\n".join(f"{'#' * n} Level {n}" for n in range(1, 7))
    )


def test_a_heading_in_a_frame_before_the_main_text_is_its_title() -> None:
    text = read(
        "<div class='title'><div><h2>Winter</h2></div></div>"
        f"<div><h3>Brine</h3><p>{PROSE}</p></div>"
    )
    assert text == f"## Winter\n\n### Brine\n\n{PROSE}"


def test_a_header_with_a_heading_is_kept_and_one_of_the_site_is_not() -> None:
    text = read(
        "<header><p>City of Fennmark</p></header><h1><a href='/'>Fennmark</a></h1>"
        f"<article><header><h2>Brine</h2></header><p>{PROSE} {PROSE}</p></article>"
    )
    assert text == f"## Brine\n\n{PROSE} {PROSE}"


def test_lists_stand_inside_lists() -> None:
    assert read_in_article(
        "<ul><li>one<ul><li>inner<ol start='3'><li>third</li><li>fourth</li></ol></li></ul></li>"
        "<li><p>two</p><ol><li>x</li></ol><p>more of two</p><pre>a\n  b</pre></li>"
        "<li></li><li>three</li></ul>"
    ) == (
        "- one\n  - inner\n    3. third\n    4. fourth\n- two\n  1. x\n\n  more of two\n\n"
        "  ```\n  a\n    b\n  ```\n- three"
    )


def test_a_list_whose_items_have_headings_is_parts_of_the_page() -> None:
    items = "<li><h3>Dogs</h3><p>Rinse paws.</p></li><li><h3>Cats</h3><p>Stay in.</p></li>"
    assert read_in_article(f"<ul>{items}</ul>") == (
        "### Dogs\n\nRinse paws.\n\n### Cats\n\nStay in."
    )
    note = "<ul><li>Sweep.<div><h3>Note</h3><p>Not on ice.</p></div></li><li>Grit.</li></ul>"
    assert read_in_article(note) == "- Sweep.\n\n  **Note**\n\n  Not on ice.\n- Grit."


def test_the_heading_of_a_box_heads_nothing_behind_the_box() -> None:
    box = (
        "<h2>Care</h2><p>Sweep.</p><div class='tip'><h3>Tip</h3><p>Use grit.</p></div><p>Salt.</p>"
    )
    assert read_in_article(box) == "## Care\n\nSweep.\n\n**Tip**\n\nUse grit.\n\nSalt."


def test_a_page_that_is_one_table_is_a_table() -> None:
    rows = "".join(f"<tr><td>B{n}</td><td>Feature {n} of the grit</td></tr>" for n in range(30))
    text = read(f"<div><h2>Parts</h2><table><tbody>{rows}</tbody></table></div>")
    assert text.startswith("## Parts\n\n| B0 | Feature 0 of the grit |\n| --- | --- |\n| B1 |")


def test_a_definition_stands_behind_its_term() -> None:
    assert read_in_article(
        "<dl><dt><code>FULL</code></dt><dd><p>All of it.</p><p>Slowly.</p></dd>"
        "<div><dt>A</dt><dt><b>B</b></dt><dd>Either.</dd></div>"
        "<dt>Steps</dt><dd><ul><li>first</li></ul></dd><dt>Alone</dt></dl>"
    ) == (
        "**`FULL`**: All of it.\n\nSlowly.\n\n**A**\n**B**: Either.\n\n**Steps**:\n\n"
        "- first\n\n**Alone**"
    )


def test_a_table_has_one_header_and_its_caption_above() -> None:
    assert read_in_article(
        "<table><caption>Options\ncompared</caption><thead><tr><th>Item</th><th>A<br>2025</th>"
        "</tr></thead><tbody><tr><th>Vessels</th><td><p>2.8</p><p>or 3|4</p></td></tr>"
        "<tr></tr></tbody></table>"
    ) == ("Options compared\n\n| Item | A 2025 |\n| --- | --- |\n| Vessels | 2.8 or 3\\|4 |")


def test_cells_stay_below_their_column() -> None:
    assert read_in_article(
        "<table><tr><th colspan='2'>Where</th><th>Metres</th></tr>"
        "<tr><td rowspan='2'>North</td><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr>"
        "<tr><td>South</td></tr></table>"
    ) == (
        "| Where |  | Metres |\n| --- | --- | --- |\n| North | a | 1 |\n|  | b | 2 |\n"
        "| South |  |  |"
    )


def test_a_table_that_is_there_for_the_layout_is_none() -> None:
    text = read(
        "<table><tr><td><a href='/'>Home</a> <a href='/a'>All</a> <a href='/b'>More</a></td>"
        f"<td><h2>Brine</h2><p>{PROSE}</p><table><tr><td>a</td><td>b</td></tr>"
        "<tr><td>1</td><td>2</td></tr></table></td></tr></table>"
    )
    assert text == f"## Brine\n\n{PROSE}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_code_stands_as_it_is_written() -> None:
    assert (
        read_in_article(
            "<pre class='listing'>\nSELECT <em>a_b</em>[1], '*'\n  FROM t;  -- # no &lt;b&gt;<br>"
            "```\n</pre>"
        )
        == "````\nSELECT a_b[1], '*'\n  FROM t;  -- # no <b>\n```\n````"
    )


def test_lines_of_code_that_are_elements_stay_lines() -> None:
    lines = "<div>if a:</div><div>  <code>b</code></div>"
    assert read_in_article(f"<pre>{lines}</pre><pre><code>x</code><code>y</code></pre>") == (
        "```\nif a:\n  b\n```\n\n```\nx\ny\n```"
    )


def test_a_page_of_links_and_nothing_else_is_read() -> None:
    names = [f"How to spread brine in winter, part {n} of nine" for n in range(1, 10)]
    links = "".join(f"<li><a href='/{name[-9]}'>{name}</a></li>" for name in names)
    assert read(f"<h1>All</h1><ul>{links}</ul>") == "# All\n\n" + "\n".join(
        f"- {name}" for name in names
    )


def test_text_in_frames_without_paragraphs_is_read() -> None:
    assert read("<div>Brine for roads.<br>Grit for paths.</div><div>Nothing on lawns.</div>") == (
        "Brine for roads.\nGrit for paths.\n\nNothing on lawns."
    )


def test_characters_of_prose_are_not_escaped_and_start_no_structure() -> None:
    assert read_in_article(
        "<p>The key snake_case[0] * 2 is <em>not</em> <code>a*b</code>,<b> bold </b>or "
        "x<sup>2</sup>, m<sup>2</sup>, 10<sup>-6</sup>, H<sub>2</sub>O.<sup><a href='#n'>1</a>"
        "</sup></p><p># no heading</p>"
    ) == (
        "The key snake_case[0] * 2 is *not* `a*b`, **bold** or x², m², 10^-6, H2O.\n\n"
        "\\# no heading"
    )


def test_places_to_break_a_word_at_are_no_characters() -> None:
    words = "Das Fahr\u00adrad\u00adhaus im Ge\u00admeinde\u200bzentrum"
    text = read(f"<div><h2>Wo?</h2><p>{words}<wbr> ist offen.</p></div><div>Menu</div>")
    assert text == "## Wo?\n\nDas Fahrradhaus im Gemeindezentrum ist offen."


def test_a_time_and_what_stands_in_a_figure_or_quote_are_text() -> None:
    assert read_in_article(
        "<p>On <time>3 May</time> it<br>rained.</p><figure><img src='a'><figcaption>A road."
        "</figcaption></figure><blockquote><p>Sweep.</p><p>Then grit.</p></blockquote>"
        "<details><summary>Why?</summary>Because.</details>"
    ) == ("On 3 May it\nrained.\n\nA road.\n\n> Sweep.\n>\n> Then grit.\n\n**Why?**\n\nBecause.")


@pytest.mark.parametrize("frame", ["<main>{}</main>", "{}"], ids=["declared", "bare"])
@pytest.mark.parametrize(
    "chrome",
    [
        "<nav><ul><li><a href='/'>Chrome</a></li></ul></nav>",
        "<ol class='breadcrumb'><li><a href='/'>Chrome</a></li><li>Winter</li></ol>",
        "<div id='cookie-banner'><p>Chrome wants your consent to store cookies.</p></div>",
        "<footer><p>Chrome, all rights reserved</p></footer>",
        "<div class='site-footer'><p>Chrome, all rights reserved</p></div>",
        "<div role='navigation'>Chrome</div>",
        "<ul><li><a href='/a'>Chrome</a><li><a href='/b'>Chrome</a><li><a href='/c'>C</a></ul>",
        "<aside><h3>Chrome</h3><p>A box at the side of the page.</p></aside>",
        "<form><label>Chrome <input></label><button>Chrome</button></form>",
        "<div hidden><p>Chrome</p></div>",
        "<p style='display: none'>Chrome</p>",
        "<script>Chrome</script><style>Chrome</style><template>Chrome</template>",
    ],
    ids=[
        "nav", "breadcrumb", "cookies", "footer", "footer by class", "role", "links", "aside",
        "form", "hidden", "style", "script",
    ],
)  # fmt: skip
def test_what_leads_elsewhere_is_no_text(chrome: str, frame: str) -> None:
    body = f"{chrome}<h2>Brine</h2><p>{PROSE}</p><ul><li>Grit</li></ul>{chrome}"
    assert read(frame.format(body)) == f"## Brine\n\n{PROSE}\n\n- Grit"


def test_a_page_in_one_form_is_read() -> None:
    assert read(f"<form><h2>Brine</h2><p>{PROSE}</p></form>") == f"## Brine\n\n{PROSE}"


@pytest.mark.parametrize("tag", ["b", "div", "ul", "ul><li", "dl><dd", "blockquote", "table><td"])
def test_elements_inside_each_other_without_end_are_read(tag: str) -> None:
    page = f"<body>{f'<{tag}>x ' * 900} the end</body>"
    body = html.document_fromstring(page, parser=html.HTMLParser(huge_tree=True)).body
    assert "the end" in write_markdown(MainContent(body, {body}, True, [], 0))


def test_a_list_beside_the_frame_of_the_prose_is_kept() -> None:
    text = read(f"<div><p>{PROSE} {PROSE}</p></div><ul><li>Grit</li></ul>")
    assert text == f"{PROSE} {PROSE}\n\n- Grit"


def test_a_table_around_tables_is_none() -> None:
    inner = "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>"
    outer = f"<table><tr><td>Left</td></tr><tr><td>{inner}</td></tr></table>"
    assert read_in_article(outer) == "Left\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_an_index_of_words_is_read_whole() -> None:
    links = "".join(f"<dt>word {n}</dt><dd><a href='#{n}'>function_{n}</a></dd>" for n in range(40))
    menu = "".join(f"<a href='/{n}'>Part {n} of the site</a><br>" for n in range(9))
    cells = f"<td>{menu}</td><td><h2>Letter a:</h2><dl>{links}</dl></td>"
    text = read(f"<h1>Index of all the words</h1><table><tr>{cells}</tr></table>")
    assert "## Letter a:\n\n**word 0**: function_0" in text
    assert "**word 39**: function_39" in text


def test_the_frame_of_a_manual_s_page_is_left_out_though_it_says_the_title() -> None:
    page = (
        '<html><head><title>STOP PUMP</title></head><body><div class="navheader"><table><tr><th>'
        'STOP PUMP</th></tr><tr><td><a href="p.html">Prev</a></td><th>Commands</th><td>'
        '<a href="n.html">Next</a></td></tr></table></div><div><div><h2>Description</h2><p>'
        "<code>STOP PUMP</code> ends a run that is prepared.</p></div></div></body></html>"
    )
    main: dict[str, Any] = parse_web_page(page.encode(), "", "quire", True)["main"]
    assert main["text"] == "## Description\n\n`STOP PUMP` ends a run that is prepared."
