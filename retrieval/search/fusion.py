"""One ranking from several retrievers, with what each retriever gave to it."""

from collections.abc import Hashable, Mapping, Sequence
from operator import itemgetter
from typing import TypeVar

from schema.search import Retriever

Key = TypeVar("Key", bound=Hashable)
RetrieverName = TypeVar("RetrieverName", bound=Hashable)


RETRIEVER_WEIGHTS: dict[Retriever, float] = {"lexical": 0.5, "dense": 0.5, "title": 0.1}

EVIDENCE_FACTOR = 1.5
"""How the words' weight grows with their evidence; two thirds of a question give it in full."""

MIN_LEXICAL_RELEVANCE = 0.05
"""Evidence by words below which they have found nothing that matters."""

LEAST_SHARE, MOST_SHARE = 0.3, 1.2
"""Of the words' weight, whatever their evidence: names and numbers tell between languages, too."""


def weigh_retrievers(evidence: float, *, gated: bool) -> dict[Retriever, float]:
    """What each retriever's vote counts for one query.

    Args:
        evidence: the most of the query's weight that any chunk's words hold.
        gated: the embedding model does not know the query's language. Dense retrieval then has no
            vote where the words say anything: a retriever that guesses ruins one that knows.
    """
    return {
        **RETRIEVER_WEIGHTS,
        "lexical": RETRIEVER_WEIGHTS["lexical"]
        * max(LEAST_SHARE, min(MOST_SHARE, EVIDENCE_FACTOR * evidence)),
        "dense": 0.0 if gated and evidence >= MIN_LEXICAL_RELEVANCE else RETRIEVER_WEIGHTS["dense"],
    }


def scale_by_maximum(scores: Mapping[Key, float]) -> dict[Key, float]:
    """Scale scores that mean nothing at 0 to 0..1; for BM25, whose 0 is "no word matches"."""
    highest = max(scores.values(), default=0.0)
    return {key: score / highest if highest > 0 else 0.0 for key, score in scores.items()}


def scale_min_max(scores: Mapping[Key, float]) -> dict[Key, float]:
    """Scale scores without a natural zero to 0..1, such as cosines. Equal values become 1."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high <= low:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - low) / (high - low) for key, score in scores.items()}


def merge_variants(variants: Sequence[Mapping[Key, float]]) -> dict[Key, float]:
    """Join the scaled scores of a query's variants: the best of each key.

    As lists of their own, variants outvote the other retrievers: an item far down four lists would
    beat the first of one.
    """
    joined: dict[Key, float] = {}
    for variant in variants:
        for key, score in variant.items():
            joined[key] = max(score, joined.get(key, score))
    return joined


def fuse_by_average(
    retrievers: Mapping[RetrieverName, Mapping[Key, float]], weights: Mapping[RetrieverName, float]
) -> dict[Key, dict[RetrieverName, float]]:
    """Weigh scaled scores.

    Over 29 published BEIR runs the average of scaled scores beats reciprocal ranks in 27. A
    retriever that found nothing has no vote: it would only scale the others down.

    Args:
        retrievers: scaled scores in 0..1; an absent key counts 0.
        weights: of the retrievers; those that vote are scaled to a sum of 1.

    Returns:
        For each key what each retriever gave it; the sum, in 0..1, is its score.
    """
    voting = {
        n: scores for n, scores in retrievers.items() if any(scores.values()) and weights[n] > 0
    }
    total = sum(weights[name] for name in voting)
    keys = dict.fromkeys(key for scores in voting.values() for key in scores)
    return {
        key: {n: weights[n] / total * scores.get(key, 0.0) for n, scores in voting.items()}
        for key in keys
    }


def fuse_by_reciprocal_rank(
    retrievers: Mapping[RetrieverName, Mapping[Key, float]],
    weights: Mapping[RetrieverName, float],
    constant: int = 60,
) -> dict[Key, dict[RetrieverName, float]]:
    """Weigh ranks: weight / (constant + rank), from rank 1, scaled so that 1 is first everywhere.

    Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet" (2009).
    Arguments and result as in `fuse_by_average`, but scores need no scale; those of 0 have no rank.
    """
    shares = {
        name: {
            key: (constant + 1) / (constant + rank)
            for rank, (key, score) in enumerate(take_best(scores, len(scores)), start=1)
            if score > 0
        }
        for name, scores in retrievers.items()
    }
    return fuse_by_average(shares, weights)


def blend_cosine(score: float, cosine: float, share: float = 0.3) -> float:
    """Mix a fused score with the cosine itself, 0.7 to 0.3: ranks forget how near a text was."""
    return (1 - share) * score + share * cosine


def take_best(scores: Mapping[Key, float], limit: int) -> list[tuple[Key, float]]:
    """The best `limit` keys, best first; ties in the order of the keys' text, so runs repeat."""
    if len(set(scores.values())) < len(scores):
        return sorted(scores.items(), key=lambda item: (-item[1], str(item[0])))[:limit]
    return sorted(scores.items(), key=itemgetter(1), reverse=True)[:limit]
