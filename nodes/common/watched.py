"""A report that is watched: its sections as drafts, with the passages that they are mended from."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from library.document_texts import DocumentSpan
from library.library import Library
from nodes.common.run import make_source
from schema.documents import DocumentInfo
from schema.report import Citation, ClaimChange, Report, Section
from schema.summary import has_summary


async def load_watched(
    library: Library, report: Report, citations: Sequence[Citation], changes: Sequence[ClaimChange]
) -> tuple[dict[int, Section], dict[int, DocumentInfo]]:
    """The sections whose claims changed, by place, and the documents of the numbers in them.

    A draft's passages are those that its citations stand in now, and what changed sources say. A
    source that speaks against a claim and is not in the reference list has a number after the last.
    """
    uris = sorted({one["document"] for one in [*citations, *changes]})
    parts = [library, library.open_part("web")]
    ids = {uri: one.document for p in parts for uri, one in (await p.find_stored(uris)).items()}
    described = await library.load_documents(list(ids.values()))
    numbers = number_documents(report, changes)
    spans: defaultdict[int, list[DocumentSpan]] = defaultdict(list)
    for one in changes:
        if one["after"] and one["document"] in ids:
            start = (await _load_text(parts, one["document"])).find(one["after"])
            end = start + len(one["after"])
            spans[one["section"]].append((ids[one["document"]], max(0, start), max(1, end)))
    for cited in citations:
        if cited["document"] in ids and cited["end"] > cited["start"]:
            span = (ids[cited["document"]], cited["start"], cited["end"])
            spans[cited["section"]].append(span)
    places = sorted({one["section"] for one in changes})
    drafts = {}
    for place in places:
        chunks = list(await library.find_chunks_over(spans[place]))
        drafts[place] = _make_draft(report, place, chunks, described, numbers)
    by_number = {numbers[one.uri]: one for one in described.values() if one.uri in numbers}
    return drafts, by_number


def number_documents(report: Report, changes: Sequence[ClaimChange]) -> dict[str, int]:
    """The number of each document: that of the reference list, or one after the last."""
    numbers = {one["document"]: one["number"] for one in report["citations"]}
    last = max((one["number"] for one in report["references"]), default=0)
    for one in changes:
        if one["document"] not in numbers:
            last += 1
            numbers[one["document"]] = last
    return numbers


async def _load_text(parts: Sequence[Library], uri: str) -> str:
    for part in parts:
        if (text := await part.load_text(uri)) is not None:
            return text
    return ""


def _make_draft(
    report: Report,
    place: int,
    chunks: Sequence[int],
    described: Mapping[int, DocumentInfo],
    numbers: Mapping[str, int],
) -> Section:
    section = report["sections"][place]
    return Section(
        index=place - has_summary(report),
        title=section["title"],
        text=section["text"],
        sources=[
            make_source(numbers[one.uri], one) for one in described.values() if one.uri in numbers
        ],
        passages=list(dict.fromkeys(chunks)),
    )
