"""Passages that say in one page what another page says, too."""

from collections.abc import Sequence
from functools import lru_cache

from schema.documents import Passage
from text.tokens import tokenise

COPIED_SHARE = 0.8
"""Share of a passage's shingles that a passage of another page has where it is a copy."""

SHINGLE_TERMS = 5
"""Terms in a shingle."""

KEPT_TEXTS = 500
"""Passages whose shingles are kept: the sections of a report choose of the same ones."""


def drop_copies(passages: Sequence[Passage]) -> list[Passage]:
    """The passages, best first, without those that stand in a better one of another document."""
    distinct: list[Passage] = []
    held: list[frozenset[int]] = []
    first: dict[int, int] = {}  # the place of the first that has a shingle
    for passage in passages:
        own = _find_shingles(passage.text)
        # what is copied has shingles of its own, or all that is copied of it stands in another
        if any(
            distinct[place].document != passage.document
            and len(own & held[place]) >= COPIED_SHARE * len(own)
            for place in {first[one] for one in own if one in first}
        ):
            continue
        for one in own:
            first.setdefault(one, len(distinct))
        distinct.append(passage)
        held.append(own)
    return distinct


@lru_cache(maxsize=KEPT_TEXTS)
def _find_shingles(text: str) -> frozenset[int]:
    """A hash of every run of five terms; of all terms where there are fewer."""
    terms = tokenise(text)
    if len(terms) <= SHINGLE_TERMS:
        return frozenset([hash(tuple(terms))])
    return frozenset(map(hash, zip(*(terms[i:] for i in range(SHINGLE_TERMS)), strict=False)))
