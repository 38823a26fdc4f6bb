"""Where pages define what a gap names as code: "The default of `vacuum_cost_limit` is open"."""

import asyncio
from collections.abc import Sequence

from library.library import Library
from retrieval.passages.definitions import rank_definitions
from text.code_names import find_code

MAX_PASSAGES = 1_500
"""Of all pages that are looked through."""


async def find_defining_chunks(
    subjects: Sequence[str], documents: Sequence[int], library: Library
) -> list[list[int]]:
    """For each subject the chunks of pages that define a name of it, in the order of the pages.

    Args:
        subjects: what is missing.
        documents: the pages, those that are looked through first at the front.
        library: holds them.
    """
    if not any(map(find_code, subjects)):
        return [[] for _ in subjects]
    layouts = await library.load_layouts(documents)
    places = [place for document in documents for place in layouts.get(document, ())]
    passages = await library.load_passages([place.chunk for place in places[:MAX_PASSAGES]])
    chunks = [place.chunk for place in places if place.chunk in passages]
    texts = [passages[chunk].text for chunk in chunks]
    found = await asyncio.to_thread(rank_definitions, subjects, texts)
    return [[chunks[place] for place in own] for own in found]
