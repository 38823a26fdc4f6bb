"""Which pages answer most of a section's questions, and which only share words with one of them.

In a large library a question's rarest word often stands in a page on something else, which answers
none of the others.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest

ANSWERED_SHARE = 0.6
"""Of a question's best score, from which a passage answers it."""

MANY_PAGES = 10
"""Pages up to which all are heard: in a small collection, what was collected belongs to it."""

NEAR_SHARE = 0.5
"""Of the best page's coverage, from which another page is heard."""

COUNTED_PASSAGES = 3
"""Passages of a page that are counted for each question, to tell what the page is about."""

FEWEST_PAGES = 3
"""Pages that are heard at least: one alone is confirmed by nobody."""

Coverage = Mapping[int, Sequence[float]]
"""Of each page, for each question the share of the best score that its best passage has."""


def measure_coverage(scores: Sequence[Sequence[float]], documents: Sequence[int]) -> Coverage:
    """How well each page answers each question.

    Args:
        scores: for each question those of the passages, 0 or more.
        documents: of the passages, in the same order.
    """
    best = [max(own, default=0.0) or 1.0 for own in scores]
    coverage = {document: [0.0] * len(scores) for document in documents}
    for question, own in enumerate(scores):
        for document, score in zip(documents, own, strict=True):
            shares = coverage[document]
            shares[question] = max(shares[question], score / best[question])
    return coverage


def find_main_page(scores: Sequence[Sequence[float]], documents: Sequence[int]) -> int | None:
    """The page that is about the questions: several of its passages answer several of them.

    A page on something else may have the one passage that holds most words of a question.

    Args:
        scores: for each question those of the passages, 0 or more.
        documents: of the passages, in the same order.

    Returns:
        None where no passage has a word of any.
    """
    weight: defaultdict[int, float] = defaultdict(float)
    for own in scores:
        best = max(own, default=0.0) or 1.0
        by_page: defaultdict[int, list[float]] = defaultdict(list)
        for document, score in zip(documents, own, strict=True):
            by_page[document].append(score / best)
        for document, shares in by_page.items():
            weight[document] += sum(nlargest(COUNTED_PASSAGES, shares))
    main = max(weight, key=weight.__getitem__, default=None)
    return main if main is not None and weight[main] > 0 else None


def select_heard_pages(coverage: Coverage, main: int | None) -> set[int]:
    """The pages that a section is written from; `main` is the one that is about its questions.

    These are all, if they are few; else those that cover about as much as the main page, those that
    answer a question that this one leaves open, and in any case the best ones.
    """
    if main is None or len(coverage) <= MANY_PAGES:
        return set(coverage)
    least = NEAR_SHARE * sum(coverage[main])
    left_open = [i for i, share in enumerate(coverage[main]) if share < ANSWERED_SHARE]
    return {*_order_pages(coverage)[:FEWEST_PAGES]} | {
        page
        for page, shares in coverage.items()
        if sum(shares) >= least or any(shares[i] >= ANSWERED_SHARE for i in left_open)
    }


def _order_pages(coverage: Coverage) -> list[int]:
    """The pages, that which covers most first."""
    return sorted(coverage, key=lambda page: -sum(coverage[page]))
