"""Sentences that can answer a question, and when two words are forms of one."""

import re

from text.tokens import KANA_OR_HAN

MIN_CHARACTERS, MIN_CHARACTERS_UNSPACED, MAX_CHARACTERS = 12, 6, 420
"""Characters of a sentence; the second in scripts without spaces."""

LETTER_SHARE = 0.6
"""Share of letters and spaces in a sentence; what has less is code or a row of numbers."""

SYLLABLE = 3
"""Characters by which two forms of a word may differ."""

_ENDING = re.compile(r"[.!。！…।۔]['\"”’»）)\]]*$")


def is_derived(term: str, other: str) -> bool:
    """Whether two stems differ by no more than a syllable: founder, found; grund, gegrund."""
    short, long = sorted((term, other), key=len)
    least = 4 if long.startswith(short) else 5
    return len(short) >= least and 0 < len(long) - len(short) <= SYLLABLE and short in long


def is_statement(text: str) -> bool:
    """Whether a sentence states something.

    Unlike the sentences of a report it may be short ("It opened in 1923.") and lean on others: what
    it speaks of stands in the title.
    """
    shortest = MIN_CHARACTERS_UNSPACED if KANA_OR_HAN.search(text) else MIN_CHARACTERS
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return (
        shortest <= len(text) <= MAX_CHARACTERS
        and letters >= LETTER_SHARE * len(text)
        and bool(_ENDING.search(text))
    )
