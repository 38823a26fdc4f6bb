"""Pages of reports, read as trees."""

from functools import cache
from typing import Any

from lxml import html
from sample_report import REPORT

from exports.html.page import render_html
from schema.report import Chart, Report, ReportSection

UNDRAWN = [Chart(**{**one, "spec": {}}) for one in REPORT["charts"]]


@cache
def sample() -> Any:
    """The page of the sample report, with its charts drawn, read."""
    return html.document_fromstring(render_html(REPORT))


def page(**changed: Any) -> Any:
    """The page of the sample report with something changed, its charts as tables, read."""
    report = {**REPORT, "charts": UNDRAWN, **changed}
    return html.document_fromstring(render_html(Report(**report)))  # type: ignore[typeddict-item]


def one_section(text: str, **changed: Any) -> Any:
    section = ReportSection(title="Section", text=text)
    return page(sections=[section], citations=[], conflicts=[], **changed)


def said(found: Any) -> str:
    return str(found.text_content())


def marks_of(found: Any, section: int) -> list[Any]:
    return list(found.cssselect(f"#section-{section} a.mark"))


def card_of(found: Any, mark: Any) -> Any:
    return found.get_element_by_id(mark.get("data-card"))
