"""What another section of a report asks for more.

Shown to both, it takes the place of something that nobody would be shown.
"""

from collections.abc import Sequence

CLEARLY = 1.6
"""Times as well as any own question that of another section fits a text which is left to it.

A text on several things is asked for by several sections, and words tell poorly which needs it.
"""


def find_better_placed(
    own: Sequence[Sequence[float]], others: Sequence[Sequence[float]]
) -> frozenset[int]:
    """The places of the texts that a question of another section fits clearly better.

    How well a text fits is its share of the best score that any text has for the question.

    Args:
        own: for each question of a section the scores of the texts, 0 or more.
        others: the same for the questions of the other sections.
    """
    mine, theirs = _find_best_shares(own), _find_best_shares(others)
    return frozenset(
        place
        for place, (here, there) in enumerate(zip(mine, theirs, strict=False))
        if there > CLEARLY * here
    )


def _find_best_shares(scores: Sequence[Sequence[float]]) -> list[float]:
    """For each text the best of its shares."""
    best = [max(one, default=0.0) or 1.0 for one in scores]
    return [
        max(score / most for score, most in zip(found, best, strict=True))
        for found in zip(*scores, strict=True)
    ]
