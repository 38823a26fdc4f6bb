"""How many independent origins stand behind each sentence of a report."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import groupby

from citations.origins.fold import Origins, Passage, SourceText
from library.library import Library
from schema.documents import CANONICAL, DocumentInfo
from schema.report import Citation, ClaimOrigins

BACKING = ("supported", "partial")
"""Verdicts of the citations that stand behind a sentence."""


async def find_origins(
    library: Library,
    citations: Sequence[Citation],
    registry: Mapping[int, DocumentInfo],
    texts: Mapping[str, str],
) -> list[ClaimOrigins]:
    """The origins behind each sentence that a source supports, by the full texts of its sources.

    Args:
        library: has their links.
        citations: those of a sentence side by side, in any order else.
        registry: the document of each number.
        texts: the full text of each document that is cited, by uri.
    """
    backing = [one for one in citations if one["verdict"] in BACKING]
    numbers = sorted({one["number"] for one in backing if one["number"] in registry})
    documents = [registry[number] for number in numbers]
    links = await library.load_links([one.id for one in documents])
    sources = [
        _describe(number, document, texts[document.uri], links.get(document.id, []))
        for number, document in zip(numbers, documents, strict=True)
    ]
    return await asyncio.to_thread(_count_each, sources, backing)


def _count_each(sources: Sequence[SourceText], backing: Sequence[Citation]) -> list[ClaimOrigins]:
    known, found = Origins(sources), list[ClaimOrigins]()
    for (section, sentence), cited in groupby(
        backing, lambda one: (one["section"], one["sentence"])
    ):
        passages: dict[int, Passage] = {one["number"]: (one["start"], one["end"]) for one in cited}
        origins = known.count(passages)
        if origins:
            found.append(ClaimOrigins(section=section, sentence=sentence, origins=origins))
    return found


def _describe(number: int, document: DocumentInfo, text: str, links: Sequence[str]) -> SourceText:
    canonical = [one.removeprefix(CANONICAL) for one in links if one.startswith(CANONICAL)]
    return SourceText(
        number=number,
        text=text,
        url=document.url,
        uri=document.uri,
        canonical=canonical[0] if canonical else "",
        title=document.title,
        author=document.author,
        site=document.site,
        published=document.published,
        links=frozenset(links),
    )
