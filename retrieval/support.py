"""The span of a source that supports a sentence best."""

import math
from collections import Counter
from collections.abc import Sequence
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


def best_span(claim: str, passages: Sequence[Passage], language: str) -> Span | None:
    """Find the one to three neighbouring sentences that hold most of a claim.

    The share is the weight of the claim's terms that the span holds, by idf among all sentences
    of the passages, function words at a tenth. It says that a span speaks of the same things, not
    that it says the same.

    Args:
        claim: a sentence without its marks.
        passages: chunks of the cited document.
        language: of the report.

    Returns:
        The best span, the shortest of equals; None without a passage.
    """
    units = [
        (passage, sentence, set(terms(passage.text[sentence.start : sentence.end], language)))
        for passage in passages
        for sentence in sentences(passage.text, language)
    ]
    if not units:
        return None
    spread = Counter(term for _, _, held in units for term in held)
    weight = {
        term: math.log(1 + len(units) / (0.5 + spread[term])) * content_weight(term, language)
        for term in set(terms(claim, language))
    }
    total = sum(weight.values()) or 1.0

    best, best_value = _span(units[0][0], [units[0][1]], 0.0), -1.0
    for first in range(len(units)):
        held: set[str] = set()
        passage, run = units[first][0], []
        for size, (where, sentence, words) in enumerate(units[first : first + WINDOW]):
            if where is not passage:
                break
            run.append(sentence)
            held |= words
            share = sum(weight[term] for term in weight.keys() & held) / total
            value = share - _PER_SENTENCE * size
            if value > best_value + 1e-9:
                best, best_value = _span(passage, run, share), value
    return best


def _span(passage: Passage, run: Sequence[Sentence], share: float) -> Span:
    start, end = run[0].start, run[-1].end
    return Span(
        document=passage.document,
        start=passage.start + start,
        end=passage.start + end,
        quote=passage.text[start:end],
        share=share,
    )
