"""What another section of a report asks for more.

Shown to both, it takes the place of something that nobody would be shown.
"""

from collections.abc import Sequence

from retrieval.passages.page_coverage import measure_coverage

CLEARLY = 1.6
"""Times as well as any own question that of another section fits a text which is left to it.

A text on several things is asked for by several sections, and words tell poorly which needs it.
"""


def find_better_placed(
    own: Sequence[Sequence[float]], others: Sequence[Sequence[float]]
) -> frozenset[int]:
    """The places of the texts that a question of another section fits clearly better.

    Better at all is enough for the best text of a question, which its section is shown in any case.
    How well a text fits is its share of the best score that any text has for the question.

    Args:
        own: for each question of a section the scores of the texts, 0 or more.
        others: the same for the questions of the other sections.
    """
    if not own:
        return frozenset()
    texts = range(len(own[0]))
    mine, theirs = measure_coverage(own, texts), measure_coverage(others, texts)
    shown = {max(texts, key=scores.__getitem__) for scores in others} if texts else set[int]()
    return frozenset(
        place
        for place in texts
        if max(theirs[place], default=0.0)
        > (1 if place in shown else CLEARLY) * max(mine[place], default=0.0)
    )
