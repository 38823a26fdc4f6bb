"""A report, or an answer, as Markdown."""

import re
from collections.abc import Callable, Iterator, Sequence

from exports.citation_styles import CitationStyle, MarkerPiece, ReferenceEntry, Style
from exports.headings import needs_heading
from exports.labels import (
    Labels,
    explain_copies,
    explain_flag,
    format_audit_rows,
    list_shared_claims,
    load_labels,
    tell_origins,
)
from exports.safe_markdown import sanitise_line, sanitise_markdown
from exports.table_markers import gather_markers
from schema.deep_search import DeepAnswer
from schema.report import Audit, Chart, ClaimOrigins, Conflict, Degradation, Position, Report

# What could make a link, an image, HTML or code of a name or title that was fetched.
_SPECIAL = re.compile(r"[\\<`*~|]|(?<=\])[(\[]|(?<!\w)_|_(?!\w)")
_CHART = re.compile(r"!\[[^\[\]\n]*\]\(chart:(\d{1,4})\)([^\n]*)\n*")
_COUNTS_IN_SENTENCE = {
    *("sentences", "sentences_cited", "citations"),
    *("sources_cited", "sources_found", "unknown_numbers_dropped"),
}
"""Counts that a sentence reports; the others are in a table below it."""


def render_markdown(report: Report, style: Style = "ieee") -> str:
    """Lay a report out: title, summary, sections, conflicts, references, further questions, audit.

    Charts stand as tables of their values.
    """
    return layout_markdown(report, style, _format_marker, format_entry)


def layout_markdown(
    report: Report,
    style: Style,
    write_marker: Callable[[list[MarkerPiece]], str],
    write_entry: Callable[[ReferenceEntry], str] | None,
) -> str:
    """The same with markers and references in another form.

    Args:
        report: the report.
        style: of its citations.
        write_marker: Markdown of markers that stand side by side.
        write_entry: that of an entry of the reference list; without it there is no list.
    """
    words = load_labels(report["language"])
    citing = CitationStyle(report["references"], style, report["language"])
    lines = _render_lines(report, citing, words, write_marker, write_entry)
    return "\n".join(lines).strip() + "\n"


def render_answer(answer: DeepAnswer) -> str:
    """An answer with its references, and what it falls short of."""
    words = load_labels(answer["language"])
    lines = [sanitise_markdown(answer["text"], 2), ""]
    for entry in CitationStyle(answer["references"], "ieee", answer["language"]).build_entries():
        lines += [format_entry(entry), ""]
    if answer["degraded"]:
        lines += [words.degraded, ""]
        lines += map(_format_failure, answer["degraded"])
    return "\n".join(lines).strip() + "\n"


def _render_lines(
    report: Report,
    citing: CitationStyle,
    words: Labels,
    write_marker: Callable[[list[MarkerPiece]], str],
    write_entry: Callable[[ReferenceEntry], str] | None,
) -> Iterator[str]:
    yield from (f"# {sanitise_line(report['title'])}", "")
    for section in report["sections"]:
        titled = needs_heading(report, section)
        if titled:
            yield from (f"## {sanitise_line(section['title'])}", "")
        safe = sanitise_markdown(gather_markers(section["text"]), 3 if titled else 2)
        text = _insert_tables(safe, report["charts"])
        yield from (citing.rewrite_markers(text, write_marker), "")
    if report["conflicts"]:
        yield from (f"## {words.conflicts}", "")
        yield from (
            _format_conflict(one, citing, words, write_marker) for one in report["conflicts"]
        )
        yield ""
    if write_entry:
        yield from (f"## {words.references}", "")
    if flag := explain_flag(report, words):
        yield from (flag, "")
    if write_entry:
        for entry in citing.build_entries():
            yield from (write_entry(entry), "")
    if report["further_questions"]:
        yield from (f"## {words.further}", "")
        yield from (f"- {sanitise_line(question)}" for question in report["further_questions"])
        yield ""
    yield from (f"## {words.about}", "")
    yield from (_format_counts(report["audit"], words), "")
    rows = [
        row
        for key, *row in format_audit_rows(report["audit"], words)
        if key not in _COUNTS_IN_SENTENCE
    ]
    yield from (_format_table([["", ""], *rows]), "")
    if shared := list_shared_claims(report):
        yield from (f"### {words.independent}", "")
        yield from (_format_origins(one, citing, words, write_marker) for one in shared)
        yield ""
    if any(item["code"] == "no_language_model" for item in report["degraded"]):
        yield from (words.extractive, "")
    if report["degraded"]:
        yield from (words.degraded, "")
        yield from map(_format_failure, report["degraded"])
        yield ""


