"""How many independent origins stand behind each sentence of a report."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import groupby

from citations.origins.fold import Origins, Passage, SourceText
from library.document_texts import LONGEST_TEXT
from library.library import Library
from schema.documents import CANONICAL, DocumentInfo
from schema.report import Citation, ClaimOrigins

BACKING = ("supported", "partial")
"""Verdicts of the citations that stand behind a sentence."""


async def find_origins(
    library: Library, citations: Sequence[Citation], registry: Mapping[int, DocumentInfo]
) -> list[ClaimOrigins]:
    """The origins behind each sentence that a source supports, by the full texts of its sources.

    Args:
        library: has the texts.
        citations: those of a sentence side by side, in any order else.
        registry: the document of each number.
    """
    backing = [one for one in citations if one["verdict"] in BACKING]
    numbers = sorted({one["number"] for one in backing if one["number"] in registry})
    documents = [registry[number] for number in numbers]
    texts = await library.load_spans([(one.id, 0, LONGEST_TEXT) for one in documents])
    links = await library.load_links([one.id for one in documents])
    sources = [
        _describe(number, document, text, links.get(document.id, []))
        for number, document, text in zip(numbers, documents, texts, strict=True)
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
