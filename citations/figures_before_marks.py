"""Figures that stand before the mark of a source which does not give them: they are worked out."""

import re
from collections.abc import Sequence

from citations.claim_facts import SentenceFacts
from citations.grounds import list_results, list_worked_out
from citations.markers import locate_markers, strip_markers

_TELLING = re.compile(r"(?=.*\d.*\d).{3,}")  # no small count: "2" comes of many sums


def find_worked_out(sentence: str, sums: Sequence[str], language: str) -> list[str]:
    """The figures of a sentence, with their units, that sums come to and a mark stands behind.

    Args:
        sentence: of a section.
        sums: of the section, as its writer gave them, such as "7 × 750 = 5,250".
        language: of both.
    """
    ends = [one.start for one in locate_markers(sentence)]
    results = list_results(tuple(sums), language)
    if not ends or not results:
        return []
    claim = SentenceFacts(strip_markers(sentence[: ends[-1]]), language)
    found = list_worked_out(claim, results)
    return sorted(filter(_TELLING.fullmatch, found), key=sentence.find)
