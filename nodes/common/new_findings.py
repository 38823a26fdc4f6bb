"""What sources that came after a report tell on its sections' questions, and it does not."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citations.gap_answers import find_telling_sentence
from citations.statements import Statement
from library.library import Library
from library.saved_reports import SavedReport
from nodes.common.news import has_news
from schema.documents import DocumentInfo, Passage
from schema.gather import run_concurrently
from schema.report import ClaimChange, Report
from schema.search import Filters, SearchOptions
from text.sentences import split_sentences

PASSAGES = 6
"""Passages of newer sources that are read for a question."""

MOST_FINDINGS = 3
"""New sentences that a section takes in at one time."""


@dataclass(frozen=True)
class _Asked:
    """A question of the section at a place of the report, and the chunks that were found for it."""

    place: int
    question: str
    chunks: list[int]


@dataclass(frozen=True)
class _Told:
    """A sentence of a new source that answers a section, and its share of the question's words."""

    share: float
    place: int
    sentence: str
    source: DocumentInfo


async def find_new_findings(
    library: Library, saved: SavedReport, report: Report, known: set[str]
) -> list[ClaimChange]:
    """Sentences of newer sources that clearly tell what a section asks and the report does not say.

    Args:
        library: the report's space; pages found on the web count as well.
        saved: says when the report was written, and what its sections ask.
        report: the report.
        known: uris of documents that it cites, or that are told of already.

    Returns:
        A change for each; `after` is the sentence, `now` still empty.
    """
    filters = Filters(fetched_since=saved.created.isoformat(), in_full=True)
    asked = [
        _Asked(place, question, [])
        for place, held in enumerate(saved.material)
        if report["sections"][place].get("kind") != "summary"
        for question in held["questions"]
    ]
    for part in (library, library.open_part("web")):
        if not await has_news(part, report, filters):
            continue
        options = SearchOptions(limit=PASSAGES, filters=filters)
        searched = await run_concurrently(part.search(one.question, options) for one in asked)
        for one, result in zip(asked, searched, strict=True):
            one.chunks.extend(hit.chunk for hit in result.hits)
    passages = await library.load_passages(sorted({c for one in asked for c in one.chunks}))
    described = await library.load_documents(sorted({p.document for p in passages.values()}))
    new = {
        chunk: one for chunk, one in passages.items() if described[one.document].uri not in known
    }
    return await asyncio.to_thread(_collect, asked, new, described, report)


def _collect(
    asked: Sequence[_Asked],
    passages: Mapping[int, Passage],
    described: Mapping[int, DocumentInfo],
    report: Report,
) -> list[ClaimChange]:
    language = report["language"]
    said = [
        Statement.read(section["text"][at.start : at.end], language)
        for section in report["sections"]
        for at in split_sentences(section["text"], language)
    ]
    told = [
        _Told(share, one.place, sentence, info)
        for one in asked
        for chunk in one.chunks
        if chunk in passages
        for info in [described[passages[chunk].document]]
        for sentence, share in [
            find_telling_sentence(one.question, passages[chunk], language, info.title)
        ]
        if sentence
    ]
    findings: list[ClaimChange] = []
    for one in sorted(told, key=lambda one: -one.share):  # each goes where it answers most
        new = Statement.read(one.sentence, language)
        taken = sum(found["section"] == one.place for found in findings)
        if taken < MOST_FINDINGS and new.terms and not any(other.covers(new) for other in said):
            said.append(new)
            findings.append(_describe(one))
    return findings


def _describe(told: _Told) -> ClaimChange:
    return ClaimChange(
        section=told.place,
        kind="new",
        sentence="",
        now="",
        number=0,
        document=told.source.uri,
        before="",
        after=told.sentence,
        dated=told.source.published[:10] or told.source.fetched.date().isoformat(),
    )
