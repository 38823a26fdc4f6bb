"""Ranking texts in hand by the words of a query, with no model and no library."""

from collections.abc import Sequence

from retrieval.analysis import content_weight, detect_language, terms
from retrieval.bm25 import BM25


def word_scores(query: str, texts: Sequence[str], language: str | None = None) -> list[float]:
    """BM25 of each text, function words at a tenth.

    Args:
        query: a question, or several.
        texts: passages; their own statistics weigh the words.
        language: of the texts; detected where None.

    Returns:
        One score per text, in order; 0 where no word of the query occurs.
    """
    language = language or detect_language("\n".join(text[:200] for text in texts[:10]))
    index = BM25([terms(text, language) for text in texts])
    weighted = {term: content_weight(term, language) for term in terms(query, language)}
    return index.scores(weighted)
