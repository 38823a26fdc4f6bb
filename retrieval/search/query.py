"""A query, read for searching: its words, its language, the level of detail it wants."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from retrieval.search.bm25 import idf
from schema.search import Detail
from text.language import detect_language
from text.tokens import STOPWORD_WEIGHT, content_weight, hash_term, tokenise_query


@dataclass(frozen=True)
class QueryWord:
    """One word of a query: the term ids it may be indexed as, and how much of the subject it is.

    `weight` is 1, or less for a function word; see `text.tokens.content_weight`.
    """

    terms: frozenset[int]
    weight: float


@dataclass(frozen=True)
class Query:
    """A query against documents of some languages. `words` are in order, with repeats."""

    text: str
    language: str
    words: tuple[QueryWord, ...]

    @property
    def content_words(self) -> tuple[QueryWord, ...]:
        """The words without function words, where there are others.

        They tell next to nothing and make up most of what there is to read.
        """
        return tuple(word for word in self.words if word.weight > STOPWORD_WEIGHT) or self.words


def analyse_query(text: str, languages: Mapping[str, int]) -> Query:
    """Analyse a query.

    Args:
        text: a question or words.
        languages: the documents' languages with their counts. A query too short to tell is
            taken to be in the commonest.
    """
    commonest = max(sorted(languages), key=lambda name: languages[name], default="en")
    language = detect_language(text, default=commonest)
    return Query(
        text=text,
        language=language,
        words=tuple(
            QueryWord(
                frozenset(hash_term(term) for term in variants),
                min(content_weight(term, language) for term in variants),
            )
            for variants in tokenise_query(text, languages)
        ),
    )


def weigh_query_terms(
    words: Sequence[QueryWord], df: Mapping[int, int], texts: int
) -> dict[int, float]:
    """What each term of a query counts in BM25: its occurrences, weight and idf together."""
    values: dict[int, float] = {}
    for word in words:
        for term in word.terms:
            value = word.weight * idf(df.get(term, 0), texts)
            values[term] = values.get(term, 0.0) + value
    return values


class RelevanceScorer:
    """Which share of a query's weight the words of a text hold.

    A word's weight is 1 + its idf, less for function words; a word that the library does not know
    weighs most. So a question about something else finds little, whatever BM25 says. The 1 is for
    small libraries, where the idf of the very subject is near 0.
    """

    def __init__(self, words: Iterable[QueryWord], df: Mapping[int, int], texts: int) -> None:
        self._words = [
            (word.terms, word.weight * (1 + min(idf(df.get(t, 0), texts) for t in word.terms)))
            for word in set(words)
        ]
        self._total = sum(weight for _, weight in self._words) or 1.0

    def score(self, held: Iterable[int]) -> float:
        """Args: held: ids of the query's terms that a text holds."""
        terms = set(held)
        return sum(weight for ids, weight in self._words if ids & terms) / self._total


_HISTORY = re.compile(
    r"\b(when|since|until|history|timeline|chronolog\w*|changelog|latest|recent(ly)?|evol\w+|"
    r"(19|20)\d\d|wann|seit|geschichte|verlauf|quand|depuis|histoire|cuándo|desde|historia|когда|"
    r"история)\b|什么时候|何时|历史|沿革|最近|いつ|歴史|언제|متى",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"\s*(what|who)('s| is| are| was| were)\b.{1,40}|\s*(was|wer) (ist|sind)\b.{1,40}|"
    r"\s*(qu'est-ce que|qui est)\b.{1,40}|\s*(qué|quién) es\b.{1,40}|.{1,20}(是什么|是谁)\W*",
    re.IGNORECASE,
)


def infer_detail(text: str) -> Detail:
    """The level of detail that a query asks for.

    A question for what or who something is wants the summary (low), one for dates and
    developments ranks the record first (high), any other looks at everything alike (medium).
    """
    if _HISTORY.search(text):
        return "high"
    return "low" if _DEFINITION.fullmatch(text.strip()[:100]) else "medium"
