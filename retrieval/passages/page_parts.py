"""What a writer is shown of the pages that passages stand in, and what it is told of the rest.

Passages come first, the best and then one of each further source, so that none is crowded out by
another's length. What is left of the budget goes to short pages whole, to the text around passages
up to the headings before and behind, and to more passages.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from types import MappingProxyType

from retrieval.passages.context_window import estimate_tokens
from retrieval.passages.repeats import drop_copies
from schema.documents import ChunkPlace, Passage

WHOLE_PAGE = 6_000
"""Characters of a page that is shown whole."""

FOUND_SHARE = 0.6
"""Share of a page's characters that were found from which it is shown whole, if it is not longer
than twice `WHOLE_PAGE`."""

PART_CHARACTERS = 3_000
"""Of the text between two headings that is shown around a passage."""

PASSAGES_SHARE = 0.7
"""Share of the budget for the best passages, before further sources and the text around them; of
what notes leave of it."""

SOURCES_SHARE = 0.85
"""Share with the first passages of further sources, before the text around them."""

HIDDEN_CHARACTERS = 300
"""Of the headings that are named of one page as not shown."""

SOURCE_TOKENS = 60 + HIDDEN_CHARACTERS // 4
"""Title, author, address and tags of a source, and the headings that are not shown."""

UNNAMED_PART = "(about {words} more words without a heading)"
"""What stands for the hidden parts that no heading names."""

WORD_CHARACTERS = 6
"""Of a word with the space behind it, about."""

Layouts = Mapping[int, Sequence[ChunkPlace]]
"""The chunks of each document, in the order of its text."""


@dataclass(frozen=True)
class PagePart:
    """A stretch of a document under one heading, `text[start:end]`, and the chunks it is of."""

    heading: str
    start: int
    end: int
    chunks: tuple[int, ...]


def find_surroundings(passage: Passage, places: Sequence[ChunkPlace]) -> list[int]:
    """The chunks around a passage up to the next headings, the nearest first.

    With the passage they are no longer than `PART_CHARACTERS`.
    """
    at = next(i for i, place in enumerate(places) if place.chunk == passage.chunk)
    first = last = at
    found: list[int] = []
    while True:
        ahead = [last + 1] if last + 1 < len(places) else []
        options = [
            i
            for i in (*ahead, *([first - 1] if first else []))
            if places[i].heading == passage.heading
            and places[max(i, last)].end - places[min(i, first)].start <= PART_CHARACTERS
        ]
        if not options:
            return found
        nearest = min(options, key=lambda i: abs(i - at))
        first, last = min(first, nearest), max(last, nearest)
        found.append(places[nearest].chunk)


def is_shown_whole(places: Sequence[ChunkPlace], found: Iterable[int]) -> bool:
    """Whether a page is short, or not long and found for the most part."""
    length = sum(place.end - place.start for place in places)
    held = set(found)
    inside = sum(place.end - place.start for place in places if place.chunk in held)
    return length <= WHOLE_PAGE or (length <= 2 * WHOLE_PAGE and inside >= FOUND_SHARE * length)


def list_wanted_chunks(ranked: Sequence[Passage], layouts: Layouts) -> list[int]:
    """The chunks around passages that may be shown beside them, most wanted first.

    What a passage leads to with a colon, such as a query or a table, comes before all else. Short
    pages are wanted whole, those of better passages first, before more of long ones.
    """
    found: dict[int, list[int]] = {}
    for passage in ranked:
        found.setdefault(passage.document, []).append(passage.chunk)
    led_to = [c for p in ranked for c in _find_next(p, layouts[p.document])]
    near = [c for p in ranked for c in find_surroundings(p, layouts[p.document])]
    whole = [
        place.chunk
        for document, chunks in found.items()
        if is_shown_whole(layouts[document], chunks)
        for place in layouts[document]
    ]
    ours = {passage.chunk for passage in ranked}
    return [chunk for chunk in dict.fromkeys([*led_to, *whole, *near]) if chunk not in ours]


def _find_next(passage: Passage, places: Sequence[ChunkPlace]) -> list[int]:
    """The chunk behind a passage that ends with a colon, if it stands under the same heading."""
    if not passage.text.rstrip(" \n*_").endswith((":", "：")):
        return []
    behind = [place for place in places if place.start >= passage.end][:1]
    return [place.chunk for place in behind if place.heading == passage.heading]


def choose_passages(
    ranked: Sequence[Passage], budget: int, taken: Mapping[int, int] = MappingProxyType({})
) -> list[Passage]:
    """The passages that are taken before what stands around them, in the order taken.

    The best ones, then the best one of each further source. A passage that another page has as well
    is taken once; at least one is taken if there is any and nothing is taken already, however long.

    Args:
        ranked: passages, best first.
        budget: tokens of all that is to be shown, the headers of sources included.
        taken: tokens of it that something else of a document takes already, by document.
    """
    return list(_take_passages(drop_copies(ranked), budget, taken).taken.values())


def pack_parts(
    ranked: Sequence[Passage],
    around: Sequence[Passage],
    budget: int,
    further: Sequence[Passage] = (),
    taken: Mapping[int, int] = MappingProxyType({}),
) -> list[Passage]:
    """Take the chosen passages and what stands around them, then the others, while they fit.

    Nothing that stands around a passage is taken of a page of which no passage was.

    Args:
        ranked: passages, best first.
        around: what stands around those that `choose_passages` chooses, most wanted first.
        budget: tokens, the headers of sources included.
        further: what stands around the others.
        taken: tokens of the budget that something else of a document takes already, by document.

    Returns:
        What fits, in the order taken; at least one passage if there is any and nothing is taken
        already, however long.
    """
    distinct = drop_copies(ranked)
    window = _take_passages(distinct, budget, taken)
    window.take_around(around)
    for passage in distinct:
        window.take(passage)
    window.take_around(further)
    return list(window.taken.values())


def _take_passages(distinct: Sequence[Passage], budget: int, taken: Mapping[int, int]) -> "_Window":
    before = sum(taken.values())
    window = _Window(budget, documents=set(taken), used=before)
    left = budget - before
    for passage in distinct:
        if not window.documents or window.used < before + PASSAGES_SHARE * left:
            window.take(passage)
    for passage in distinct:
        is_further = passage.document not in window.documents
        if is_further and window.used < before + SOURCES_SHARE * left:
            window.take(passage)
    return window


def join_parts(shown: Iterable[int], places: Sequence[ChunkPlace]) -> list[PagePart]:
    """The chunks that are shown of a document as stretches: neighbours under one heading are one.

    Args:
        shown: chunks.
        places: all chunks of the document, in order.
    """
    wanted, parts = set(shown), list[PagePart]()
    joins = False
    for place in places:
        if place.chunk not in wanted:
            joins = False
            continue
        if joins and parts[-1].heading == place.heading:
            last = parts.pop()
            parts.append(replace(last, end=place.end, chunks=(*last.chunks, place.chunk)))
        else:
            parts.append(PagePart(place.heading, place.start, place.end, (place.chunk,)))
        joins = True
    return parts


def make_part(start: int, end: int, places: Sequence[ChunkPlace]) -> PagePart:
    """`text[start:end]` of a document as a part, under the heading that it begins under.

    Args:
        start: of the part.
        end: of the part.
        places: all chunks of the document, in order.
    """
    before = [place.heading for place in places if place.start <= start]
    return PagePart(before[-1] if before else "", start, end, ())


def choose_near_chunks(
    found: Iterable[int], places: Sequence[ChunkPlace], characters: int
) -> list[int]:
    """The chunks of a document that are near those found, the nearest first, while they fit.

    Args:
        found: chunks, one of the document's at least.
        places: all its chunks, in order.
        characters: that they may have together.

    Returns:
        One chunk at least, however long.
    """
    wanted = set(found)
    at = [i for i, place in enumerate(places) if place.chunk in wanted]
    near = sorted(range(len(places)), key=lambda i: min(abs(i - j) for j in at))
    sizes = accumulate(places[i].end - places[i].start for i in near)
    fitting = sum(size <= characters for size in sizes)
    return [places[i].chunk for i in near[: max(1, fitting)]]


def merge_parts(parts: Sequence[PagePart], places: Sequence[ChunkPlace]) -> list[PagePart]:
    """Parts that were made longer, those that meet as one, with all chunks that they reach into.

    Args:
        parts: of a document, in order.
        places: all chunks of the document, in order.
    """
    merged: list[PagePart] = []
    for part in parts:
        meets = merged and part.start <= merged[-1].end
        before = merged.pop() if meets else part
        start, end = before.start, max(before.end, part.end)
        reached = tuple(one.chunk for one in places if one.start < end and one.end > start)
        merged.append(PagePart(before.heading, start, end, reached))
    return merged


def list_hidden_headings(
    shown: Iterable[int], places: Sequence[ChunkPlace], characters: int = HIDDEN_CHARACTERS
) -> list[str]:
    """The headings of what is not shown of a document, in order, each once.

    Of text without a heading it is said how much there is. Headings that do not fit `characters`
    are left out, and "…" says so.
    """
    wanted = set(shown)
    hidden = [place for place in places if place.chunk not in wanted]
    unnamed = sum(place.end - place.start for place in hidden if not place.heading.strip())
    length = UNNAMED_PART.format(words=f"{_round_words(unnamed):,}")
    names: list[str] = []
    room = characters
    for name in dict.fromkeys(" ".join(one.heading.split()) or length for one in hidden):
        room -= len(name) + 2
        if room < 0:
            return [*names, "…"]
        names.append(name)
    return names


def _round_words(characters: int) -> int:
    """Words of so many characters, to one digit, ten at least."""
    words = max(10, characters // WORD_CHARACTERS)
    return round(words, 1 - len(str(words)))


@dataclass
class _Window:
    """What was taken, by chunk, and the tokens that it uses."""

    budget: int
    taken: dict[int, Passage] = field(default_factory=dict)
    documents: set[int] = field(default_factory=set)
    used: int = 0

    def take(self, passage: Passage) -> None:
        """Take a passage if it fits, or is the first."""
        cost = estimate_tokens(passage.text)
        cost += 0 if passage.document in self.documents else SOURCE_TOKENS
        if passage.chunk in self.taken or (self.documents and self.used + cost > self.budget):
            return
        self.taken[passage.chunk] = passage
        self.documents.add(passage.document)
        self.used += cost

    def take_around(self, passages: Iterable[Passage]) -> None:
        """Take those that fit, of documents of which something was taken."""
        for passage in passages:
            if passage.document in self.documents:
                self.take(passage)
