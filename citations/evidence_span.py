"""The span of a source that supports a sentence best."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from citations.claim_facts import SentenceFacts
from citations.source_facts import SourceFacts
from schema.documents import Passage
from text.language import detect_language
from text.sentences import Sentence, split_sentences

MAX_SPAN_SENTENCES = 3
"""Sentences that a span may hold: a claim often gathers neighbours."""

_MIN_GAIN_PER_SENTENCE = 0.06  # what a longer span must gain, as a share of the claim's weight
_MIN_DETECTABLE = 200  # characters from which on a text's language is detected


@dataclass(frozen=True)
class EvidenceSpan:
    """A span of a document, in characters of its stored text, and its share of the claim."""

    document: int
    start: int
    end: int
    quote: str
    share: float


@dataclass(frozen=True)
class SourceSentence:
    """A sentence of a passage and what it says."""

    passage: Passage
    sentence: Sentence
    facts: SentenceFacts


class SourcePassages:
    """The passages that a writer saw of one source, ready to be asked for the span of a claim.

    Attributes:
        language: of the report; terms are of this language.
        sentences: the sentences of the passages in order.
    """

    def __init__(
        self, passages: Sequence[Passage], language: str, about: Sequence[str] = ()
    ) -> None:
        """Read the passages of one source.

        Args:
            passages: chunks of the cited document.
            language: of the report.
            about: what else its writer was told of it, such as its title, author and date.
        """
        self.language = language
        headings = dict.fromkeys(passage.heading for passage in passages if passage.heading)
        self._about = [SentenceFacts(one, language) for one in (*about, *headings) if one]
        self._sample = "\n".join(passage.text for passage in passages[:3])
        self.sentences = [
            SourceSentence(
                passage,
                at,
                SentenceFacts(
                    passage.text[at.start : at.end], language, lambda: self.passage_language
                ),
            )
            for passage in passages
            for at in split_sentences(passage.text, language)
        ]
        self._sentence_counts = Counter(
            term for unit in self.sentences for term in unit.facts.unique_terms
        )

    @cached_property
    def passage_language(self) -> str:
        """The language of the passages, detected where they are long enough to tell."""
        if len(self._sample) < _MIN_DETECTABLE:
            return self.language
        return detect_language(self._sample, self.language)

    @property
    def terms(self) -> Set[str]:
        """The terms of all passages."""
        return self._sentence_counts.keys()

    @cached_property
    def facts(self) -> SourceFacts:
        """The numbers, dates and names of all passages, their headings and what is told of them."""
        return SourceFacts([*(unit.facts for unit in self.sentences), *self._about], self.language)

    def find_best_span(self, claim: str) -> EvidenceSpan | None:
        """Find the one to three neighbouring sentences that hold most of a claim.

        The share is the weight of the claim's terms that the span holds, by idf among all
        sentences of the passages, function words at a tenth. It says that a span speaks of the
        same things, not that it says the same.

        Args:
            claim: a sentence without its markers.

        Returns:
            The best span, the first and shortest of equals; None without a passage.
        """
        found = self.find_best_run(self.weigh_terms(SentenceFacts(claim, self.language)))
        return build_span(*found) if found else None

    def weigh_terms(self, claim: SentenceFacts) -> dict[str, float]:
        """How much each term of a claim weighs; see `best_span`."""
        return {
            term: weight * math.log(1 + len(self.sentences) / (0.5 + self._sentence_counts[term]))
            for term, weight in claim.weights.items()
        }

    def find_best_run(
        self, weight: Mapping[str, float]
    ) -> tuple[Sequence[SourceSentence], float] | None:
        """The sentences of the best span, and their share of a claim with these weights."""
        total = sum(weight.values()) or 1.0
        best: tuple[Sequence[SourceSentence], float] | None = None
        best_value = -1.0
        for first in range(len(self.sentences)):
            held: set[str] = set()
            for run in self._iterate_runs(first):
                held |= run[-1].facts.unique_terms & weight.keys()
                share = math.fsum(weight[term] for term in held) / total  # in any order the same
                value = share - _MIN_GAIN_PER_SENTENCE * (len(run) - 1)
                if value > best_value + 1e-9:
                    best, best_value = (run, share), value
        return best

    def _iterate_runs(self, first: int) -> Iterator[Sequence[SourceSentence]]:
        """The runs of one to three sentences of one passage that begin at a sentence."""
        for last in range(first, min(first + MAX_SPAN_SENTENCES, len(self.sentences))):
            if self.sentences[last].passage is not self.sentences[first].passage:
                return
            yield self.sentences[first : last + 1]


def build_span(run: Sequence[SourceSentence], share: float) -> EvidenceSpan:
    """The span from the first to the last of neighbouring sentences."""
    passage, start, end = run[0].passage, run[0].sentence.start, run[-1].sentence.end
    return EvidenceSpan(
        document=passage.document,
        start=passage.start + start,
        end=passage.start + end,
        quote=passage.text[start:end],
        share=share,
    )