def _format_failure(item: Degradation) -> str:
    return f"- `{item['code']}`: {sanitise_line(item['detail'])}"


def _format_marker(pieces: list[MarkerPiece]) -> str:
    return "".join(escape_markdown(piece.text) for piece in pieces)


def format_entry(entry: ReferenceEntry) -> str:
    """An entry of the reference list."""
    linked = entry.linked or entry.address.startswith("file://")
    address = f"<{entry.address}>" if linked else escape_markdown(entry.address)
    return f"{escape_markdown(entry.before)}{address}{entry.after}"


def escape_markdown(text: str) -> str:
    """A name or title that was fetched, of which nothing is markup."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _insert_tables(text: str, charts: Sequence[Chart]) -> str:
    """A section's text with the values of a chart below the line that it stands in."""

    def table(found: re.Match[str]) -> str:
        position = int(found[1])
        if position >= len(charts):
            return found[0]
        title, rows = escape_markdown(charts[position]["title"]), charts[position]["rows"]
        return f"**{title}**{found[2]}\n\n{_format_table(rows)}\n\n"

    return _CHART.sub(table, text).rstrip()


def _format_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table, the first one its headings."""
    lines = [
        f"| {' | '.join(escape_markdown(' '.join(cell.split())) for cell in row)} |" for row in rows
    ]
    return "\n".join([*lines[:1], "|" + " --- |" * len(rows[0]), *lines[1:]]) if rows else ""


WriteMarker = Callable[[list[MarkerPiece]], str]


def _format_conflict(
    one: Conflict, citing: CitationStyle, words: Labels, write_marker: WriteMarker
) -> str:
    sentence = citing.rewrite_markers(sanitise_line(one["sentence"]), write_marker)
    against = Position(number=one["number"], published=one["published"], quote=one["quote"])
    source, quote = _format_position(against, citing, write_marker)
    said = [f"{words.disagreement.format(source=source)} {quote}"]
    if held := one.get("held"):
        source, quote = _format_position(held, citing, write_marker)
        said.insert(0, f"{words.position.format(source=source)} {quote}")
    return "\n  ".join([f"- {sentence}", *said])


def _format_position(
    one: Position, citing: CitationStyle, write_marker: WriteMarker
) -> tuple[str, str]:
    """A source with its date, and what it says in quotation marks, without what was bold in it."""
    source = citing.rewrite_markers(f"[{one['number']}]", write_marker)
    date = f" ({escape_markdown(one['published'])})" if one["published"] else ""
    plain = " ".join(one["quote"].replace("**", "").split())
    quote = escape_markdown(plain).replace("[", "\\[")
    return source + date, f"“{quote}”"


def _format_origins(
    one: ClaimOrigins, citing: CitationStyle, words: Labels, write_marker: WriteMarker
) -> str:
    """A sentence, how many origins stand behind it, and which of its sources are none."""
    sentence = citing.rewrite_markers(sanitise_line(one["sentence"]), write_marker)

    def marker(number: int) -> str:
        return citing.rewrite_markers(f"[{number}]", write_marker)

    said = f"{tell_origins(one['origins'], words)}. "
    return f"- {sentence}\n  {said}{'; '.join(explain_copies(one['origins'], words, marker))}."


def _format_counts(audit: Audit, words: Labels) -> str:
    return words.counts.format(
        sentences=audit["sentences"],
        cited=audit["sentences_cited"],
        citations=audit["citations"],
        used=audit["sources_cited"],
        found=audit["sources_found"],
        dropped=audit["unknown_numbers_dropped"],
    )
