"""Snippets of a long page: the stretches that speak of a question, within a budget of characters.

A page is cut into sentences. How much a sentence speaks of the question is read from windows of
several sizes around it: a short one finds the sentence itself, a long one the part of the page that
it stands in. The score of a sentence is, over the sizes, the mean of the best window over it:

    s(i) = mean over sizes z of the maximum, over windows w of size z that hold i, of BM25(w) / M(z)

where M(z) is the BM25 of a window of average length that holds every word of the question once. An
embedding model is one size more: the cosine of the unit that holds i, spread over 0..1 on the page.

Windows of about `SNIPPET_WINDOW` characters are then taken by their mean, weighted by length, best
first, none over another, until the budget is used. `benchmarks/snippets.py` measures it.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from retrieval.search.bm25 import BM25
from text.language import detect_language
from text.sentences import split_sentences
from text.tokens import content_weight, tokenise

WINDOW_SIZES = (150, 400, 1_000)
"""Characters of the windows that are ranked by words."""

SNIPPET_WINDOW = 300
"""Characters of the windows that are taken."""

EMBEDDING_UNIT = 800
"""Characters of the units that an embedding model sees; small models read 256 tokens at most."""

LONGEST_SENTENCE = 300
"""Characters of a sentence; a longer one (a table, a list without full stops) is cut at spaces."""

Interval = tuple[int, int]


@dataclass(frozen=True)
class Snippet:
    """`text[start:end]`, from the beginning of a sentence to the end of one; score in 0..1."""

    start: int
    end: int
    score: float


class SnippetPicker:
    """Picks snippets of one page for any number of questions.

    Args:
        text: of the page.
        language: of the page; detected where empty.
    """

    def __init__(self, text: str, language: str = "") -> None:
        self._language = language or detect_language(text)
        self._spans = list(_split_pieces(text, self._language))
        self._terms = [tokenise(text[start:end], self._language) for start, end in self._spans]
        self._indexes: list[tuple[list[Interval], BM25]] = []

    @property
    def embedding_units(self) -> list[Interval]:
        """Stretches of about `EMBEDDING_UNIT` characters, all of the page, for an embedder."""
        found, first = [], 0
        while first < len(self._spans):
            last = _find_window_end(self._spans, first, EMBEDDING_UNIT)
            found.append((self._spans[first][0], self._spans[last - 1][1]))
            first = last
        return found

    def pick(
        self, question: str, budget: int, meaning: Sequence[float] | None = None
    ) -> list[Snippet]:
        """The best snippets, in the page's order.

        Args:
            question: what is asked.
            budget: characters of all snippets together.
            meaning: for each of the `units`, how near it is to the question, as a cosine; None
                where there is no model.

        Returns:
            Snippets that neither overlap nor touch. None where nothing speaks of the question.
        """
        scores = self._score_sentences(question, meaning)
        runs: list[tuple[int, int, float]] = []
        for first, last, score in sorted(self._choose_windows(scores, budget)):
            if runs and runs[-1][1] == first:  # two that touch are one
                before, _, best = runs.pop()
                runs.append((before, last, max(best, score)))
            else:
                runs.append((first, last, score))
        return [
            Snippet(self._spans[first][0], self._spans[last - 1][1], round(min(1.0, score), 4))
            for first, last, score in runs
        ]

    def _score_sentences(self, question: str, meaning: Sequence[float] | None) -> list[float]:
        """How much each sentence speaks of the question, in 0..1."""
        wanted = {
            term: content_weight(term, self._language)
            for term in set(tokenise(question, self._language))
        }
        layers = [
            _find_best_scores(windows, index.relative_scores(wanted), len(self._spans))
            for windows, index in self._build_indexes()
        ]
        if meaning is not None:
            layers.append(self._spread_over_sentences(_scale_cosines(meaning)))
        return [sum(scores) / len(layers) for scores in zip(*layers, strict=True)]

    def _build_indexes(self) -> list[tuple[list[Interval], BM25]]:
        """For each size the windows, as (first, last) sentence, and their index."""
        if not self._indexes:
            for size in WINDOW_SIZES:
                windows = _build_windows(self._spans, size)
                words = ([t for one in self._terms[a:b] for t in one] for a, b in windows)
                self._indexes.append((windows, BM25(list(words))))
        return self._indexes

    def _spread_over_sentences(self, shares: Sequence[float]) -> list[float]:
        starts = [start for start, _ in self.embedding_units]
        return [shares[bisect_right(starts, start) - 1] for start, _ in self._spans]

    def _choose_windows(
        self, scores: Sequence[float], budget: int
    ) -> Iterator[tuple[int, int, float]]:
        """Windows (first, last, score), best first, until the budget is used."""
        lengths = [end - start for start, end in self._spans]
        weighed = list(accumulate((s * n for s, n in zip(scores, lengths, strict=True)), initial=0))
        sums = list(accumulate(lengths, initial=0))
        ranked = sorted(
            ((weighed[b] - weighed[a]) / (sums[b] - sums[a]), -a, b)
            for a, b in _build_windows(self._spans, SNIPPET_WINDOW)
        )
        used: set[int] = set()
        for score, negative, last in reversed(ranked):
            first = -negative
            # one that touches another becomes one with it and with what stands between them
            start = self._spans[first - 1][1] if first - 1 in used else self._spans[first][0]
            end = self._spans[last][0] if last in used else self._spans[last - 1][1]
            cost = end - start
            if score <= 0 or cost > budget or used.intersection(range(first, last)):
                continue
            budget -= cost
            used.update(range(first, last))
            yield first, last, score


def _split_pieces(text: str, language: str) -> Iterator[Interval]:
    """Sentences, long ones cut at spaces."""
    for sentence in split_sentences(text, language):
        start = sentence.start
        while sentence.end - start > LONGEST_SENTENCE:
            space = text.rfind(" ", start + LONGEST_SENTENCE // 2, start + LONGEST_SENTENCE)
            end = space if space > 0 else start + LONGEST_SENTENCE
            yield start, end
            start = end + (space > 0)
        if start < sentence.end:
            yield start, sentence.end


def _find_window_end(spans: Sequence[Interval], first: int, size: int) -> int:
    """One past the last sentence of a window of about `size` characters; it holds one at least."""
    last = first + 1
    while last < len(spans) and spans[last][1] - spans[first][0] <= size:
        last += 1
    return last


def _build_windows(spans: Sequence[Interval], size: int) -> list[Interval]:
    """A window (first, last) that begins at each sentence."""
    return [(first, _find_window_end(spans, first, size)) for first in range(len(spans))]


def _find_best_scores(
    windows: Sequence[Interval], shares: Sequence[float], count: int
) -> list[float]:
    """For each sentence the best share of a window that holds it."""
    best = [0.0] * count
    for (first, last), share in zip(windows, shares, strict=True):
        for i in range(first, last):
            best[i] = max(best[i], share)
    return best


def _scale_cosines(cosines: Sequence[float]) -> list[float]:
    """Cosines spread over 0..1: what they are worth differs from model to model."""
    low, high = min(cosines, default=0.0), max(cosines, default=0.0)
    return [(one - low) / ((high - low) or 1.0) for one in cosines]
