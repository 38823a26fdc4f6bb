"""Which passages a writer is shown again before what it says is missing may stand."""

from collections.abc import Mapping, Sequence
from operator import itemgetter

from citations.gap_answers import SpokenOf
from schema.report import Section

MAX_CANDIDATES = 4
"""Passages that are handed over for one thing that is missing and points to no place."""

MAX_BESIDE = 2
"""Passages beside the part of a page that is handed over whole, as its sentence points to it."""


def choose_candidates(
    rated: Sequence[Sequence[SpokenOf]],
    pointed: Sequence[int],
    told: Sequence[int],
    found: Sequence[Sequence[int]],
    documents: Mapping[int, int],
    draft: Section,
) -> list[int]:
    """The passages that may tell what a section says is missing, the best first.

    Words rank them and decide nothing: whether a passage answers is for who reads it. First what
    other sections state it from, and what words make sure of; then all of where the sentence points
    to, what is sure and what speaks of it before the rest, as not all may fit; then what speaks
    most of each missing thing: of a passage that it has, a section may have seen a part alone.
    Then, query by query in turn, the best hits that it has not seen, those of pages that are new to
    it first.

    Args:
        rated: by their words, the best first, for each of several things that are missing.
        pointed: the chunks that the sentence points to.
        told: the chunks that other sections cite for it.
        found: the chunks that each query found, the best first.
        documents: of all these chunks.
        draft: the section.
    """
    pages = {source["document"] for source in draft["sources"]}
    seen = set(draft["passages"])
    share = {one.chunk: one.share for ratings in rated for one in ratings}
    clear = [one.chunk for ratings in rated for one in ratings if one.is_clear]
    best = [ratings[0].chunk for ratings in rated if ratings]
    places = [
        (place + (documents[chunk] in pages), chunk)
        for chunks in found
        for place, chunk in enumerate(chunk for chunk in chunks if chunk not in seen)
    ]
    new = [chunk for _, chunk in sorted(places, key=itemgetter(0))]
    ranked = dict.fromkeys([*told, *clear, *best, *new, *share])
    beside = [chunk for chunk in ranked if chunk not in pointed]
    if not pointed:
        return beside[:MAX_CANDIDATES]
    sure = {*told, *clear}
    pointed = sorted(pointed, key=lambda chunk: (chunk not in sure, -share.get(chunk, 0.0)))
    first = [chunk for chunk in beside if chunk in sure][:MAX_BESIDE]
    if share.keys() & pointed:  # the place speaks of it: others only where their words do so too
        beside = [chunk for chunk in beside if chunk in share]
    more = [] if sure.intersection(pointed) else beside[:MAX_BESIDE]
    return list(dict.fromkeys([*first, *pointed, *more]))
