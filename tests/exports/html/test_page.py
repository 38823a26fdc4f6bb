"""The HTML of a report: one file, safe whatever is in the report, every mark with its proof."""

import base64
import hashlib
from typing import Any

import pytest
from hostile_html import HOSTILE, SMALL, filled
from html_pages import UNDRAWN, one_section, page, said, sample
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from sample_report import REPORT

from exports.html.body import render_answer_part, render_part
from exports.html.page import render_html
from exports.tree.tokens import PLACEHOLDER
from schema.deep_search import Budget, DeepAnswer
from schema.report import ReportSection

texts = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=6), max_size=4).map(" ".join)


@given(st.lists(texts, min_size=7, max_size=7), st.sampled_from(["ieee", "author-date"]))
def test_no_text_becomes_script_handler_style_or_foreign_address(
    words: list[str], style: Any
) -> None:
    report = filled({**SMALL, "charts": UNDRAWN[:1]}, words)
    for one in report["citations"]:
        one["sentence"] = report["sections"][one["section"]]["text"][:20]
    made = render_html(report, style)
    made.encode()
    found = html.document_fromstring(made)
    assert len(found.cssselect("script")) == len(found.cssselect("style")) == 1
    assert not found.cssselect("iframe, object, embed, form, link, base, svg, template, noscript")
    for one in found.iter(html.etree.Element):
        for name, value in one.attrib.items():
            assert not name.startswith("on"), (one.tag, name)
            assert name != "style", value
            assert name != "src" or value.startswith("data:image/svg+xml;base64,")
            assert name != "href" or value.startswith(("#", "http://", "https://", "HTTP")), value
    ids = [one.get("id") for one in found.cssselect("[id]")]
    assert len(ids) == len(set(ids))
    for mark in found.cssselect("a.mark, .back a, nav a, .card a[href^='#']"):
        assert mark.get("href")[1:] in ids
    for mark in found.cssselect("a.mark"):
        assert mark.get("data-card") in ids
    assert PLACEHOLDER not in said(found)


def test_the_page_names_its_script_and_allows_no_other_and_no_request() -> None:
    found = sample()
    script = found.cssselect("script")[0].text
    policy = found.cssselect("meta[http-equiv='Content-Security-Policy']")[0].get("content")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "url(" not in found.cssselect("style")[0].text
    assert all(link.get("rel") == "noopener nofollow" for link in found.cssselect("a[href^=http]"))


def test_headings_are_one_level_below_what_they_belong_to() -> None:
    found = sample()
    levels = [(one.tag, said(one)) for one in found.cssselect("h1, h2, h3, h4, h5, h6")]
    assert levels[:3] == [
        ("h1", REPORT["title"]),
        ("h2", "Food and habits"),
        ("h3", "What a day's catch looks like"),
    ]
    assert ("h3", "A deeper heading") in levels
    assert ("h4", "Deeper still") in levels
    single = page(sections=[ReportSection(title=REPORT["title"], text="## A\n\n### B")])
    assert [one.tag for one in single.cssselect("#section-1 h2, #section-1 h3")] == ["h2", "h3"]
    assert said(single).count(REPORT["title"]) == 3  # title, heading, contents


def test_a_chart_is_an_image_with_its_values_and_marks_below() -> None:
    figure = sample().cssselect("figure")[0]
    image = figure.cssselect("img")[0]
    drawn = base64.b64decode(image.get("src").partition(",")[2]).decode()
    assert drawn.startswith("<svg")
    assert "2962" in drawn or "2,962" in drawn or "3,000" in drawn
    assert image.get("alt") == "Otters counted, by year"
    assert said(figure.cssselect("figcaption")[0]) == "Otters counted, by year [1][3]"
    rows = [[said(cell) for cell in row] for row in figure.cssselect("tr")]
    assert rows == REPORT["charts"][0]["rows"]
    assert figure.cssselect("td a")[0].get("href") == "#source-1"


def test_a_chart_that_cannot_be_drawn_is_its_table() -> None:
    found = page()
    assert not found.cssselect("img")
    assert found.cssselect("figure details[open] table")
    assert len(found.cssselect(".scroll")) == len(found.cssselect(".scroll > table")) == 3


def test_a_chart_stands_once_wherever_the_text_has_put_it() -> None:
    found = one_section("- ![a](chart:1)\n\n![b](chart:1)\n\n![b](chart:1)\n\n> x ![c](chart:0)")
    assert [one.get("id") for one in found.cssselect("figure")] == ["chart-1", "chart-0"]
    assert [said(one) for one in found.cssselect("#section-1 > p")] == ["Prey by share"] * 2
    assert found.cssselect("#section-1 li > #chart-1")
    assert found.cssselect("#section-1 blockquote > p + #chart-0")


