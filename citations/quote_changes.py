"""A quote held against its source as that stands now."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citations.checked_sentence import extract_claim
from citations.claim_facts import SentenceFacts
from citations.evidence_span import SourcePassages
from citations.verdict import judge_claim
from schema.documents import Passage
from schema.report import Citation
from schema.watch import QuoteState
from text.tokens import content_weight

MOST_PARAGRAPHS = 8
"""Of a changed text, those that are read for what became of a quote."""

MIN_LIKENESS = 0.35
"""Share of a quote's words, by weight, that a passage has which says the same thing otherwise."""

_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")


@dataclass(frozen=True)
class QuoteNow:
    """What became of a quote: its place in the text of today and what stands there.

    Of one that has gone, `start` and `end` are 0 and `quote` is empty.
    """

    state: QuoteState
    start: int = 0
    end: int = 0
    quote: str = ""


def compare_quote(citation: Citation, text: str | None, language: str) -> QuoteNow:
    """Say what became of a citation's quote.

    A quote that stands in the text, white space apart, is the same. Else the passages that are most
    like it are read: where one of them still bears out all that the quote bore out of the sentence
    (no figure, date, name or word of it is lost, and nothing is negated that was not), it was only
    reworded.

    Args:
        citation: of the saved report.
        text: of its document today; None where there is none any more.
        language: of the report.
    """
    if text is None:
        return QuoteNow("gone")
    if place := _find_quote(citation, text):
        return QuoteNow("same", *place, text[slice(*place)])
    passages = _select_paragraphs(citation, text, language)
    source = SourcePassages(passages, language)
    span = source.find_best_span(citation["quote"])
    if span is None or span.share < MIN_LIKENESS:
        return QuoteNow("changed")
    state: QuoteState = "reworded" if _bears_out(citation, span.quote, language) else "changed"
    return QuoteNow(state, span.start, span.end, span.quote)


def _find_quote(citation: Citation, text: str) -> tuple[int, int] | None:
    """Where a quote stands, the nearest to its old place; None where it does not."""
    words = citation["quote"].split()
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    found = [match.span() for match in pattern.finditer(text)] if words else []
    return min(found, key=lambda span: abs(span[0] - citation["start"]), default=None)


def _select_paragraphs(citation: Citation, text: str, language: str) -> Sequence[Passage]:
    """The paragraphs of a text that share most with a quote, in their order."""
    weights = SentenceFacts(citation["quote"], language).weights
    parts = [match.span() for match in _PARAGRAPH.finditer(text)]

    def rank(span: tuple[int, int]) -> float:
        terms = SentenceFacts(text[slice(*span)], language).unique_terms
        return sum(weight for term, weight in weights.items() if term in terms)

    best = sorted(sorted(parts, key=rank, reverse=True)[:MOST_PARAGRAPHS])
    return [
        Passage(chunk=0, document=0, start=start, end=end, text=text[start:end])
        for start, end in best
    ]


def _bears_out(citation: Citation, quote: str, language: str) -> bool:
    """Whether a passage has all of a sentence that the quote before it had."""
    claim = SentenceFacts(extract_claim(citation["sentence"]), language)
    before, after = SentenceFacts(citation["quote"], language), SentenceFacts(quote, language)
    lost = claim.unique_terms & before.unique_terms - after.unique_terms
    if any(content_weight(term, language) >= 1 for term in lost):
        return False
    if len(before.polarity.negation_positions) != len(after.polarity.negation_positions):
        return False
    old, new = (_judge(citation, one, language) for one in (citation["quote"], quote))
    return new >= old


def _judge(citation: Citation, quote: str, language: str) -> bool:
    passage = Passage(chunk=0, document=0, start=0, end=len(quote), text=quote)
    verdict = judge_claim(extract_claim(citation["sentence"]), SourcePassages([passage], language))
    return verdict.kind in ("supported", "partial")
