"""The span of a source that supports a sentence best."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from retrieval.facts import Facts
from retrieval.language import detect_language
from retrieval.sentences import Sentence, sentences
from retrieval.stated import Stated
from schema.documents import Passage

WINDOW = 3
"""Sentences that a span may hold: a claim often gathers neighbours."""

_PER_SENTENCE = 0.06  # what a longer span must gain, as a share of the claim's weight
_TELLING = 200  # characters from which on a text's language is detected


@dataclass(frozen=True)
class Span:
    """A span of a document, in characters of its stored text, and its share of the claim."""

    document: int
    start: int
    end: int
    quote: str
    share: float


@dataclass(frozen=True)
class Unit:
    """A sentence of a passage and what it says."""

    passage: Passage
    sentence: Sentence
    facts: Facts


class Support:
    """The passages that a writer saw of one source, ready to be asked for the span of a claim.

    Attributes:
        language: of the report; terms are of this language.
        units: the sentences of the passages in order.
    """

    def __init__(self, passages: Sequence[Passage], language: str) -> None:
        """Args: passages: chunks of the cited document. language: of the report."""
        self.language = language
        self._sample = "\n".join(passage.text for passage in passages[:3])
        self.units = [
            Unit(
                passage, at, Facts(passage.text[at.start : at.end], language, lambda: self.written)
            )
            for passage in passages
            for at in sentences(passage.text, language)
        ]
        self._spread = Counter(term for unit in self.units for term in unit.facts.held)

    @cached_property
    def written(self) -> str:
        """The language of the passages, detected where they are long enough to tell."""
        if len(self._sample) < _TELLING:
            return self.language
        return detect_language(self._sample, self.language)

    @property
    def known(self) -> Set[str]:
        """The terms of all passages."""
        return self._spread.keys()

    @cached_property
    def stated(self) -> Stated:
        """The numbers, dates and names of all passages."""
        return Stated([unit.facts for unit in self.units], self.language)

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
        found = self.best_run(self.weights(Facts(claim, self.language)))
        return span_of(*found) if found else None

    def weights(self, claim: Facts) -> dict[str, float]:
        """How much each term of a claim weighs; see `best_span`."""
        return {
            term: weight * math.log(1 + len(self.units) / (0.5 + self._spread[term]))
            for term, weight in claim.weights.items()
        }

    def best_run(self, weight: Mapping[str, float]) -> tuple[Sequence[Unit], float] | None:
        """The sentences of the best span, and their share of a claim with these weights."""
        total = sum(weight.values()) or 1.0
        best: tuple[Sequence[Unit], float] | None = None
        best_value = -1.0
        for first in range(len(self.units)):
            held: set[str] = set()
            for run in self._runs(first):
                held |= run[-1].facts.held & weight.keys()
                share = math.fsum(weight[term] for term in held) / total  # in any order the same
                value = share - _PER_SENTENCE * (len(run) - 1)
                if value > best_value + 1e-9:
                    best, best_value = (run, share), value
        return best

    def _runs(self, first: int) -> Iterator[Sequence[Unit]]:
        """The runs of one to three sentences of one passage that begin at a sentence."""
        for last in range(first, min(first + WINDOW, len(self.units))):
            if self.units[last].passage is not self.units[first].passage:
                return
            yield self.units[first : last + 1]


def span_of(run: Sequence[Unit], share: float) -> Span:
    """The span from the first to the last of neighbouring sentences."""
    passage, start, end = run[0].passage, run[0].sentence.start, run[-1].sentence.end
    return Span(
        document=passage.document,
        start=passage.start + start,
        end=passage.start + end,
        quote=passage.text[start:end],
        share=share,
    )
