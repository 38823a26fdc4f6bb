"""Whether every statement of an answer names a source that speaks of the same things."""

from collections.abc import Mapping

from retrieval.citations import cited_sentences, without_marks
from retrieval.support import Support

LEAST_SHARE = 0.3
"""Of a sentence's weight that the best span of one of its sources must hold."""


def unattributed(text: str, support: Mapping[int, Support], language: str) -> list[str]:
    """The sentences without a source, or whose sources speak of something else.

    Args:
        text: whose marks are normalised.
        support: what was read of each source, by number.
        language: of the text.
    """
    return [
        text[sentence.start : sentence.end]
        for sentence, numbers in cited_sentences(text, language)
        if not any(
            _speaks(support[number], without_marks(text[sentence.start : sentence.end]))
            for number in numbers
            if number in support
        )
    ]


def _speaks(support: Support, claim: str) -> bool:
    span = support.best_span(claim)
    return span is not None and span.share >= LEAST_SHARE
