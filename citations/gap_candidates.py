"""Which passages a writer is shown again before what it says is missing may stand."""

from collections.abc import Mapping, Sequence
from operator import itemgetter

from citations.gap_answers import SpokenOf
from schema.report import Section

MAX_CANDIDATES = 4
"""Passages that are handed over for one thing that is missing."""

MAX_POINTED = 2
"""Of those, from the place that its sentence points to; the second only where its words speak of
what is missing."""


def choose_candidates(
    rated: Sequence[Sequence[SpokenOf]],
    pointed: Sequence[int],
    found: Sequence[Sequence[int]],
    documents: Mapping[int, int],
    draft: Section,
) -> list[int]:
    """The passages that may tell what a section says is missing, the best first.

    Words rank them and decide nothing: whether a passage answers is for who reads it. First what
    words make sure of, then where the sentence points to, then what speaks most of each missing
    thing: of a passage that it has, a section may have seen a part alone. Then, query by query in
    turn, the best hits that it has not seen, those of pages that are new to it first.

    Args:
        rated: by their words, the best first, for each of several things that are missing.
        pointed: the chunks that the sentence points to.
        found: the chunks that each query found, the best first.
        documents: of all these chunks.
        draft: the section.
    """
    pages = {source["document"] for source in draft["sources"]}
    seen = set(draft["passages"])
    share = {one.chunk: one.share for ratings in rated for one in ratings}
    clear = [one.chunk for ratings in rated for one in ratings if one.is_clear]
    best = [ratings[0].chunk for ratings in rated if ratings]
    named = sorted(pointed, key=lambda chunk: -share.get(chunk, 0))
    named = [*named[:1], *(chunk for chunk in named[1:MAX_POINTED] if chunk in share)]
    places = [
        (place + (documents[chunk] in pages), chunk)
        for chunks in found
        for place, chunk in enumerate(chunk for chunk in chunks if chunk not in seen)
    ]
    new = [chunk for _, chunk in sorted(places, key=itemgetter(0))]
    return list(dict.fromkeys([*clear, *named, *best, *new, *share]))[:MAX_CANDIDATES]
