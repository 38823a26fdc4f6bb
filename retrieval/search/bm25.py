"""BM25: weights of a passage's terms, idf of a query's, and a ranker for passages in hand.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009):

    score(q, d) = sum over terms t of q:  idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / L))
    idf(t)      = ln(1 + (N - df + 0.5) / (df + 0.5))
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

K1 = 1.5
B = 0.75
PIVOT_LENGTH = 120.0
"""L above, in terms. A constant near the length of our chunks instead of the running average:
weights then never go stale as the library grows."""
BIGRAM_PIVOT_LENGTH = 500.0
"""The same for scripts without spaces, where as many characters make four times the terms."""
BIGRAM_LANGUAGES = frozenset({"zh", "ja", "ko", "th", "lo", "my", "km"})


def choose_pivot(language: str) -> float:
    """The pivot length of passages in a language, by its ISO 639-1 code."""
    return BIGRAM_PIVOT_LENGTH if language in BIGRAM_LANGUAGES else PIVOT_LENGTH


def weigh_passage_terms(terms: Sequence[str], pivot: float = PIVOT_LENGTH) -> dict[str, float]:
    """Saturated term frequencies of one passage: the part of BM25 that needs no statistics.

    Returns:
        Term to weight in 0..k1 + 1.
    """
    norm = K1 * (1 - B + B * len(terms) / pivot)
    return {t: tf * (K1 + 1) / (tf + norm) for t, tf in Counter(terms).items()}


def idf(df: int, passages: int) -> float:
    """Weight of a term that `df` of `passages` hold; always positive."""
    return math.log(1 + (max(passages, df) - df + 0.5) / (df + 0.5))


@dataclass(frozen=True)
class TermCounts:
    """How many passages a collection has, and how many of them hold each of some terms."""

    passages: int
    holding: Mapping[str, int]


NO_COUNTS = TermCounts(0, {})


class BM25:
    """Ranks a handful of passages against a query, with their own statistics.

    Passages that were found by a search mostly hold its words, which then look common. Where
    the counts of the collection are given that they are of, these tell which words are rare.
    """

    def __init__(self, passages: Sequence[Sequence[str]]) -> None:
        """Args: passages: the terms of each passage."""
        lengths = sum(map(len, passages))
        self._pivot = max(1.0, lengths / max(1, len(passages)))
        self._weights = [weigh_passage_terms(terms, self._pivot) for terms in passages]
        self._df = Counter(term for weighted in self._weights for term in weighted)

    def relative_scores(self, query: Mapping[str, float]) -> list[float]:
        """Scores as shares of that of a passage of average length with every term once."""
        whole = sum(self._weigh_terms(query).values()) or 1.0
        return [score / whole for score in self.scores(query)]

    def scores(self, query: Mapping[str, float], collection: TermCounts = NO_COUNTS) -> list[float]:
        """One score per passage, in order; 0 where no term matches.

        Args:
            query: how often, or how much, each term counts.
            collection: what the passages are of.
        """
        wanted = self._weigh_terms(query, collection).items()
        return [
            sum(weight * weighted[term] for term, weight in wanted if term in weighted)
            for weighted in self._weights
        ]

    def _weigh_terms(
        self, query: Mapping[str, float], collection: TermCounts = NO_COUNTS
    ) -> dict[str, float]:
        passages = max(len(self._weights), collection.passages)
        held = collection.holding
        return {
            term: count * idf(max(self._df[term], held.get(term, 0)), passages)
            for term, count in query.items()
        }
