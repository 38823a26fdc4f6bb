"""Which section of a report a text is for, of several that could be shown it.

Shown to all of them, it takes the place of something that nobody would be shown.
"""

from collections.abc import Sequence
from enum import IntEnum
from itertools import accumulate

from retrieval.passages.page_coverage import measure_coverage

Scores = Sequence[Sequence[float]]
"""For each question of a section those of the texts, 0 or more."""

ROOM_SHARE = 0.5
"""Of what a section has for texts, that those can count on which fit it best: the rest goes to what
answers its questions, of which other sections are shown the same."""


class Place(IntEnum):
    """Where a text is shown, seen from one section, most wanted there first."""

    HERE = 0
    NOWHERE = 1
    """Another section asks for it more and has no room for it."""
    ELSEWHERE = 2


def find_places(
    own: Scores, others: Sequence[Scores], sizes: Sequence[int], room: int
) -> list[Place]:
    """Where each text is shown: in the section with the question that it fits best.

    How well a text fits is its share of the best score that any text has for the question. One that
    fits two sections as well is for both.

    Args:
        own: the scores of the section that asks.
        others: those of the other sections.
        sizes: of the texts.
        room: what a section has for texts.
    """
    fits, *theirs = [_measure_fit(scores, len(sizes)) for scores in (own, *others)]
    best = [max(each) for each in zip(*theirs, strict=True)] if theirs else [0.0] * len(sizes)
    shown = set[int]()
    for fit in theirs:
        placed = sorted(
            (n for n, one in enumerate(fit) if one == best[n] > fits[n]), key=lambda n: -fit[n]
        )
        ends = accumulate(sizes[n] for n in placed)
        shown.update(n for n, end in zip(placed, ends, strict=True) if end <= ROOM_SHARE * room)
    return [
        Place.HERE if best[n] <= fit else Place.ELSEWHERE if n in shown else Place.NOWHERE
        for n, fit in enumerate(fits)
    ]


def _measure_fit(scores: Scores, texts: int) -> list[float]:
    covered = measure_coverage(scores, range(texts))
    return [max(covered.get(place, ()), default=0.0) for place in range(texts)]
