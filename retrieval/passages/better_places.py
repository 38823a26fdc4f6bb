"""What another section of a report asks for more.

Shown to both, it takes the place of something that nobody would be shown.
"""

from collections.abc import Sequence

from retrieval.passages.page_coverage import measure_coverage


def find_better_placed(
    own: Sequence[Sequence[float]], others: Sequence[Sequence[float]]
) -> frozenset[int]:
    """The places of the texts that a question of another section fits better.

    How well a text fits is its share of the best score that any text has for the question.

    Args:
        own: for each question of a section the scores of the texts, 0 or more.
        others: the same for the questions of the other sections.
    """
    if not own:
        return frozenset()
    texts = range(len(own[0]))
    mine, theirs = measure_coverage(own, texts), measure_coverage(others, texts)
    return frozenset(
        place for place in texts if max(theirs[place], default=0.0) > max(mine[place], default=0.0)
    )
