"""What a sentence states, and whether another one states it as well."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from citations.content_terms import find_content_terms, has_kin
from citations.markers import strip_markers

STATED_SHARE = 0.8
"""Share of a sentence's words of content that one which states the same has."""

MIN_TERMS = 4
"""Words of content of a sentence that another one repeats."""

_TELLING = re.compile(r"(?!(?:1[5-9]|20)\d\d$)(?=.*[.,\d].*\d).{3,}")  # no small count, no year
_FIGURE = re.compile(r"\d[\d.,]*\d|\d")


@dataclass(frozen=True)
class Statement:
    """The words of content of a sentence, and its figures, as they are written."""

    terms: frozenset[str]
    figures: frozenset[str]

    @classmethod
    def read(cls, sentence: str, language: str) -> "Statement":
        """What a sentence states, whatever it cites."""
        said = strip_markers(sentence)
        return cls(find_content_terms(said, language), frozenset(_FIGURE.findall(said)))

    def covers(self, other: "Statement") -> bool:
        """Whether all figures of another stand here, with nearly all of its words, if any."""
        if not other.terms or not other.figures <= self.figures:
            return False
        common = sum(has_kin(term, self.terms) for term in other.terms)
        return common >= STATED_SHARE * len(other.terms)


def find_repeats(
    statements: Sequence[Statement], given: Statement
) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """What several statements tell: figures, or "" for the same words, and their places, in order.

    Only figures that hardly stand for two things: of three digits or with a fraction, no years.

    Args:
        statements: of sentences.
        given: of the question, whose figures stand beside much.
    """
    held: defaultdict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(statements):
        for figure in sorted(one.figures - given.figures):
            if _TELLING.fullmatch(figure):
                held[figure].append(place)
    told: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
    for figure, places in held.items():
        if len(places) > 1:
            told[tuple(places)].append(figure)
    for (place, one), (later, other) in combinations(enumerate(statements), 2):
        fewest = min(len(one.terms), len(other.terms))
        known = any({place, later} <= set(places) for places in told)
        if fewest >= MIN_TERMS and not known and one.covers(other):
            told[place, later].append("")
    return [(tuple(figures), places) for places, figures in sorted(told.items())]
