"""The parts of a report as HTML, for a file of its own and for a page that shows more than it.

All look and work by `static/report.css` and `static/report.js`.
"""

import base64
from collections.abc import Callable, Iterable
from typing import NamedTuple

from exports.charts import draw_svg
from exports.citation_styles import CitationStyle, ReferenceEntry, Style
from exports.headings import needs_heading
from exports.html.cards import Cards
from exports.html.escaping import escape_html, render_link
from exports.html.writer import TreeWriter
from exports.labels import explain_flag, format_audit_rows, load_labels
from exports.tree.document import RIGHT_TO_LEFT
from exports.tree.from_markdown import SectionParser
from exports.tree.nodes import PandocNode, node, paragraph, string
from schema.deep_search import DeepAnswer
from schema.report import Audit, Conflict, Position, Report, ReportSection
from schema.summary import has_summary


class ReportParts(NamedTuple):
    """A report as HTML, part by part; what it has not is empty."""

    title: str
    question: str
    summary: str
    contents: str
    legend: str
    main: str


class ReportBody:
    """Writes one report. The list of references comes last: it knows where each is cited."""

    def __init__(
        self,
        report: Report,
        style: Style,
        passage: Callable[[int], str] | None = None,
        prefix: str = "",
    ) -> None:
        """Make a writer.

        Args:
            report: what it writes.
            style: of the citations.
            passage: the address at which the passage of a citation is read in its source, by the
                citation's place in the report; cards link to none without it.
            prefix: begins every anchor, where a page shows several reports or answers.
        """
        self._report = report
        self._prefix = prefix
        self.labels = load_labels(report["language"])
        self._citation_style = CitationStyle(report["references"], style, report["language"])
        self._cards = Cards(report, self._citation_style, self.labels, passage, prefix)
        numbers = {one["number"] for one in report["references"]}
        self._parser = SectionParser(self._citation_style, numbers, self._build_chart, page=True)
        self._writer = TreeWriter(self._cards, self._render_chart, self.labels.table)
        self._charts: set[int] = set()
        self.direction = "rtl" if report["language"] in RIGHT_TO_LEFT else "ltr"

    def render(self) -> ReportParts:
        """All of the report."""
        report, words = self._report, self.labels
        head = int(has_summary(report))
        summary = [self._render_section(index) for index in range(head)]
        parts = [
            *(self._render_section(index) for index in range(head, len(report["sections"]))),
            (
                "conflicts",
                words.conflicts,
                "".join(map(self._render_conflict, report["conflicts"])),
            ),
            ("references", words.references, self._render_references()),
            ("further", words.further, _render_list(map(escape_html, report["further_questions"]))),
            ("about", words.about, self._render_about()),
        ]
        shown = [(anchor, title, body) for anchor, title, body in parts if body]
        return ReportParts(
            title=escape_html(report["title"]),
            question=self._render_question(),
            summary="".join(self._render_part(*one) for one in summary),
            contents=_render_list(
                f'<a href="#{self._prefix}{anchor}">{escape_html(title)}</a>'
                for anchor, title, _ in shown
            ),
            legend=self._render_legend(),
            main="\n".join(self._render_part(*one) for one in shown),
        )

    def render_text(self) -> str:
        """The text of the first section with its references; its headings are of level 4."""
        text, markers = self._cards.bind_markers(self._report["sections"][0]["text"], 0)
        body = self._writer.write(self._parser.parse_blocks(text, 3))
        return body + "".join(map(self._cards.render_card, markers)) + self._render_references()

    def _render_question(self) -> str:
        if self._report["question"] == self._report["title"]:
            return ""
        return f'<p dir="auto">{escape_html(self._report["question"])}</p>'

    def _render_legend(self) -> str:
        legend = "; ".join(
            f'<span class="mark {one}">[n]</span> {escape_html(getattr(self.labels, one))}'
            for one in self._cards.verdicts
        )
        if flag := explain_flag(self._report, self.labels):
            legend = "; ".join(filter(None, [legend, escape_html(flag)]))
        heading = escape_html(self.labels.markers)
        return f'<p class="legend">{heading} {legend}</p>' if legend else ""

    def _render_part(self, anchor: str, title: str, body: str) -> str:
        sections = self._report["sections"]
        once = anchor.startswith("section-") and not needs_heading(self._report, sections[0])
        heading = "" if once else f'<h2 dir="auto">{escape_html(title)}</h2>\n'
        name = f' tabindex="-1" aria-label="{escape_html(title)}"' if anchor == "summary" else ""
        return f'<section id="{self._prefix}{anchor}"{name}>\n{heading}{body}\n</section>'

    def _render_section(self, index: int) -> tuple[str, str, str]:
        section = self._report["sections"][index]
        top = 2 if needs_heading(self._report, section) else 1
        text, markers = self._cards.bind_markers(section["text"], index)
        body = self._writer.write(self._parser.parse_blocks(text, top))
        body += "".join(map(self._cards.render_card, markers))
        is_summary = section.get("kind") == "summary"
        number = index + 1 - has_summary(self._report)
        return "summary" if is_summary else f"section-{number}", section["title"], body

    def _build_chart(
        self, position: int, _title: str, sources: list[PandocNode]
    ) -> list[PandocNode]:
        """A chart; its title alone where the page has it already."""
        if position >= len(self._report["charts"]):
            return []
        if position in self._charts:
            return [paragraph(string(self._report["charts"][position]["title"]), *sources)]
        self._charts.add(position)
        return [node("ChartFigure", [position, sources])]

    def _render_chart(self, position: int, sources: str) -> str:
        """A chart with its values."""
        chart = self._report["charts"][position]
        title, drawing = escape_html(chart["title"]), draw_svg(chart)
        image = ""
        if drawing is not None:
            data = base64.b64encode(drawing.encode()).decode()
            image = f'<img src="data:image/svg+xml;base64,{data}" alt="{title}">'
        values = self._writer.write(self._parser.build_table(chart["rows"]))
        return (
            f'<figure id="{self._prefix}chart-{position}">'
            f"<figcaption>{title}{sources}</figcaption>{image}"
            f"<details{'' if image else ' open'}>"
            f"<summary>{escape_html(self.labels.values)}</summary>{values}</details></figure>"
        )

    def _render_conflict(self, one: Conflict) -> str:
        text, markers = self._cards.bind_markers(one["sentence"], one["section"])
        sentence = self._writer.write([paragraph(*self._parser.parse_inlines(text))])
        held = one.get("held")
        said = self._render_position(self.labels.position, held) if held else ""
        against = Position(number=one["number"], published=one["published"], quote=one["quote"])
        said += self._render_position(self.labels.disagreement, against)
        cards = "".join(map(self._cards.render_card, markers))
        return f'<div class="conflict">{sentence}{said}{cards}</div>'

    def _render_position(self, label: str, one: Position) -> str:
        """What a source says, by a label with a place for the source."""
        source = self._writer.write(self._parser.build_marker(one["number"]))
        if one["published"]:
            source += f" (<time>{escape_html(one['published'])}</time>)"
        return (
            f"<p>{escape_html(label).replace('{source}', source)}</p>"
            f'<blockquote dir="auto"><mark>{escape_html(one["quote"])}</mark></blockquote>'
        )

    def _render_references(self) -> str:
        entries = "\n".join(self._render_entry(one) for one in self._citation_style.build_entries())
        return f'<ul class="references">\n{entries}\n</ul>' if entries else ""

    def _render_entry(self, one: ReferenceEntry) -> str:
        marker = f"[{one.number}] "
        marker = marker if one.before.startswith(marker) else ""
        source = one.before.removeprefix(marker).removesuffix(", ")  # may read from right to left
        return (
            f'<li id="{self._prefix}source-{one.number}">{marker}<bdi>{escape_html(source)}</bdi>'
            f"{one.before.removeprefix(marker + source)}{render_link(one.address, one.address)}"
            f"{escape_html(one.after)} {self._cards.render_back_links(one.number)}</li>"
        )

    def _render_about(self) -> str:
        report, words = self._report, self.labels
        codes = [one["code"] for one in report["degraded"]]
        rows = "".join(
            f'<tr><th scope="row">{escape_html(label)}</th><td>{escape_html(count)}</td></tr>'
            for _, label, count in format_audit_rows(report["audit"], words)
        )
        failures = _render_list(
            f"<code>{escape_html(one['code'])}</code>: {escape_html(one['detail'])}"
            for one in report["degraded"]
        )
        return (
            (f"<p>{escape_html(words.extractive)}</p>" if "no_language_model" in codes else "")
            + (f"<p>{escape_html(words.degraded)}</p>{failures}" if failures else "")
            + f'<table class="audit"><tbody>{rows}</tbody></table>'
        )


