"""Whether a report says itself in which figures two of its sources differ."""

import re
from collections.abc import Sequence

from citations.markers import find_markers, strip_markers
from schema.report import Conflict
from text.numbers import find_quantities

_BREAK = re.compile(r"\n[ \t]*\n")


def is_told(conflict: Conflict, texts: Sequence[str], language: str) -> bool:
    """Whether a paragraph or a table has both figures, and cites the other source for its own.

    Args:
        conflict: of two sources.
        texts: of the sections, with the numbers of the reference list.
        language: of the report.
    """
    if conflict.get("kind") != "number":
        return False
    ours = _list_values(conflict["sentence"], language)
    theirs = _list_values(conflict["quote"], language)
    for paragraph in (part for text in texts for part in _BREAK.split(text)):
        if conflict["number"] not in find_markers(paragraph):
            continue
        said = _list_values(paragraph, language)
        if said & (ours - theirs) and said & (theirs - ours):
            return True
    return False


def _list_values(text: str, language: str) -> set[tuple[str, str]]:
    """The numbers of a text but for years, which most dates have."""
    found = find_quantities(strip_markers(text), language)
    return {(str(one.value), one.unit) for one in found if not one.is_year}
