"""What a whole page says of a query, beside what one passage of it says.

A question's words stand in many passages of a library; the page that is about them holds them in
several, and lists of what stands elsewhere hold them once.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

PAGE_SHARE = 0.2
"""Of the page in the score of each of its passages: nDCG@10 on a manual rises from 81 to 85.
With 0.3 it is 2 more there, and abstracts, which fill a passage or two, lose."""

PAGE_PASSAGES = 200
"""Best passages whose pages are looked at, at most."""

LENGTH_EXPONENT = 0.25
"""How far a page is held against its length: passages that speak of anything at all add up."""

PASSAGE_BYTES = 1_000
"""A page no longer than this is one passage, and is not held against a still shorter one."""


class Page(NamedTuple):
    """The document that a passage stands in: its number, and its text's length in bytes."""

    document: int
    length: int


def score_pages(scores: Mapping[int, float], pages: Mapping[int, Page]) -> dict[int, float]:
    """Score the pages of some passages.

    A page's score is the root of the sum of its passages' squared scores, which stays near the
    best one, over a root of its length.

    Args:
        scores: of passages, 0 or more.
        pages: by passage; each passage has a score.

    Returns:
        By passage its page's score, scaled so that the best page has the best passage's score.
    """
    if not pages:
        return {}
    sums: dict[Page, float] = {}
    for passage, page in pages.items():
        sums[page] = sums.get(page, 0.0) + scores[passage] ** 2
    found = {
        page: math.sqrt(total) / max(1.0, page.length / PASSAGE_BYTES) ** LENGTH_EXPONENT
        for page, total in sums.items()
    }
    scale = max(scores[passage] for passage in pages) / (max(found.values()) or 1.0)
    return {passage: found[page] * scale for passage, page in pages.items()}
