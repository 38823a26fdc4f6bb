"""A report as one document tree, from which Pandoc and Typst set it."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from exports.audit import audit_rows
from exports.commonmark import SectionReader, marks
from exports.labels import Labels, labels
from exports.pandoc_tree import (
    Node,
    bullets,
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
from exports.reasons import in_words
from exports.styles import CitationStyle, Entry, Style
from schema.report import Citation, Conflict, Report

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
_API = [1, 23, 1]
_MARK = re.compile(r"\[(\d{1,9})\]")


def document(report: Report, style: Style, image: Callable[[int], str]) -> dict[str, Any]:
    """Lay a report out as a tree of Pandoc's.

    Args:
        report: the report.
        style: of its citations.
        image: the address of the picture of a chart, by its place in the report; "" where there
            is none, and its values stand as a table.
    """
    citing = CitationStyle(report["references"], style, report["language"])
    numbers = {one["number"] for one in report["references"]}

    def cell(value: str) -> list[Node]:
        number = _MARK.fullmatch(value)
        known = number and int(number[1]) in numbers
        return marks(citing.pieces([int(number[1])])) if number and known else [string(value)]

    def chart(place: int, title: str, sources: list[Node]) -> list[Node]:
        if place >= len(report["charts"]):
            return []
        if source := image(place):
            return [figure(source, title, [string(title), *sources])]
        rows = [list(map(cell, row)) for row in report["charts"][place]["rows"]]
        return [
            paragraph(node("Strong", [string(title)]), *sources),
            *([table(rows)] if rows else []),
        ]

    reader = SectionReader(citing, numbers, chart)
    return {
        "pandoc-api-version": _API,
        "meta": _meta(report),
        "blocks": list(_blocks(report, citing, reader, labels(report["language"]))),
    }


def _meta(report: Report) -> dict[str, Node]:
    told = {"title": report["title"], "lang": report["language"]}
    if report["question"] != report["title"]:
        told["subtitle"] = report["question"]
    if report["language"] in RIGHT_TO_LEFT:
        told["dir"] = "rtl"
    return {name: node("MetaInlines", [string(value)]) for name, value in told.items()}


def _blocks(
    report: Report, citing: CitationStyle, reader: SectionReader, words: Labels
) -> Iterator[Node]:
    for section in report["sections"]:
        if section["title"] != report["title"]:  # a report of one section says it once
            yield heading(1, [string(section["title"])])
        yield from reader.blocks(section["text"])
    if report["conflicts"]:
        yield heading(1, [string(words.conflicts)])
    for conflict in report["conflicts"]:
        yield from _conflict(conflict, citing, reader, words)
    yield heading(1, [string(words.references)])
    for entry in citing.entries():
        yield division("reference", [_entry(entry)], f"source-{entry.number}", "Bibliography")
    if report["further_questions"]:
        yield heading(1, [string(words.further)])
        yield bullets([[string(question)] for question in report["further_questions"]])
    yield heading(1, [string(words.about)])
    yield from _about(report, words)
    if report["citations"]:
        yield heading(1, [string(words.audit["citations"])])
        yield from _proofs(report["citations"], citing, reader, words)


def _conflict(
    conflict: Conflict, citing: CitationStyle, reader: SectionReader, words: Labels
) -> Iterator[Node]:
    """A sentence, and the source that speaks against it."""
    yield paragraph(*reader.inlines(conflict["sentence"]))
    before, _, after = words.but.partition("{source}")
    day = f" ({conflict['published']})" if conflict["published"] else ""
    source = [*marks(citing.pieces([conflict["number"]])), string(day)]
    quote = string(f"{after} {_quoted(conflict['quote'])}")
    yield bullets([[string(before), *source, quote]])


def _about(report: Report, words: Labels) -> Iterator[Node]:
    """What was counted, and what made the report less than it could be."""
    counts = [
        [[string(said)], [string(count)]] for _, said, count in audit_rows(report["audit"], words)
    ]
    yield table(counts, ["left", "right"], head=False)
    if any(item["code"] == "no_language_model" for item in report["degraded"]):
        yield paragraph(string(words.extractive))
    if report["degraded"]:
        yield paragraph(string(words.degraded))
        yield bullets(
            [[code(item["code"]), string(f": {item['detail']}")] for item in report["degraded"]]
        )


def _proofs(
    citations: Sequence[Citation], citing: CitationStyle, reader: SectionReader, words: Labels
) -> Iterator[Node]:
    """Each sentence that cites, with what its sources say and how that bears it out."""
    for (_, sentence), found in groupby(citations, lambda one: (one["section"], one["sentence"])):
        yield paragraph(*reader.inlines(" ".join(sentence.split())))
        yield bullets([_proof(one, citing, words) for one in found])


def _proof(one: Citation, citing: CitationStyle, words: Labels) -> list[Node]:
    """What one source says of a sentence: the mark, the verdict, its reasons, the quote."""
    said = [f"{getattr(words, one['verdict'])}.", *in_words(one["reasons"], words)]
    source = [*marks(citing.pieces([one["number"]])), string(f" {' '.join(said)} ")]
    return [*source, node("Emph", [string(_quoted(one["quote"]))])] if one["quote"] else source


def _entry(entry: Entry) -> Node:
    address = string(entry.address)
    return paragraph(
        string(entry.before),
        link([address], entry.address) if entry.linked else address,
        string(entry.after),
    )


def _quoted(text: str) -> str:
    return f"“{' '.join(text.split())}”"
