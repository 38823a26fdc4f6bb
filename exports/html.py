"""A report as one HTML file that asks nothing of any network.

Its styles, its script and its charts are in it; a Content-Security-Policy forbids all else.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from exports.audit import audit_rows
from exports.charts import svg
from exports.document import RIGHT_TO_LEFT
from exports.html_cards import Cards
from exports.html_marks import SIGN, TOKEN, Mark, tokenised
from exports.html_text import escaped, line_html, link, section_html
from exports.labels import labels
from exports.styles import CitationStyle, Entry, Style
from schema.report import Chart, Conflict, Report

_CHART = re.compile(rf"<p>⟦{SIGN}c(\d+)⟧(.*?)</p>", re.DOTALL)
_REFERENCE = re.compile(r"\[(\d{1,9})\]")


def report_html(report: Report, style: Style = "ieee") -> str:
    """Lay a report out as a page.

    Each mark leads to its entry of the reference list, and has a card with the verdict, its reasons
    and the quote in its context. Charts are images with their values below.
    """
    return _Page(report, style).whole()


class _Page:
    """Writes one report. The list of references comes last: it knows where each is cited."""

    def __init__(self, report: Report, style: Style) -> None:
        self._report = report
        self._words = labels(report["language"])
        self._citing = CitationStyle(report["references"], style, report["language"])
        self._numbers = {one["number"] for one in report["references"]}
        self._cards = Cards(report["references"], self._citing, self._words)
        self._marks: dict[int, Mark] = {}
        self._drawn: set[int] = set()

    def whole(self) -> str:
        report, words = self._report, self._words
        parts = [
            *(self._section(index) for index in range(len(report["sections"]))),
            ("conflicts", words.conflicts, "".join(map(self._conflict, report["conflicts"]))),
            ("references", words.references, self._references()),
            ("further", words.further, _listed(map(escaped, report["further_questions"]))),
            ("about", words.about, self._about()),
        ]
        shown = [(anchor, title, body) for anchor, title, body in parts if body]
        script = _part("page.js")
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        return _part("page.html").format(
            language=escaped(report["language"]),
            direction="rtl" if report["language"] in RIGHT_TO_LEFT else "ltr",
            script_hash=digest,
            title=escaped(report["title"]),
            question=self._question(),
            skip=escaped(words.skip),
            contents=escaped(words.contents),
            links=_listed(f'<a href="#{a}">{escaped(title)}</a>' for a, title, _ in shown),
            legend=self._legend(),
            main="\n".join(self._part_of_page(*one) for one in shown),
            style=_part("page.css"),
            script=script,
        )

    def _question(self) -> str:
        asked = self._report["question"]
        return f'<p dir="auto">{escaped(asked)}</p>' if asked != self._report["title"] else ""

    def _legend(self) -> str:
        verdicts = self._cards.verdicts
        told = (
            f'<span class="mark {one}">[n]</span> {escaped(getattr(self._words, one))}'
            for one in verdicts
        )
        legend = "; ".join(told)
        return f'<p class="legend">{escaped(self._words.marks)} {legend}</p>' if verdicts else ""

    def _part_of_page(self, anchor: str, title: str, body: str) -> str:
        once = title == self._report["title"] and anchor.startswith("section-")
        heading = "" if once else f'<h2 dir="auto">{escaped(title)}</h2>\n'
        return f'<section id="{anchor}">\n{heading}{body}\n</section>'

    def _section(self, index: int) -> tuple[str, str, str]:
        section = self._report["sections"][index]
        top = 2 if section["title"] == self._report["title"] else 3
        body, cards = self._text(section["text"], index, top)
        body = body.replace("<table>", self._scroll()).replace("</table>", "</table></div>")
        body = _CHART.sub(lambda found: self._figure(int(found[1]), found[2]), body)
        charts = self._report["charts"]
        within = [int(found["of"]) for found in TOKEN.finditer(body)]  # a list, a table, a quote
        body = TOKEN.sub(lambda found: self._chart_title(int(found["of"])), body)
        left = [
            self._figure(one, "") for one in within if one < len(charts) and one not in self._drawn
        ]
        return f"section-{index + 1}", section["title"], "".join([body, *left, cards])

    def _text(self, text: str, index: int, top: int) -> tuple[str, str]:
        """A section, or with `top` 0 a sentence of it, as HTML; and the cards of its marks."""
        cited = [one for one in self._report["citations"] if one["section"] == index]
        text, found = tokenised(text, cited, self._numbers, len(self._marks))
        self._marks.update((mark.place, mark) for mark in found)
        made = section_html(text, self._marks, top) if top else line_html(text, self._marks)
        written = self._cards.written(made, self._marks)
        return written, "\n".join(self._cards.card(mark) for mark in found)

    def _scroll(self) -> str:
        return f'<div class="scroll" role="group" aria-label="{escaped(self._words.table)}"><table>'

    def _chart_title(self, place: int) -> str:
        charts = self._report["charts"]
        return escaped(charts[place]["title"]) if place < len(charts) else ""

    def _figure(self, place: int, caption: str) -> str:
        """A chart with its values; its title alone where it is there already, or is none."""
        if place >= len(self._report["charts"]) or place in self._drawn:
            return f"<p>{self._chart_title(place)}{caption}</p>"
        self._drawn.add(place)
        chart = self._report["charts"][place]
        title, drawing = escaped(chart["title"]), svg(chart)
        image = ""
        if drawing is not None:
            data = base64.b64encode(drawing.encode()).decode()
            image = f'<img src="data:image/svg+xml;base64,{data}" alt="{title}">'
        values = (
            f"<details{'' if image else ' open'}><summary>{escaped(self._words.values)}</summary>"
            f"{self._rows(chart)}</details>"
        )
        return (
            f'<figure id="chart-{place}"><figcaption>{title}{caption}</figcaption>{image}{values}'
            "</figure>"
        )

    def _rows(self, chart: Chart) -> str:
        """The values as a table; a cell that names a reference leads to it."""

        def cell(text: str) -> str:
            found = _REFERENCE.fullmatch(text)
            known = found and int(found[1]) in self._numbers
            return self._cards.reference(int(found[1])) if found and known else escaped(text)

        rows = [[cell(text) for text in row] for row in chart["rows"]]
        if not rows:
            return ""
        head = "".join(f'<th scope="col">{one}</th>' if one else "<td></td>" for one in rows[0])
        body = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in rows[1:])
        return f"{self._scroll()}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"

    def _conflict(self, one: Conflict) -> str:
        sentence, cards = self._text(one["sentence"], one["section"], 0)
        known = one["number"] in self._numbers
        source = self._cards.reference(one["number"]) if known else f"[{one['number']}]"
        if one["published"]:
            source += f" (<time>{escaped(one['published'])}</time>)"
        return (
            f'<div class="conflict"><p dir="auto">{TOKEN.sub("", sentence)}</p>'
            f"<p>{escaped(self._words.but).replace('{source}', source)}</p>"
            f'<blockquote dir="auto"><mark>{escaped(one["quote"])}</mark></blockquote>{cards}</div>'
        )

    def _references(self) -> str:
        entries = "\n".join(self._entry(one) for one in self._citing.entries())
        return f'<ul class="references">\n{entries}\n</ul>' if entries else ""

    def _entry(self, one: Entry) -> str:
        mark = f"[{one.number}] "
        mark = mark if one.before.startswith(mark) else ""
        told = one.before.removeprefix(mark).removesuffix(", ")  # may read from right to left
        return (
            f'<li id="source-{one.number}">{mark}<bdi>{escaped(told)}</bdi>'
            f"{one.before.removeprefix(mark + told)}{link(one.address, one.address)}"
            f"{escaped(one.after)} {self._cards.back(one.number)}</li>"
        )

    def _about(self) -> str:
        report, words = self._report, self._words
        codes = [one["code"] for one in report["degraded"]]
        rows = "".join(
            f'<tr><th scope="row">{escaped(said)}</th><td>{escaped(count)}</td></tr>'
            for _, said, count in audit_rows(report["audit"], words)
        )
        lost = _listed(
            f"<code>{escaped(one['code'])}</code>: {escaped(one['detail'])}"
            for one in report["degraded"]
        )
        return (
            (f"<p>{escaped(words.extractive)}</p>" if "no_language_model" in codes else "")
            + (f"<p>{escaped(words.degraded)}</p>{lost}" if lost else "")
            + f'<table class="audit"><tbody>{rows}</tbody></table>'
        )


def _listed(items: Iterable[str]) -> str:
    found = "".join(f'<li dir="auto">{one}</li>' for one in items)
    return f"<ul>{found}</ul>" if found else ""


@cache
def _part(name: str) -> str:
    return (files("exports") / "html_parts" / name).read_text(encoding="utf-8").strip()
