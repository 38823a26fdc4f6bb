"""A report as one document tree, from which Pandoc and Typst set it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from exports.citation_styles import CitationStyle, ReferenceEntry, Style
from exports.headings import needs_heading
from exports.labels import (
    Labels,
    explain_copies,
    explain_flag,
    explain_reasons,
    format_audit_rows,
    list_shared_claims,
    load_labels,
    tell_origins,
    tell_verdict,
)
from exports.table_markers import gather_markers
from exports.tree.from_markdown import SectionParser
from exports.tree.nodes import (
    PandocNode,
    bullet_list,
    code,
    division,
    figure,
    heading,
    link,
    node,
    paragraph,
    string,
    table,
)
from schema.report import Citation, Conflict, Position, Report

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
_PANDOC_API_VERSION = [1, 23, 1]


def build_document(report: Report, style: Style, image: Callable[[int], str]) -> dict[str, Any]:
    """Lay a report out as a tree of Pandoc's.

    Args:
        report: the report.
        style: of its citations.
        image: the address of the picture of a chart, by its position in the report; "" where there
            is none, and its values stand as a table.
    """
    citing = CitationStyle(report["references"], style, report["language"])
    numbers = {one["number"] for one in report["references"]}

    def chart(position: int, title: str, sources: list[PandocNode]) -> list[PandocNode]:
        if position >= len(report["charts"]):
            return []
        if source := image(position):
            return [figure(source, title, [string(title), *sources])]
        values = reader.build_table(report["charts"][position]["rows"])
        return [paragraph(node("Strong", [string(title)]), *sources), *values]

    reader = SectionParser(citing, numbers, chart)
    return {
        "pandoc-api-version": _PANDOC_API_VERSION,
        "meta": _build_metadata(report),
        "blocks": list(_build_blocks(report, citing, reader, load_labels(report["language"]))),
    }


def _build_metadata(report: Report) -> dict[str, PandocNode]:
    metadata = {"title": report["title"], "lang": report["language"]}
    if report["question"] != report["title"]:
        metadata["subtitle"] = report["question"]
    if report["language"] in RIGHT_TO_LEFT:
        metadata["dir"] = "rtl"
    return {name: node("MetaInlines", [string(value)]) for name, value in metadata.items()}


def _build_blocks(
    report: Report, citing: CitationStyle, reader: SectionParser, words: Labels
) -> Iterator[PandocNode]:
    for section in report["sections"]:
        blocks = list(reader.parse_blocks(gather_markers(section["text"])))
        if needs_heading(report, section):
            blocks.insert(0, heading(1, [string(section["title"])]))
        if section.get("kind") == "summary":
            yield division("summary", blocks, "summary")
        else:
            yield from blocks
    if report["conflicts"]:
        yield heading(1, [string(words.conflicts)])
    for conflict in report["conflicts"]:
        yield from _build_conflict(conflict, reader, words)
    yield heading(1, [string(words.references)])
    if flag := explain_flag(report, words):
        yield paragraph(string(flag))
    for entry in citing.build_entries():
        yield division("reference", [_build_entry(entry)], f"source-{entry.number}", "Bibliography")
    if report["further_questions"]:
        yield heading(1, [string(words.further)])
        yield bullet_list([[string(question)] for question in report["further_questions"]])
    yield heading(1, [string(words.about)])
    yield from _build_about(report, words)
    if shared := list_shared_claims(report):
        yield heading(2, [string(words.independent)])
    for claim in shared:
        yield paragraph(*reader.parse_inlines(claim["sentence"]))
        said = explain_copies(claim["origins"], words)
        yield bullet_list(
            [[string(tell_origins(claim["origins"], words))], *([string(one)] for one in said)]
        )
    if report["citations"]:
        yield heading(1, [string(words.audit["citations"])])
        yield from _build_citation_checks(report["citations"], reader, words)


def _build_conflict(
    conflict: Conflict, reader: SectionParser, words: Labels
) -> Iterator[PandocNode]:
    """A sentence, and the source that speaks against it."""
    yield paragraph(*reader.parse_inlines(conflict["sentence"]))
    held = conflict.get("held")
    said = [_build_position(held, words.position, reader)] if held else []
    against = Position(
        number=conflict["number"], published=conflict["published"], quote=conflict["quote"]
    )
    yield bullet_list([*said, _build_position(against, words.disagreement, reader)])


def _build_position(one: Position, label: str, reader: SectionParser) -> list[PandocNode]:
    """What a source says, by a label with a place for the source."""
    before, _, after = label.partition("{source}")
    date = f" ({one['published']})" if one["published"] else ""
    source = [*reader.build_marker(one["number"]), string(date)]
    return [string(before), *source, string(f"{after} {_quote(one['quote'])}")]


def _build_about(report: Report, words: Labels) -> Iterator[PandocNode]:
    """What was counted, and what made the report less than it could be."""
    counts = [
        [[string(label)], [string(count)]]
        for _, label, count in format_audit_rows(report["audit"], words)
    ]
    yield table(counts, ["left", "right"], head=False)
    if any(item["code"] == "no_language_model" for item in report["degraded"]):
        yield paragraph(string(words.extractive))
    if report["degraded"]:
        yield paragraph(string(words.degraded))
        yield bullet_list(
            [[code(item["code"]), string(f": {item['detail']}")] for item in report["degraded"]]
        )


def _build_citation_checks(
    citations: Sequence[Citation], reader: SectionParser, words: Labels
) -> Iterator[PandocNode]:
    """Each sentence that cites, with what its sources say and whether that supports it."""
    for (_, sentence), found in groupby(citations, lambda one: (one["section"], one["sentence"])):
        yield paragraph(*reader.parse_inlines(" ".join(sentence.split())))
        yield bullet_list([_build_citation_check(one, reader, words) for one in found])


def _build_citation_check(one: Citation, reader: SectionParser, words: Labels) -> list[PandocNode]:
    """What one source says of a sentence: the marker, the verdict, its reasons, the quote."""
    verdict = [f"{tell_verdict(one, words)}.", *explain_reasons(one["reasons"], words)]
    source = [*reader.build_marker(one["number"]), string(f" {' '.join(verdict)} ")]
    return [*source, node("Emph", [string(_quote(one["quote"]))])] if one["quote"] else source


def _build_entry(entry: ReferenceEntry) -> PandocNode:
    address = string(entry.address)
    return paragraph(
        string(entry.before),
        link([address], entry.address) if entry.linked else address,
        string(entry.after),
    )


def _quote(text: str) -> str:
    return f"“{' '.join(text.split())}”"
