"""Fitting passages into a model's window."""

import re
from collections.abc import Sequence

from schema.documents import Passage

_WIDE = re.compile(r"[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_OTHER_LETTERS = re.compile(r"[\u0370-\u0dff\u0f00-\u10ff\u1200-\u1fff]")
_ASTRAL = re.compile(r"[\U00010000-\U0010ffff]")
_HEADER_TOKENS = 60  # title, author, address and tags of a source


def estimate_tokens(text: str) -> int:
    """Tokens of a text, without a tokenizer.

    0.25 a character, 0.5 of other alphabets than Latin, 1.5 for CJK, 2 beyond the BMP. An upper
    estimate for prose in the vocabularies in use: better a passage too few than a request that the
    server refuses.
    """
    wide, astral = len(_WIDE.findall(text)), len(_ASTRAL.findall(text))
    other = len(_OTHER_LETTERS.findall(text))
    plain = len(text) - wide - astral - other
    return round(0.25 * plain + 0.5 * other + 1.5 * wide + 2 * astral) + 1


def pack_passages(passages: Sequence[Passage], budget: int) -> list[Passage]:
    """Take passages, best first, while they fit.

    Args:
        passages: best first.
        budget: tokens, the headers of sources included.

    Returns:
        What fits, in the order given; at least one passage if there is any, however long.
    """
    taken: list[Passage] = []
    seen: set[int] = set()
    used = 0
    for passage in passages:
        cost = estimate_tokens(passage.text)
        if passage.document not in seen:
            cost += _HEADER_TOKENS
        if taken and used + cost > budget:
            continue
        taken.append(passage)
        seen.add(passage.document)
        used += cost
    return taken


def group_by_document(passages: Sequence[Passage]) -> dict[int, list[Passage]]:
    """Group by document, the document of the best passage first, passages as they stand in it."""
    grouped: dict[int, list[Passage]] = {}
    for passage in passages:
        grouped.setdefault(passage.document, []).append(passage)
    return {d: sorted(found, key=lambda p: p.start) for d, found in grouped.items()}
