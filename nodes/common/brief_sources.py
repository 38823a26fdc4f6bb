"""Sources as a planner sees them: titles, headings and how their passages begin."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from library.library import Library
from prompts.template import SourceText
from retrieval.passages.listings import select_answering
from retrieval.passages.openings import take_opening
from retrieval.passages.page_parts import list_hidden_headings
from schema.documents import ChunkPlace, DocumentInfo, Passage

HEADING_CHARACTERS = 240
"""Of the headings of what is not shown of a source: they tell a planner what else it answers."""


async def load_brief_sources(
    library: Library, found: Mapping[int, Sequence[int]], question: str, characters: int
) -> list[SourceText]:
    """Sources with the openings of their passages and the headings of the rest, in their order.

    Args:
        library: holds them; one that it does not hold any more is left out.
        found: for each source's number the chunks that were found of it, in any order.
        question: what the report answers.
        characters: of each opening at most.
    """
    passages = await library.load_passages([chunk for chunks in found.values() for chunk in chunks])
    documents = list({one.document for one in passages.values()})
    described, layouts = await asyncio.gather(
        library.load_documents(documents), library.load_layouts(documents)
    )
    held = {
        number: [passages[chunk] for chunk in chunks if chunk in passages]
        for number, chunks in found.items()
    }
    return [
        make_brief_source(number, info, here, layouts[info.id], question, characters)
        for number, here in held.items()
        if here and (info := described.get(here[0].document))
    ]


def make_brief_source(
    number: int,
    info: DocumentInfo,
    passages: Sequence[Passage],
    places: Sequence[ChunkPlace],
    question: str,
    characters: int,
) -> SourceText:
    """A source with the openings of those passages that tell a planner more than its title.

    Those that follow one another under one heading are one passage, a line each; of the rest the
    headings are named. Listings, such as contents and licences, are left out where the question
    does not ask for them; a source that is nothing else has no passages.
    """
    ordered = sorted(passages, key=lambda passage: passage.start)
    answering = select_answering([(one, info.title) for one in ordered], [question])
    openings = [
        (one.heading, take_opening(one.text, info.language, characters))
        for one, answers in zip(ordered, answering, strict=True)
        if answers
    ]
    told = [(heading, opening) for heading, opening in openings if opening != info.title]
    shown = [
        (heading, "\n".join(opening for _, opening in under))
        for heading, under in groupby(told, key=itemgetter(0))
    ]
    headings = {heading for heading, _ in shown}
    found = [one.chunk for one in passages]
    hidden = list_hidden_headings(found, places, HEADING_CHARACTERS)
    return SourceText(
        number=number,
        title=info.title,
        site=info.site,
        published=info.published,
        passages=tuple(opening for _, opening in shown),
        headings=tuple(heading for heading, _ in shown),
        not_shown=tuple(one for one in hidden if one not in headings),
    )
