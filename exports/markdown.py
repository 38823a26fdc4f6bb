"""A report, or an answer, as Markdown."""

import re
from collections.abc import Iterator, Sequence

from exports.audit import audit_rows
from exports.labels import Labels, labels
from exports.safe_markdown import safe_line, safe_markdown
from exports.styles import CitationStyle, Entry, Piece, Style
from schema.deep_search import DeepAnswer
from schema.report import Audit, Chart, Conflict, Degraded, Report

# What could make a link, an image, HTML or code of a name or title that was fetched.
_SPECIAL = re.compile(r"[\\<`*~|]|(?<=\])[(\[]|(?<!\w)_|_(?!\w)")
_CHART = re.compile(r"!\[[^\]\n]*\]\(chart:(\d{1,4})\)([^\n]*)\n*")
_COUNTED = {
    *("sentences", "sentences_cited", "citations"),
    *("sources_cited", "sources_found", "unknown_numbers_dropped"),
}
"""Counts that a sentence tells; the others stand in a table below it."""


def report_markdown(report: Report, style: Style = "ieee") -> str:
    """Lay a report out: title, sections, conflicts, references, further questions, audit.

    Charts stand as tables of their values.
    """
    words = labels(report["language"])
    citing = CitationStyle(report["references"], style, report["language"])
    return "\n".join(_lines(report, citing, words)).strip() + "\n"


def answer_markdown(answer: DeepAnswer) -> str:
    """An answer with its references, and what it falls short of."""
    words = labels(answer["language"])
    lines = [safe_markdown(answer["text"], 2), ""]
    for entry in CitationStyle(answer["references"], "ieee", answer["language"]).entries():
        lines += [_line(entry), ""]
    if answer["degraded"]:
        lines += [words.degraded, ""]
        lines += map(_lost, answer["degraded"])
    return "\n".join(lines).strip() + "\n"


def _lines(report: Report, citing: CitationStyle, words: Labels) -> Iterator[str]:
    yield from (f"# {safe_line(report['title'])}", "")
    for section in report["sections"]:
        titled = section["title"] != report["title"]  # a report of one section says it once
        if titled:
            yield from (f"## {safe_line(section['title'])}", "")
        safe = safe_markdown(section["text"], 3 if titled else 2)
        text = _with_tables(safe, report["charts"])
        yield from (citing.rewritten(text, _mark), "")
    if report["conflicts"]:
        yield from (f"## {words.conflicts}", "")
        yield from (_conflict(one, citing, words) for one in report["conflicts"])
        yield ""
    yield from (f"## {words.references}", "")
    for entry in citing.entries():
        yield from (_line(entry), "")
    if report["further_questions"]:
        yield from (f"## {words.further}", "")
        yield from (f"- {safe_line(question)}" for question in report["further_questions"])
        yield ""
    yield from (f"## {words.about}", "")
    yield from (_counted(report["audit"], words), "")
    rows = [row for key, *row in audit_rows(report["audit"], words) if key not in _COUNTED]
    yield from (_table([["", ""], *rows]), "")
    if any(item["code"] == "no_language_model" for item in report["degraded"]):
        yield from (words.extractive, "")
    if report["degraded"]:
        yield from (words.degraded, "")
        yield from map(_lost, report["degraded"])
        yield ""


def _lost(item: Degraded) -> str:
    return f"- `{item['code']}`: {safe_line(item['detail'])}"


def _mark(pieces: list[Piece]) -> str:
    return "".join(_escaped(piece.text) for piece in pieces)


def _line(entry: Entry) -> str:
    linked = entry.linked or entry.address.startswith("file://")
    address = f"<{entry.address}>" if linked else _escaped(entry.address)
    return f"{_escaped(entry.before)}{address}{entry.after}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _with_tables(text: str, charts: Sequence[Chart]) -> str:
    """A section's text with the values of a chart below the line that it stands in."""

    def table(found: re.Match[str]) -> str:
        place = int(found[1])
        if place >= len(charts):
            return found[0]
        title, rows = _escaped(charts[place]["title"]), charts[place]["rows"]
        return f"**{title}**{found[2]}\n\n{_table(rows)}\n\n"

    return _CHART.sub(table, text).rstrip()


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table, the first one its headings."""
    lines = [f"| {' | '.join(_escaped(' '.join(cell.split())) for cell in row)} |" for row in rows]
    return "\n".join([*lines[:1], "|" + " --- |" * len(rows[0]), *lines[1:]]) if rows else ""


def _conflict(one: Conflict, citing: CitationStyle, words: Labels) -> str:
    sentence = citing.rewritten(safe_line(one["sentence"]), _mark)
    source = citing.rewritten(f"[{one['number']}]", _mark)
    day = f" ({one['published']})" if one["published"] else ""
    quote = _escaped(" ".join(one["quote"].split())).replace("[", "\\[")
    return f"- {sentence}\n  {words.but.format(source=source + day)} “{quote}”"


def _counted(audit: Audit, words: Labels) -> str:
    return words.counted.format(
        sentences=audit["sentences"],
        cited=audit["sentences_cited"],
        citations=audit["citations"],
        used=audit["sources_cited"],
        found=audit["sources_found"],
        dropped=audit["unknown_numbers_dropped"],
    )
