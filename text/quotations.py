"""Where the lines that a model copied out of a text stand in it."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

LEAST_CHARACTERS = 8
"""Of a line that is looked for: a shorter one stands in too many places."""

_WORD = re.compile(r"\S+")
_MARK = re.compile(r"(?:[-*+•>]|\d{1,3}[.)])\s+")
_QUOTES = "\"'`“”„‘’«»"


def locate_quotations(text: str, lines: Iterable[str]) -> list[tuple[int, int]]:
    """Start and end of each line that stands in a text, in the order of the text, each place once.

    White space counts as one space. What a model puts around a line, a list mark or quotation
    marks, is left away where the line does not stand with it. What stands in several places is
    taken behind the line before; what stands in none is left out.
    """
    words = [(one.start(), one.end()) for one in _WORD.finditer(text)]
    flat = " ".join(text[start:end] for start, end in words)
    begins = list(accumulate((end - start + 1 for start, end in words[:-1]), initial=0))
    found: set[tuple[int, int]] = set()
    behind = 0
    for line in lines:
        for quotation in _list_forms(line):
            at = flat.find(quotation, behind)
            at = flat.find(quotation) if at < 0 else at
            if at >= 0:
                behind = at + len(quotation)
                first, last = bisect_right(begins, at) - 1, bisect_right(begins, behind - 1) - 1
                start = words[first][0] + at - begins[first]
                found.add((start, words[last][0] + behind - begins[last]))
                break
    return sorted(found)


def _list_forms(line: str) -> list[str]:
    """The line on one line, and without what was put around it; not what is too short."""
    plain = " ".join(line.split())
    bare = _MARK.sub("", plain, count=1) if _MARK.match(plain) else plain
    forms = dict.fromkeys([plain, bare, bare.strip(_QUOTES).strip()])
    return [one for one in forms if len(one) >= LEAST_CHARACTERS]
