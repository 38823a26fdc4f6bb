"""The span of a source that supports a sentence best."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.analysis import content_weight, terms
from retrieval.sentences import Sentence, sentences
from schema.documents import Passage

WINDOW = 3
"""Sentences that a span may hold: a claim often gathers neighbours."""

_PER_SENTENCE = 0.06  # what a longer span must gain, as a share of the claim's weight


@dataclass(frozen=True)
class Span:
    """A span of a document, in characters of its stored text, and its share of the claim."""

    document: int
    start: int
    end: int
    quote: str
    share: float


@dataclass(frozen=True)
class _Unit:
    passage: Passage
    sentence: Sentence
    terms: frozenset[str]


class Support:
    """The passages that a writer saw of one source, ready to be asked for the span of a claim."""

    def __init__(self, passages: Sequence[Passage], language: str) -> None:
        """Args: passages: chunks of the cited document. language: of the report."""
        self._language = language
        self._units = [
            _Unit(passage, piece, frozenset(terms(passage.text[piece.start : piece.end], language)))
            for passage in passages
            for piece in sentences(passage.text, language)
        ]
        self._spread = Counter(term for unit in self._units for term in unit.terms)

    def best_span(self, claim: str) -> Span | None:
        """Find the one to three neighbouring sentences that hold most of a claim.

        The share is the weight of the claim's terms that the span holds, by idf among all
        sentences of the passages, function words at a tenth. It says that a span speaks of the
        same things, not that it says the same.

        Args:
            claim: a sentence without its marks.

        Returns:
            The best span, the first and shortest of equals; None without a passage.
        """
        weight = self._weights(claim)
        total = sum(weight.values()) or 1.0
        best: Span | None = None
        best_value = -1.0
        for first in range(len(self._units)):
            held: set[str] = set()
            for run in self._runs(first):
                held |= run[-1].terms
                share = sum(weight[term] for term in weight.keys() & held) / total
                value = share - _PER_SENTENCE * (len(run) - 1)
                if value > best_value + 1e-9:
                    best, best_value = _span(run, share), value
        return best

    def _weights(self, claim: str) -> dict[str, float]:
        return {
            term: math.log(1 + len(self._units) / (0.5 + self._spread[term]))
            * content_weight(term, self._language)
            for term in set(terms(claim, self._language))
        }

    def _runs(self, first: int) -> Iterator[Sequence[_Unit]]:
        """The runs of one to three sentences of one passage that begin at a sentence."""
        for last in range(first, min(first + WINDOW, len(self._units))):
            if self._units[last].passage is not self._units[first].passage:
                return
            yield self._units[first : last + 1]


def _span(run: Sequence[_Unit], share: float) -> Span:
    passage, start, end = run[0].passage, run[0].sentence.start, run[-1].sentence.end
    return Span(
        document=passage.document,
        start=passage.start + start,
        end=passage.start + end,
        quote=passage.text[start:end],
        share=share,
    )
