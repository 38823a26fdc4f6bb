"""From the scores of the retrievers to candidates with one score each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from library.database.connections import Connection
from library.search.load_candidates import load_candidates
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
    best = [chunk for chunk, _ in take_best(scores, len(scores))]
    chosen = _select_chunks(asked, [*gathered.exact, *best], gathered.documents)
    candidates = [
        _set_scores(one, shares.get(one.chunk, {}), gathered)
        for one in await load_candidates(
            connection, asked.space, chosen, links="links" in asked.options.boosts
        )
    ]
    used = {name: weights[name] for name in gathered.scores}
    return candidates, Step("fusion", {"kind": asked.options.fusion, "weights": used})


def _select_chunks(
    asked: SearchPass, chunks: Sequence[int], documents: Mapping[int, int]
) -> list[int]:
    """The best chunks, for each hit wanted some, and of each document no more than may count."""
    options = asked.options
    whole = options.mode == "documents"
    most = PASSAGES_PER_DOCUMENT if whole else CANDIDATES_PER_HIT * options.per_document
    wanted = options.limit * (PASSAGES_PER_DOCUMENT if whole else CANDIDATES_PER_HIT)
    chosen: dict[int, None] = {}
    taken: Counter[int] = Counter()
    for chunk in chunks:
        document = documents.get(chunk, 0)
        if chunk not in chosen and taken[document] < most and len(chosen) < wanted:
            taken[document] += 1
            chosen[chunk] = None
    return list(chosen)


def _set_scores(
    candidate: Candidate, shares: dict[Retriever, float], gathered: RetrieverResults
) -> Candidate:
    exact = candidate.chunk in gathered.exact
    given = {
        str(name): round(share, 4)
        for name, share in shares.items()
        if share or candidate.chunk in gathered.found[name]
    }
    return replace(
        candidate,
        exact=exact,
        retriever_scores=given | ({"exact": 1.0} if exact else {}),
        cosine=gathered.cosines.get(candidate.chunk),
        score=1.0 if exact else sum(shares.values()),
    )
