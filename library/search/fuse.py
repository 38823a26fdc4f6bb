"""From the scores of the retrievers to candidates with one score each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from library.database.connections import Connection
from library.search.load_candidates import StoredChunk, count_links, load_chunks
from library.search.retrieve import RetrieverResults
from library.search.retrievers import DenseRetriever
from library.search.search_pass import PASSAGES_PER_DOCUMENT, SearchPass
from retrieval.search.candidates import Candidate
from retrieval.search.fusion import (
    fuse_by_average,
    fuse_by_reciprocal_rank,
    take_best,
    weigh_retrievers,
)
from retrieval.search.page_scores import PAGE_PASSAGES, PAGE_SHARE, score_pages
from schema.search import Retriever, Step

CONFIDENCE_CHUNKS = 20
"""Best chunks by words that tell how sure the words are."""

CANDIDATES_PER_HIT = 3
"""Candidates that the later stages look at for each hit wanted."""


async def fuse_candidates(
    connection: Connection,
    asked: SearchPass,
    gathered: RetrieverResults,
    dense: DenseRetriever | None,
) -> tuple[list[Candidate], Step]:
    """The best chunks as candidates, exact ones first, and how they were fused."""
    by_words = gathered.found.get("lexical", [])[:CONFIDENCE_CHUNKS]
    evidence = max((gathered.coverage.measure_share([chunk]) for chunk in by_words), default=0.0)
    guessing = dense is not None and not dense.knows_language
    gated = guessing and "lexical" in gathered.scores  # a retriever that is asked alone answers
    weights = weigh_retrievers(evidence, gated=gated)
    if asked.options.fusion == "scores":
        shares = fuse_by_average(gathered.scores, weights)
    else:
        shares = fuse_by_reciprocal_rank(gathered.scores, weights, asked.options.rank_constant)
    # what a retriever found is a candidate, also where all others stand above it
    scores = {c: 0.0 for name, held in gathered.found.items() if weights.get(name) for c in held}
    scores |= {chunk: score for chunk, given in shares.items() if (score := sum(given.values()))}
    loaded = await _load_first(connection, asked, scores)
    factors = _weigh_pages(scores, loaded)
    scores = {chunk: factors[chunk] * score for chunk, score in scores.items()}
    best = [chunk for chunk, _ in take_best(scores, len(scores))]
    chosen = await _load_best(connection, asked, [*gathered.exact, *best], loaded)
    documents = {one.document for one in chosen}
    counted = "links" in asked.options.boosts and documents
    links = await count_links(connection, asked.space, list(documents)) if counted else {}
    candidates = [
        _to_candidate(
            one,
            {
                name: share * factors.get(one.chunk, 1.0)
                for name, share in shares.get(one.chunk, {}).items()
            },
            gathered,
            links.get(one.document, 0),
        )
        for one in chosen
    ]
    used = {name: weights[name] for name in gathered.scores}
    return candidates, Step("fusion", {"kind": asked.options.fusion, "weights": used})


async def _load_first(
    connection: Connection, asked: SearchPass, scores: Mapping[int, float]
) -> dict[int, StoredChunk]:
    """The chunks whose pages count, among which most candidates are."""
    looked_at = min(PAGE_PASSAGES, 2 * _count_wanted(asked))  # twice, so that a page can lift one
    best = [chunk for chunk, _ in take_best(scores, looked_at)]
    return {one.chunk: one for one in await load_chunks(connection, asked.space, best)}


def _weigh_pages(
    scores: Mapping[int, float], loaded: Mapping[int, StoredChunk]
) -> dict[int, float]:
    """By chunk, the factor on its score that mixes the score of its page in."""
    by_page = score_pages(scores, {chunk: one.page for chunk, one in loaded.items()})
    return {
        chunk: 1 - PAGE_SHARE + (PAGE_SHARE * by_page.get(chunk, 0.0) / score if score else 0.0)
        for chunk, score in scores.items()
    }


async def _load_best(
    connection: Connection,
    asked: SearchPass,
    chunks: Sequence[int],
    loaded: Mapping[int, StoredChunk],
) -> list[StoredChunk]:
    """The best chunks, for each hit wanted some, and of each document no more than may count.

    As many as are wanted are looked at first, and are enough unless a document has too many of
    them. What is not among those that are loaded is loaded.
    """
    options = asked.options
    whole = options.mode == "documents"
    most = PASSAGES_PER_DOCUMENT if whole else CANDIDATES_PER_HIT * options.per_document
    wanted = _count_wanted(asked)
    waiting = iter(dict.fromkeys(chunks))
    chosen: list[StoredChunk] = []
    taken: Counter[int] = Counter()
    asked_for = wanted
    while len(chosen) < wanted and (portion := list(islice(waiting, asked_for))):
        missing = [chunk for chunk in portion if chunk not in loaded]
        more = {one.chunk: one for one in await load_chunks(connection, asked.space, missing)}
        known = {**loaded, **more}
        for one in (known[chunk] for chunk in portion if chunk in known):
            if taken[one.document] < most and len(chosen) < wanted:
                taken[one.document] += 1
                chosen.append(one)
        asked_for *= 2
    return chosen


def _count_wanted(asked: SearchPass) -> int:
    """How many candidates the later stages look at."""
    whole = asked.options.mode == "documents"
    return asked.options.limit * (PASSAGES_PER_DOCUMENT if whole else CANDIDATES_PER_HIT)


def _to_candidate(
    stored: StoredChunk, shares: dict[Retriever, float], gathered: RetrieverResults, links: int
) -> Candidate:
    exact = stored.chunk in gathered.exact
    given = {
        str(name): round(share, 4)
        for name, share in shares.items()
        if share or stored.chunk in gathered.found[name]
    }
    return stored.to_candidate(
        links_in=links,
        exact=exact,
        retriever_scores=given | ({"exact": 1.0} if exact else {}),
        cosine=gathered.cosines.get(stored.chunk),
        score=1.0 if exact else sum(shares.values()),
    )
