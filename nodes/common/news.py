"""What sources that came after a report say against its claims."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping

from citations.checked_sentence import extract_claim
from citations.denials import find_denial
from citations.evidence_span import SourcePassages
from library.library import Library
from library.saved_reports import SavedReport
from schema.documents import DocumentInfo, Passage
from schema.gather import run_concurrently
from schema.report import ClaimChange, Report
from schema.search import Filters, SearchOptions

PASSAGES = 8
"""Passages of newer sources that are read for a claim."""


async def find_news(
    library: Library,
    saved: SavedReport,
    report: Report,
    cited: set[str],
    changed: set[tuple[int, str]],
) -> list[ClaimChange]:
    """Claims that a source denies which the report does not cite and which was stored after it.

    Args:
        library: the report's space; pages found on the web count as well.
        saved: says when the report was written.
        report: the report.
        cited: uris of what it cites.
        changed: claims, as (section, sentence), whose own evidence changed: they are not asked for.

    Returns:
        A change for each claim and source that denies it; `after` is what it says.
    """
    claims = {
        (one["section"], one["sentence"]): one["number"]
        for one in report["citations"]
        if one["verdict"] in ("supported", "partial")
    }
    wanted = [one for one in claims if one not in changed]
    filters = Filters(fetched_since=saved.created.isoformat())
    found: dict[tuple[int, str], list[int]] = {one: [] for one in wanted}
    for part in (library, library.open_part("web")):
        if not await has_news(part, report, filters):
            continue
        searched = await run_concurrently(
            part.search(extract_claim(one[1]), SearchOptions(limit=PASSAGES, filters=filters))
            for one in wanted
        )
        for one, result in zip(wanted, searched, strict=True):
            found[one] += [hit.chunk for hit in result.hits]
    passages = await library.load_passages(sorted({c for chunks in found.values() for c in chunks}))
    described = await library.load_documents(sorted({p.document for p in passages.values()}))
    return await asyncio.to_thread(
        _collect, found, passages, described, cited, claims, report["language"]
    )


async def has_news(part: Library, report: Report, filters: Filters) -> bool:
    """Whether anything newer speaks of the report at all: most often nothing does."""
    asked = SearchOptions(limit=1, filters=filters)
    return bool((await part.search(report["question"], asked)).hits)


def _collect(
    found: Mapping[tuple[int, str], list[int]],
    passages: Mapping[int, Passage],
    described: Mapping[int, DocumentInfo],
    cited: set[str],
    claims: Mapping[tuple[int, str], int],
    language: str,
) -> list[ClaimChange]:
    news = []
    for (section, sentence), chunks in found.items():
        by_document: defaultdict[int, list[Passage]] = defaultdict(list)
        for chunk in chunks:
            if chunk in passages and described[passages[chunk].document].uri not in cited:
                by_document[passages[chunk].document].append(passages[chunk])
        for document, read in by_document.items():
            info = described[document]
            if quote := find_denial(extract_claim(sentence), SourcePassages(read, language)):
                news.append(
                    ClaimChange(
                        section=section,
                        kind="contradicted",
                        sentence=sentence,
                        now="",
                        number=claims[section, sentence],
                        document=info.uri,
                        before="",
                        after=quote,
                        dated=info.published[:10] or info.fetched.date().isoformat(),
                    )
                )
    return news
