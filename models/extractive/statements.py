"""Sentences that can answer a question, and when two words are forms of one."""

import re

from models.extractive.sentences import Candidate, content, tidy
from prompts.template import SourceText
from retrieval.language import detect_language
from retrieval.sentences import sentences

SHORTEST, SHORTEST_UNSPACED, LONGEST = 12, 6, 420
"""Characters of a sentence; the second in scripts without spaces."""

LETTERS = 0.6
"""Share of letters and spaces in a sentence; what has less is code or a row of figures."""

SYLLABLE = 3
"""Characters by which two forms of a word may differ."""

_CLOSED = re.compile(r"[.!。！…।۔]['\"”’»）)\]]*$")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def statements(source: SourceText, first: int) -> list[Candidate]:
    """The sentences of a source that state something.

    Unlike the candidates of a report they may be short ("It opened in 1923.") and lean on others:
    what they speak of stands in the title.

    Args:
        source: a source of the prompt.
        first: the `order` of its first sentence.
    """
    language = detect_language("\n".join(source.passages))
    found: list[Candidate] = []
    for heading, passage in zip(source.headings, source.passages, strict=True):
        context = frozenset(content(f"{source.title} {heading}", language))
        for piece in sentences(passage, language):
            text = tidy(passage[piece.start : piece.end])
            if piece.kind in ("prose", "item") and _states(text):
                words = frozenset(content(text, language))
                order = first + len(found)
                found.append(Candidate(source.number, order, text, words, context, False, False))
    return found


def is_derived(term: str, other: str) -> bool:
    """Whether two stems differ by no more than a syllable: founder, found; grund, gegrund."""
    short, long = sorted((term, other), key=len)
    least = 4 if long.startswith(short) else 5
    return len(short) >= least and 0 < len(long) - len(short) <= SYLLABLE and short in long


def _states(text: str) -> bool:
    shortest = SHORTEST_UNSPACED if _UNSPACED.search(text) else SHORTEST
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return (
        shortest <= len(text) <= LONGEST
        and letters >= LETTERS * len(text)
        and bool(_CLOSED.search(text))
    )
