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

NEIGHBOURS = 2
"""Sentences behind a fact that may give its figure again: they conclude from it."""

ROUND_DIGITS = 2
"""Digits, without the zeros at both ends, of a figure that may well count two things."""

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

    Only figures that hardly stand for two things: of three digits or with a fraction, no years;
    round ones where the sentences have a word in common. What a neighbour repeats is no repeat.

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
    for figure, found in held.items():
        places = [at for at in found if _is_same(figure, at, found, statements)]
        if len(places) > 1 and places[-1] - places[0] > NEIGHBOURS:
            told[tuple(places)].append(figure)
    for (place, one), (later, other) in combinations(enumerate(statements), 2):
        fewest = min(len(one.terms), len(other.terms))
        known = any({place, later} <= set(places) for places in told)
        if fewest >= MIN_TERMS and not known and one.covers(other):
            told[place, later].append("")
    return [(tuple(figures), places) for places, figures in sorted(told.items())]


def _is_same(
    figure: str, place: int, places: Sequence[int], statements: Sequence[Statement]
) -> bool:
    """Whether a figure counts the same in the sentence at a place as in one of the others."""
    if len(re.sub(r"\D", "", figure).strip("0")) > ROUND_DIGITS:
        return True
    terms = statements[place].terms
    others = [statements[at].terms for at in places if at != place]
    return any(has_kin(term, other) for term in terms for other in others)
