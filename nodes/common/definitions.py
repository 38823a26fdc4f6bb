"""Passages that define what a gap names as code: "The default of `vacuum_cost_limit` is open"."""

import asyncio
from collections.abc import Sequence

from library.library import Library
from retrieval.passages.definitions import rank_definitions
from schema.documents import Passage
from text.code_names import find_code

MAX_PASSAGES = 1_500
"""Of all pages that are looked through."""


async def find_definitions(
    subjects: Sequence[str], documents: Sequence[int], library: Library
) -> list[list[Passage]]:
    """For each subject the passages of pages that define a name of it, in the order of the pages.

    Args:
        subjects: what is missing.
        documents: the pages, those that are looked through first at the front.
        library: holds them.
    """
    if not any(map(find_code, subjects)):
        return [[] for _ in subjects]
    layouts = await library.load_layouts(documents)
    places = [place for document in documents for place in layouts.get(document, ())]
    chunks = [place.chunk for place in places[:MAX_PASSAGES]]
    loaded = await library.load_passages(chunks)
    passages = [loaded[chunk] for chunk in chunks if chunk in loaded]
    found = await asyncio.to_thread(rank_definitions, subjects, [one.text for one in passages])
    return [[passages[place] for place in own] for own in found]
