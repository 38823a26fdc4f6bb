"""The code that a sentence leads to, and whether it is that of a source."""

import re

from citations.evidence_span import SourcePassages

MIN_KNOWN_SHARE = 0.6
"""Share of the words of a block of code that its source has: a sort order may be added to it."""

_CODE_BELOW = re.compile(
    r"[ \t]*\n+[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)(?P=fence)", re.DOTALL
)
_WORD = re.compile(r"\w{3,}")


def find_code_below(text: str, end: int) -> str:
    """The block of code right below the sentence of a text that ends there; "" where none is."""
    below = _CODE_BELOW.match(text, end)
    return below["code"] if below else ""


def comes_from(code: str, source: SourcePassages) -> bool:
    """Whether a source has most of the words of a block of code."""
    words = set(_WORD.findall(code.casefold()))
    if not words:
        return False
    read = " ".join({unit.passage.text: None for unit in source.sentences}).casefold()
    return sum(word in read for word in words) >= MIN_KNOWN_SHARE * len(words)
