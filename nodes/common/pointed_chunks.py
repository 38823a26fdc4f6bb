"""The part of a page that a gap points to: "it may stand under “Spare parts” in the manual"."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citations.gap_pointers import list_titles
from library.library import Library
from retrieval.passages.part_ends import find_code_blocks
from retrieval.search.word_ranker import score_by_words
from schema.documents import ChunkPlace, DocumentInfo

PART_CHARACTERS, STRETCH_CHARACTERS = 8_000, 3_500
"""Of the text under a heading that is read whole, about 2,000 tokens, and of a longer one for each
of the gaps that point to it."""

MAX_PARTS = 2
"""Parts of pages that are read where several are under the heading that one sentence names."""

MAX_CHARACTERS = 500_000
"""Of a page that is looked through for a heading."""

MIN_HEADING = 3
"""Characters of a heading that is told by being named among other words."""

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*\S)", re.MULTILINE)
_CLOSING = re.compile(r"[ \t]+#+$")
_BETWEEN = " ,;:.>/|–—-"
"""What stands between a page and its heading."""


@dataclass(frozen=True)
class PointedPart:
    """The text from a heading to the next of its level: the chunks it is of, in their order."""

    document: int
    places: tuple[ChunkPlace, ...]

    @property
    def characters(self) -> int:
        """Its length, from the first chunk to the last."""
        return self.places[-1].end - self.places[0].start


async def find_pointed_parts(
    pointer: str, documents: Sequence[int], library: Library
) -> list[PointedPart]:
    """The parts of pages that a pointer names, whole, at most `MAX_PARTS`.

    Args:
        pointer: of `citations.gap_phrases.find_pointer`, or of an open point.
        documents: that may be meant; where it has the title of some, only these are.
        library: holds them.
    """
    if not pointer or not documents:
        return []
    described = await library.load_documents(documents)
    wanted = _choose_named(pointer, described) or list(documents)
    layouts = await library.load_layouts(wanted)
    spans = [(n, 0, min(layouts[n][-1].end, MAX_CHARACTERS)) for n in wanted if n in layouts]
    texts = await library.load_spans(spans)
    pages = [
        (n, text, described[n].title if n in described else "")
        for (n, *_), text in zip(spans, texts, strict=True)
    ]
    return await asyncio.to_thread(_find_parts, pointer, pages, layouts)


async def choose_pointed_chunks(
    part: PointedPart, subjects: Sequence[str], library: Library
) -> list[int]:
    """The chunks of a part that are read for the gaps that point to it, in their order.

    A part that is no longer than `PART_CHARACTERS` is read whole; of a longer one, for each gap,
    the neighbouring chunks that speak most of it.
    """
    chunks = [place.chunk for place in part.places]
    if part.characters <= PART_CHARACTERS:
        return chunks
    passages = await library.load_passages(chunks)
    texts = [passages[chunk].text if chunk in passages else "" for chunk in chunks]
    read = await asyncio.to_thread(
        lambda: {n for one in subjects for n in _find_stretch(one, texts)}
    )
    return [chunk for n, chunk in enumerate(chunks) if n in read]


def _find_stretch(subject: str, texts: Sequence[str]) -> range:
    """The neighbours among texts that speak most of a subject, `STRETCH_CHARACTERS` together."""
    scores = score_by_words(subject, texts)
    best, most = range(0), -1.0
    for first in range(len(texts)):
        length, last = 0, first
        while last < len(texts) and (
            last == first or length + len(texts[last]) <= STRETCH_CHARACTERS
        ):
            length += len(texts[last])
            last += 1
        if (score := sum(scores[first:last])) > most:
            best, most = range(first, last), score
    return best


def _find_parts(
    pointer: str,
    pages: Sequence[tuple[int, str, str]],
    layouts: Mapping[int, Sequence[ChunkPlace]],
) -> list[PointedPart]:
    """The parts under the headings that fit best what a pointer names; no chunk is in two.

    `pages` are documents with their texts and titles.
    """
    fitting = [
        (said, fit, PointedPart(n, tuple(_list_places(start, end, layouts[n]))))
        for n, text, title in pages
        for start, end, heading in _list_headed_parts(text)
        for said, name in enumerate(_list_named(pointer, title))
        if (fit := _count_common(_fold(heading), name))
    ]
    best: dict[int, int] = {}
    for said, fit, _ in fitting:
        best[said] = max(fit, best.get(said, 0))
    parts: list[PointedPart] = []
    for part in [part for said, fit, part in fitting if fit == best[said]]:
        held = {place.chunk for one in parts for place in one.places}
        if left := tuple(place for place in part.places if place.chunk not in held):
            parts.append(PointedPart(part.document, left))
    return parts[:MAX_PARTS]


def _list_headed_parts(text: str) -> list[tuple[int, int, str]]:
    """Where each heading of a page stands, where the next of its level or above does, its words."""
    blocks = find_code_blocks(text)
    found = [
        (one.start(), len(one[1]), _CLOSING.sub("", one[2]))
        for one in _HEADING.finditer(text)
        if not any(start <= one.start() < end for start, end in blocks)
    ]
    return [
        (start, next((at for at, other, _ in found[n + 1 :] if other <= level), len(text)), words)
        for n, (start, level, words) in enumerate(found)
    ]


def _list_places(start: int, end: int, places: Sequence[ChunkPlace]) -> list[ChunkPlace]:
    return [one for one in places if one.start < end and one.end > start]


def _list_named(pointer: str, title: str) -> list[str]:
    """The headings of a page that a pointer names: in quotes, else all behind the page's title."""
    quoted = [_fold(one) for one in list_titles(pointer)]
    if quoted:
        return [one for one in quoted if one != _fold(title)] or quoted
    said = _fold(pointer)
    behind = said.replace(_fold(title), "", 1).strip(_BETWEEN) if title else said
    return [behind or said]


def _count_common(name: str, said: str) -> int:
    """The length of the shorter of two texts that the other has as whole words, else 0."""
    shorter, longer = sorted((name, said), key=len)
    if not shorter or (len(shorter) < MIN_HEADING and shorter != longer and shorter.isascii()):
        return 0
    edge = r"(?<!\w){}(?!\w)" if shorter.isascii() else "{}"
    return len(shorter) if re.search(edge.format(re.escape(shorter)), longer) else 0


def _choose_named(pointer: str, described: Mapping[int, DocumentInfo]) -> list[int]:
    """The documents whose title a pointer names, those of the longest such title."""
    fits = {n: _count_named(pointer, info.title) for n, info in described.items()}
    longest = max(fits.values(), default=0)
    return [n for n, fit in fits.items() if fit == longest > 0]


def _count_named(pointer: str, title: str) -> int:
    name, said = _fold(title), _fold(pointer)
    return _count_common(name, said) if len(name) <= len(said) else 0


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
