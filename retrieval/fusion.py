"""One ranking from several arms, with what each arm gave to it."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from schema.search import Arm

Key = TypeVar("Key", bound=Hashable)
Name = TypeVar("Name", bound=Hashable)


WEIGHTS: dict[Arm, float] = {"words": 0.5, "meaning": 0.5, "title": 0.1}

CONFIDENT = 0.3
"""Evidence by words below which they hold names and numbers at best, as between languages."""

SPEAKING = 0.05
"""Evidence by words below which they have found nothing that matters."""

DEMOTED = 0.5
"""What is left of the weight of words that are not confident."""


def arm_weights(evidence: float, *, gated: bool) -> dict[Arm, float]:
    """What each arm's vote counts for one query.

    Args:
        evidence: the most of the query's weight that any chunk's words hold.
        gated: the embedding model does not know the query's language. Its arm then has no vote
            where the words say anything: an arm that guesses ruins one that knows.
    """
    return {
        **WEIGHTS,
        "words": WEIGHTS["words"] * (1.0 if evidence >= CONFIDENT else DEMOTED),
        "meaning": 0.0 if gated and evidence >= SPEAKING else WEIGHTS["meaning"],
    }


def by_maximum(scores: Mapping[Key, float]) -> dict[Key, float]:
    """Scale scores that mean nothing at 0 to 0..1; for BM25, whose 0 is "no word matches"."""
    highest = max(scores.values(), default=0.0)
    return {key: score / highest if highest > 0 else 0.0 for key, score in scores.items()}


def min_max(scores: Mapping[Key, float]) -> dict[Key, float]:
    """Scale scores without a natural zero to 0..1, such as cosines. Equal values become 1."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high <= low:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - low) / (high - low) for key, score in scores.items()}


def one_vote(variants: Sequence[Mapping[Key, float]]) -> dict[Key, float]:
    """Join the scaled scores of a query's variants: the best of each key.

    As lists of their own, variants outvote the other arms: an item far down four lists would beat
    the first of one.
    """
    joined: dict[Key, float] = {}
    for variant in variants:
        for key, score in variant.items():
            joined[key] = max(score, joined.get(key, score))
    return joined


def averaged(
    arms: Mapping[Name, Mapping[Key, float]], weights: Mapping[Name, float]
) -> dict[Key, dict[Name, float]]:
    """Weigh scaled scores.

    Over 29 published BEIR runs the average of scaled scores beats reciprocal ranks in 27. An arm
    that found nothing has no vote: it would only scale the others down.

    Args:
        arms: scaled scores in 0..1; an absent key counts 0.
        weights: of the arms; those that vote are scaled to a sum of 1.

    Returns:
        For each key what each arm gave it; the sum, in 0..1, is its score.
    """
    voting = {name: arm for name, arm in arms.items() if any(arm.values()) and weights[name] > 0}
    total = sum(weights[name] for name in voting)
    keys = dict.fromkeys(key for arm in voting.values() for key in arm)
    return {
        key: {name: weights[name] / total * arm.get(key, 0.0) for name, arm in voting.items()}
        for key in keys
    }


def reciprocal_ranks(
    arms: Mapping[Name, Mapping[Key, float]], weights: Mapping[Name, float], constant: int = 60
) -> dict[Key, dict[Name, float]]:
    """Weigh ranks: weight / (constant + rank), from rank 1, scaled so that 1 is first everywhere.

    Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet" (2009).
    Arguments and result as in `averaged`, but scores need no scale; those of 0 have no rank.
    """
    voting = {name: arm for name, arm in arms.items() if any(arm.values()) and weights[name] > 0}
    total = sum(weights[name] for name in voting)
    given: dict[Key, dict[Name, float]] = {}
    for name, arm in voting.items():
        found = {key: score for key, score in arm.items() if score > 0}
        for rank, (key, _) in enumerate(ranked(found, len(found)), start=1):
            share = weights[name] / total
            given.setdefault(key, {})[name] = share * (constant + 1) / (constant + rank)
    return given


def reblended(score: float, cosine: float, share: float = 0.3) -> float:
    """Mix a fused score with the cosine itself, 0.7 to 0.3: ranks forget how near a text was."""
    return (1 - share) * score + share * cosine


def ranked(scores: Mapping[Key, float], limit: int) -> list[tuple[Key, float]]:
    """The best `limit` keys, best first; ties in the order of the keys' text, so runs repeat."""
    order = sorted(scores.items(), key=lambda item: (-item[1], str(item[0])))
    return order[:limit]
