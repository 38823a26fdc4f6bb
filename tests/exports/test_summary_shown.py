"""The summary comes first in every format, under a heading in the report's language."""

import copy
import json

import kreuzberg
import pytest
from html_pages import said
from lxml import html
from sample_report import REPORT

from exports.formats import export
from exports.headings import needs_heading
from exports.html.page import render_html
from exports.markdown import render_markdown
from schema.report import Report, ReportSection

POSITION = "Otters keep kelp forests alive by what they eat"
HEADINGS = {"en": "Summary", "de": "Zusammenfassung", "zh": "摘要"}
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def summed_up(language: str = "en") -> Report:
    """The sample with a summary, to which its citations are moved on."""
    report = copy.deepcopy(REPORT)
    text = f"{POSITION} [1].\n\n### Findings\n\n1. Their fur is the densest of all [3]."
    head = ReportSection(title=HEADINGS[language], text=text, kind="summary")
    report["sections"].insert(0, head)
    for one in [*report["citations"], *report["conflicts"], *report["charts"]]:
        one["section"] += 1
    report["language"] = language
    return report


@pytest.mark.parametrize("language", HEADINGS)
def test_markdown_begins_with_it(language: str) -> None:
    lines = render_markdown(summed_up(language)).splitlines()
    assert lines[2:5] == [f"## {HEADINGS[language]}", "", f"{POSITION} [1]."]
    assert lines[6:9] == ["### Findings", "", "1. Their fur is the densest of all [3]."]
    assert lines.index("## Food and habits") > 8


@pytest.mark.slow
def test_the_page_shows_it_in_a_block_above_the_contents() -> None:
    page = html.document_fromstring(render_html(summed_up()))
    [block] = page.cssselect("#summary")
    order = [
        one.get("id") or one.tag for one in page.cssselect("body > header, #summary, nav, main")
    ]
    assert order == ["header", "summary", "nav", "text"]
    assert said(block.cssselect("h2")[0]) == block.get("aria-label") == "Summary"
    assert [said(one) for one in block.cssselect("h3")] == ["Findings"]
    assert POSITION in said(block)
    assert [one.get("href") for one in block.cssselect("a.mark")] == ["#source-1", "#source-3"]
    assert page.cssselect("a.skip")[0].get("href") == "#summary"


@pytest.mark.slow
def test_it_takes_no_number_of_a_section_from_the_page_s_addresses() -> None:
    plain, page = map(html.document_fromstring, map(render_html, (REPORT, summed_up())))
    for one in (plain, page):
        assert said(one.cssselect("#section-1 h2")[0]) == "Food and habits"
        assert one.cssselect("nav a")[0].get("href") == "#section-1"
    assert plain.cssselect("a.skip")[0].get("href") == "#text"
    assert not plain.cssselect("#summary")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("docx", DOCX), ("pdf", "application/pdf")])
def test_documents_have_it_before_the_sections(name: str, kind: str) -> None:
    made = export(summed_up(), name)  # type: ignore[arg-type]  # one of its names
    text = " ".join(kreuzberg.extract_bytes_sync(made, kind).content.split())
    at = [text.index(words) for words in ("Summary", POSITION, "Findings", "Sea otters (")]
    assert at == sorted(at)
    if name == "pdf":
        assert text.index(POSITION) < text.index("Contents")


def test_latex_and_json_have_it_too() -> None:
    latex = export(summed_up(), "latex").decode()
    assert latex.index(r"\section{Summary}") < latex.index(r"\section{Food and habits}")
    assert json.loads(export(summed_up(), "json"))["sections"][0]["kind"] == "summary"


def test_the_section_of_a_short_report_has_a_heading_where_a_summary_stands_before_it() -> None:
    report = summed_up()
    report["sections"] = [
        report["sections"][0], ReportSection(title=report["title"], text="Otters eat fish [1].")
    ]  # fmt: skip
    assert needs_heading(report, report["sections"][1])
    assert f"## {report['title']}\n\nOtters eat fish" in render_markdown(report)
