"""Figures that stand before the mark of a source which does not give them: they are worked out."""

import re
from collections.abc import Mapping, Sequence

from citations.claim_facts import SentenceFacts
from citations.evidence_span import SourcePassages
from citations.grounds import list_results, list_worked_out
from citations.markers import find_markers, locate_markers, strip_markers

_TELLING = re.compile(r"(?=.*\d.*\d).{3,}")  # no small count: "2" comes of many sums


def find_worked_out(
    sentence: str, sums: Sequence[str], sources: Mapping[int, SourcePassages], language: str
) -> list[str]:
    """The figures of a sentence, with their units, that sums come to and a mark stands behind.

    Args:
        sentence: of a section.
        sums: of the section, as its writer gave them, such as "3 × 130 = 390".
        sources: what was read of each, by number: a figure that a cited one gives is left out.
        language: of sentence and sums.
    """
    ends = [one.start for one in locate_markers(sentence)]
    read = [sources[number].facts for number in find_markers(sentence) if number in sources]
    results = list_results(tuple(sums), language).difference(*(one.values for one in read))
    if not ends or not results:
        return []
    claim = SentenceFacts(strip_markers(sentence[: ends[-1]]), language)
    found = list_worked_out(claim, results)
    return sorted(filter(_TELLING.fullmatch, found), key=sentence.find)
