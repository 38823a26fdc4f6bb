"""Whether the code that a sentence leads to is that of a source which the sentence cites."""

import re

from citations.evidence_span import SourcePassages

MIN_KNOWN_SHARE = 0.6
"""Share of the words of a block of code that its source has: a sort order may be added to it."""

_CODE_BELOW = re.compile(
    r"[ \t]*\n+[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)(?P=fence)", re.DOTALL
)
_WORD = re.compile(r"\w{3,}")


def leads_to_code(text: str, end: int, source: SourcePassages) -> bool:
    """Whether a block of code stands right below a sentence, most of whose words a source has.

    Args:
        text: of the section.
        end: of the sentence.
        source: that it cites.
    """
    below = _CODE_BELOW.match(text, end)
    words = set(_WORD.findall(below["code"].casefold())) if below else set()
    if not words:
        return False
    read = " ".join({unit.passage.text: None for unit in source.sentences}).casefold()
    return sum(word in read for word in words) >= MIN_KNOWN_SHARE * len(words)
