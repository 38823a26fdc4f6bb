"""Passages that say in one page what another page says, too."""

from collections.abc import Sequence

from schema.documents import Passage
from text.tokens import tokenise

COPIED_SHARE = 0.8
"""Share of a passage's shingles that a passage of another page has where it is a copy."""

SHINGLE_TERMS = 5
"""Terms in a shingle."""


def drop_copies(passages: Sequence[Passage]) -> list[Passage]:
    """The passages, best first, without those that stand in a better one of another document."""
    kept: list[tuple[int, frozenset[tuple[str, ...]]]] = []
    distinct: list[Passage] = []
    for passage in passages:
        own = _find_shingles(passage.text)
        if any(
            document != passage.document and len(own & held) >= COPIED_SHARE * len(own)
            for document, held in kept
        ):
            continue
        kept.append((passage.document, own))
        distinct.append(passage)
    return distinct


def _find_shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Every run of five terms; all terms as one where there are fewer."""
    terms = tokenise(text)
    if len(terms) <= SHINGLE_TERMS:
        return frozenset([tuple(terms)])
    return frozenset(zip(*(terms[i:] for i in range(SHINGLE_TERMS)), strict=False))