def test_a_chart_that_no_section_has_any_more_is_not_shown() -> None:
    assert not one_section("No chart.").cssselect("figure")


def test_only_web_pages_are_links() -> None:
    found = sample()
    entries = {one.get("id"): one for one in found.cssselect(".references li")}
    links = {
        name: [a.get("href") for a in one.cssselect("a[href^=http]")]
        for name, one in entries.items()
    }
    assert links["source-1"] == ["https://otters.example/survey-2024?lang=en&page=1"]
    assert links["source-3"] == []
    assert "file:///home/reader/fur.pdf" in said(entries["source-3"])
    text = one_section("[a](/etc/passwd) [b](#top) [c](file:///x) [d](//x.example)")
    assert [a.get("href") for a in text.cssselect("#section-1 a")] == ["#top"]


def test_what_speaks_against_a_sentence_is_shown_with_its_day_and_words() -> None:
    told = said(sample().cssselect(".conflict")[0])
    assert told.startswith("The count rose from 1,940 in 2014 to 2,962 in 2024 [1].")
    assert "But [6] (2023-02-03) says:The count fell to 1,800 <by 2023>." in told
    assert not page(conflicts=[]).cssselect("#conflicts, nav a[href='#conflicts']")


def test_the_end_tells_what_was_counted_lost_and_left_open() -> None:
    found = sample()
    rows = [[said(cell) for cell in row] for row in found.cssselect(".audit tr")]
    assert ["Citations not found in their source", "1"] in rows
    assert ["Share of citations that their source supports", "73%"] in rows
    assert "links_not_checked: No web server answered <at all> & so on." in said(
        found.get_element_by_id("about")
    )
    assert [said(one) for one in found.cssselect("#further li")] == REPORT["further_questions"]
    links = [(said(a), a.get("href")) for a in found.cssselect("nav a")]
    assert links[-2:] == [
        ("Questions to ask next", "#further"),
        ("About this report", "#about"),
    ]


@pytest.mark.parametrize(
    ("language", "direction", "heading"),
    [("en", "ltr", "References"), ("zh", "ltr", "参考文献"), ("ar", "rtl", "References")],
)
def test_language_and_direction_are_the_report_s(
    language: str, direction: str, heading: str
) -> None:
    found = page(language=language)
    assert (found.get("lang"), found.get("dir")) == (language, direction)
    assert heading in [said(one) for one in found.cssselect("h2")]


def test_what_looks_like_markup_to_a_browser_or_a_definition_is_text() -> None:
    found = one_section("a <b>b</b> <c> &lt;\n\n[d]: https://d.example\n\n[d] and [1]: e")
    shown = [said(p) for p in found.cssselect("#section-1 > p")]
    assert shown == ["a <b>b</b> <c> <", "[d]: https://d.example", "[d] and [1]: e"]


@pytest.mark.slow
def test_a_part_of_a_page_says_what_the_file_says_and_brings_no_style_or_script() -> None:
    part = html.fragment_fromstring(render_part(REPORT))
    assert not part.cssselect("style, script, [style], main, body")
    shown = [said(one) for one in part.cssselect("#text section")]
    assert shown == [said(one) for one in sample().cssselect("main section")]


@pytest.mark.slow
def test_cards_lead_to_the_passage_of_their_citation() -> None:
    part = html.fragment_fromstring(render_part(REPORT, lambda place: f"/at/{place}"))
    for card in part.cssselect(".card"):
        quotes = [said(one) for one in card.cssselect("blockquote mark")]
        places = [int(one.get("href")[4:]) for one in card.cssselect("a[href^='/at/']")]
        assert [REPORT["citations"][place]["quote"] for place in places] == quotes


@pytest.mark.slow
def test_answers_on_one_page_share_no_anchor() -> None:
    answer = DeepAnswer(
        question="What do otters eat?", language="he", text=REPORT["sections"][0]["text"],
        found=True, answered=True, references=REPORT["references"],
        citations=[one for one in REPORT["citations"] if one["section"] == 0], verdicts=[],
        diary=[], queries=[], pages_read=[], pages_failed=[], degraded=[], usage={},
        spent=Budget(tokens=0, seconds=0, searches=0, pages=0),
    )  # fmt: skip
    both = "".join([render_part(REPORT), *(render_answer_part(answer, f"a{n}-") for n in (1, 2))])
    found = html.fragment_fromstring(both, create_parent="div")
    ids = [one.get("id") for one in found.cssselect("[id]")]
    assert len(ids) == len(set(ids))
    for link in found.cssselect("a[href^='#'], a.mark"):
        assert link.get("href")[1:] in ids
        assert link.get("data-card") in [*ids, None]
    assert [one.get("dir") for one in found.cssselect(".report")] == ["ltr", "rtl", "rtl"]
