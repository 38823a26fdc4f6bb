"""The passages that a sentence points to: "it may stand under “Spare parts” in the Pump Manual"."""

import re
from collections.abc import Mapping, Sequence

from citations.gap_pointers import list_titles
from library.library import Library

MAX_POINTED = 6
"""Passages that are read of what one sentence points to."""

MAX_READ = 400
"""Passages whose text is looked through for a heading that none of them begins with."""

_HEADING = re.compile(r"^ {0,3}#{1,6} +(.*\S)", re.MULTILINE)


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
    layouts = await library.load_layouts(titled or documents)
    every = {place.chunk: document for document in layouts for place in layouts[document]}
    headings = {place.chunk: [place.heading] for places in layouts.values() for place in places}
    chunks = _choose(every, headings, wanted)
    if not chunks:  # short parts of a page are one passage, under the heading of the first
        passages = await library.load_passages(list(every)[:MAX_READ])
        inner = {chunk: _HEADING.findall(one.text) for chunk, one in passages.items()}
        chunks = _choose(every, inner, wanted)
    return dict(list(chunks.items())[:MAX_POINTED])


def _choose(
    documents: Mapping[int, int], headings: Mapping[int, Sequence[str]], wanted: Sequence[str]
) -> dict[int, int]:
    """The chunks with a heading that is wanted, in the order of the text."""
    return {
        chunk: document
        for chunk, document in documents.items()
        if any(
            heading in one or one in heading
            for heading in map(_fold, headings.get(chunk, ()))
            for one in wanted
            if heading and one
        )
    }


def _names(said: str, title: str) -> bool:
    return bool(title.strip()) and _fold(title) in said


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