def _render_list(items: Iterable[str]) -> str:
    found = "".join(f'<li dir="auto">{one}</li>' for one in items)
    return f"<ul>{found}</ul>" if found else ""


def render_part(report: Report, passage: Callable[[int], str] | None = None) -> str:
    """A report for the `<main>` of a page that has the styles and the script of `static`.

    Args:
        report: what is shown.
        passage: where the passage of a citation is read, see `ReportBody`.
    """
    body = ReportBody(report, "ieee", passage)
    parts, name = body.render(), escape_html(body.labels.contents)
    return (
        f'<article class="report" lang="{escape_html(report["language"])}" dir="{body.direction}">'
        f'<header><h1 dir="auto">{parts.title}</h1>{parts.question}</header>{parts.summary}'
        f'<nav class="contents" aria-label="{name}"><p>{name}</p>{parts.contents}</nav>'
        f'<div id="text">{parts.legend}{parts.main}</div></article>'
    )


def render_answer_part(answer: DeepAnswer, prefix: str) -> str:
    """The text of an answer with its citations and references, below a heading of the third level.

    Args:
        answer: what is shown.
        prefix: begins its anchors.
    """
    report = Report(
        question=answer["question"],
        title=answer["question"],
        language=answer["language"],
        sections=[ReportSection(title=answer["question"], text=answer["text"])],
        references=answer["references"],
        citations=[{**one, "section": 0} for one in answer["citations"]],
        conflicts=[],
        charts=[],
        audit=Audit(**dict.fromkeys(Audit.__annotations__, 0)),  # type: ignore[typeddict-item]
        degraded=answer["degraded"],
        further_questions=[],
        usage=answer["usage"],
    )
    body = ReportBody(report, "ieee", prefix=prefix)
    return (
        f'<div class="report" lang="{escape_html(answer["language"])}" dir="{body.direction}">'
        f"{body.render_text()}</div>"
    )
