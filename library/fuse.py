"""From the scores of the arms to candidates with one score each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from library.arms import Meaning
from library.asked import PASSAGES_PER_DOCUMENT, Asked
from library.database import Connection
from library.describe import described
from library.gather import Gathered
from retrieval.candidates import Candidate
from retrieval.fusion import arm_weights, averaged, ranked, reciprocal_ranks
from schema.search import Arm, Step

CONSULTED = 20
"""Best chunks by words that tell how sure the words are."""

CONSIDERED = 3
"""Candidates that the later stages look at for each hit wanted."""


async def fused(
    connection: Connection, asked: Asked, gathered: Gathered, meaning: Meaning | None
) -> tuple[list[Candidate], Step]:
    """The best chunks as candidates, exact ones first, and how they were fused."""
    by_words = gathered.found.get("words", [])[:CONSULTED]
    evidence = max((gathered.held.share([chunk]) for chunk in by_words), default=0.0)
    guessing = meaning is not None and not meaning.knows_language
    gated = guessing and "words" in gathered.scores  # an arm that is asked alone answers
    weights = arm_weights(evidence, gated=gated)
    if asked.options.fusion == "scores":
        shares = averaged(gathered.scores, weights)
    else:
        shares = reciprocal_ranks(gathered.scores, weights, asked.options.rank_constant)
    # what an arm found is a candidate, also where all others stand above it
    scores = {c: 0.0 for arm, held in gathered.found.items() if weights.get(arm) for c in held}
    scores |= {chunk: score for chunk, given in shares.items() if (score := sum(given.values()))}
    best = [chunk for chunk, _ in ranked(scores, len(scores))]
    chosen = _considered(asked, [*gathered.exact, *best], gathered.documents)
    candidates = [
        _scored(one, shares.get(one.chunk, {}), gathered)
        for one in await described(
            connection, asked.space, chosen, links="links" in asked.options.signals
        )
    ]
    told = {"kind": asked.options.fusion, "weights": {arm: weights[arm] for arm in gathered.scores}}
    return candidates, Step("fusion", told)


def _considered(asked: Asked, chunks: Sequence[int], documents: Mapping[int, int]) -> list[int]:
    """The best chunks, for each hit wanted some, and of each document no more than may count."""
    options = asked.options
    whole = options.mode == "documents"
    most = PASSAGES_PER_DOCUMENT if whole else CONSIDERED * options.per_document
    wanted = options.limit * (PASSAGES_PER_DOCUMENT if whole else CONSIDERED)
    chosen: dict[int, None] = {}
    taken: Counter[int] = Counter()
    for chunk in chunks:
        document = documents.get(chunk, 0)
        if chunk not in chosen and taken[document] < most and len(chosen) < wanted:
            taken[document] += 1
            chosen[chunk] = None
    return list(chosen)


def _scored(candidate: Candidate, shares: dict[Arm, float], gathered: Gathered) -> Candidate:
    exact = candidate.chunk in gathered.exact
    arms = {
        str(name): round(share, 4)
        for name, share in shares.items()
        if share or candidate.chunk in gathered.found[name]
    }
    return replace(
        candidate,
        exact=exact,
        arms=arms | ({"exact": 1.0} if exact else {}),
        cosine=gathered.cosines.get(candidate.chunk),
        score=1.0 if exact else sum(shares.values()),
    )
