"""Ranking texts in hand by the words of a query, with no model and no library."""

from collections.abc import Sequence
from functools import lru_cache

from retrieval.search.bm25 import BM25, NO_COUNTS, TermCounts
from text.language import detect_language
from text.tokens import content_weight, tokenise

KEPT_TEXTS = 2_000
"""Texts whose terms are kept: the sections of a report rank the same ones."""


class WordRanker:
    """Ranks one set of texts by the words of any number of queries."""

    def __init__(self, texts: Sequence[str], language: str | None = None) -> None:
        """Args: texts: what is ranked. language: theirs; detected where None."""
        self._language = language or detect_language("\n".join(text[:200] for text in texts[:10]))
        self._index = BM25([_list_terms(text, self._language) for text in texts])

    def list_terms(self, queries: Sequence[str]) -> set[str]:
        """The terms of some queries, as the library counts them."""
        return {term for query in queries for term in tokenise(query, self._language)}

    def scores(self, query: str, collection: TermCounts = NO_COUNTS) -> list[float]:
        """BM25 of each text, function words at a tenth; 0 where no word of the query occurs."""
        wanted = self.list_terms([query])
        weights = {term: content_weight(term, self._language) for term in wanted}
        return self._index.scores(weights, collection)


@lru_cache(maxsize=KEPT_TEXTS)
def _list_terms(text: str, language: str) -> list[str]:
    """The terms of a text; who is given them must not change them."""
    return tokenise(text, language)


def score_by_words(query: str, texts: Sequence[str], language: str | None = None) -> list[float]:
    """Scores of texts for a single query; see `WordRanker`."""
    return WordRanker(texts, language).scores(query)
