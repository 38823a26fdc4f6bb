"""Ranking texts in hand by the words of a query, with no model and no library."""

from collections.abc import Sequence

from retrieval.search.bm25 import BM25
from text.language import detect_language
from text.tokens import content_weight, tokenise


class WordRanker:
    """Ranks one set of texts by the words of any number of queries."""

    def __init__(self, texts: Sequence[str], language: str | None = None) -> None:
        """Args: texts: what is ranked. language: theirs; detected where None."""
        self._language = language or detect_language("\n".join(text[:200] for text in texts[:10]))
        self._index = BM25([tokenise(text, self._language) for text in texts])

    def scores(self, query: str) -> list[float]:
        """BM25 of each text, function words at a tenth; 0 where no word of the query occurs."""
        wanted = set(tokenise(query, self._language))
        return self._index.scores({term: content_weight(term, self._language) for term in wanted})


def score_by_words(query: str, texts: Sequence[str], language: str | None = None) -> list[float]:
    """Scores of texts for a single query; see `WordRanker`."""
    return WordRanker(texts, language).scores(query)
