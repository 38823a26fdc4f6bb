"""What a section is shown first of the page that answers best: parts from heading to heading."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from retrieval.passages.context_window import estimate_tokens
from retrieval.passages.page_parts import SOURCE_TOKENS, WHOLE_PAGE
from schema.documents import ChunkPlace, Passage

MAIN_SHARE = 0.4
"""Share of the budget for these parts."""

Part = Sequence[ChunkPlace]
"""The chunks under one heading, in order."""


def choose_main_part(found: Sequence[Passage], places: Part, budget: int) -> list[int]:
    """The chunks of a long page under the headings that hold most of its best passages.

    What stands between two passages under a heading is chosen with them, so that no reader takes
    it for missing. Where the best part is too long, the stretch of it with most of them is chosen.

    Args:
        found: passages of the page, best first.
        places: all its chunks, in order.
        budget: tokens of all that is to be shown; what is chosen fits `MAIN_SHARE` of it.

    Returns:
        The passages found, best first, then what stands beside them, in the page's order; none of
        a page that is short enough to be shown whole, or of which fewer than two were found.
    """
    if len(found) < 2 or places[-1].end - places[0].start <= WHOLE_PAGE:
        return []
    worth = {one.chunk: 1 / (1 + place) for place, one in enumerate(found)}
    tokens = sum(estimate_tokens(one.text) for one in found)
    characters_per_token = sum(len(one.text) for one in found) / tokens
    room = int((MAIN_SHARE * budget - SOURCE_TOKENS) * characters_per_token)
    parts = [list(part) for _, part in groupby(places, key=lambda one: one.heading)]
    chosen = list[int]()
    for part in sorted(parts, key=lambda one: -_weigh(one, worth)):
        if not _weigh(part, worth):
            break
        whole = _measure(part) <= room
        taken = part if whole or chosen else _find_best_stretch(part, worth, room)
        if _measure(taken) <= room:
            chosen += [place.chunk for place in taken]
            room -= _measure(taken)
    best = [one.chunk for one in found if one.chunk in chosen]
    return list(dict.fromkeys([*best, *(one.chunk for one in places if one.chunk in chosen)]))


def _weigh(part: Part, worth: Mapping[int, float]) -> float:
    return sum(worth.get(place.chunk, 0.0) for place in part)


def _measure(part: Part) -> int:
    """Characters of the chunks."""
    return sum(place.end - place.start for place in part)


def _find_best_stretch(part: Part, worth: Mapping[int, float], room: int) -> Part:
    """The neighbours that fit and weigh most, of equal ones those nearest to the heading."""
    return max(_list_stretches(part, room), key=lambda one: _weigh(one, worth))


def _list_stretches(part: Part, room: int) -> Iterator[Part]:
    """From each chunk on, the longest stretch that fits."""
    for first in range(len(part)):
        last = first
        while last < len(part) and _measure(part[first : last + 1]) <= room:
            last += 1
        yield part[first:last]
