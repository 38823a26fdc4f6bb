"""The passages that a sentence points to: "it may stand under “Spare parts” in the Pump Manual"."""

from collections.abc import Sequence

from citations.gap_pointers import list_titles
from library.library import Library

MAX_POINTED = 6
"""Passages that are read of what one sentence points to."""


async def find_pointed_chunks(
    pointer: str, documents: Sequence[int], library: Library
) -> dict[int, int]:
    """The chunks under the headings that a pointer names, in the order of the text.

    Args:
        pointer: of `citations.gap_phrases.find_pointer`.
        documents: that may be meant; where it has the title of some, only these are.
        library: holds them.

    Returns:
        The document of each chunk, at most `MAX_POINTED`.
    """
    if not pointer or not documents:
        return {}
    described = await library.load_documents(documents)
    said = _fold(pointer)
    titled = [n for n in documents if n in described and _names(said, described[n].title)]
    wanted = [_fold(one) for one in list_titles(pointer)] or [said]
    chunks: dict[int, int] = {}
    for document, places in (await library.load_layouts(titled or documents)).items():
        for place in places:
            heading = _fold(place.heading)
            if heading and any(heading in one or one in heading for one in wanted if one):
                chunks[place.chunk] = document
    return dict(list(chunks.items())[:MAX_POINTED])


def _names(said: str, title: str) -> bool:
    return bool(title.strip()) and _fold(title) in said


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
