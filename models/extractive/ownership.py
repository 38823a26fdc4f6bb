"""Which section of an outline a sentence or table belongs to: all are written at the same time."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

from models.extractive.candidates import CandidateSentence, find_content_terms
from models.extractive.tables import SourceTable
from prompts.template import SectionOutline

Claimed = TypeVar("Claimed", bound=CandidateSentence | SourceTable)


def select_own(
    pool: list[Claimed], title: str, outline: Sequence[SectionOutline], language: str
) -> list[Claimed]:
    """The sentences or tables that belong to this section rather than to another of the outline.

    Each section claims a sentence by the words that set it apart from the others. Neither the claim
    nor who gets what several claim alike depends on the pool, so every section decides alike.
    """
    sections = [
        Counter(find_content_terms(" ".join([one.title, *one.questions]), language))
        for one in outline
    ]
    mine = next((i for i, one in enumerate(outline) if one.title == title), None)
    if mine is None or len(sections) < 2:
        return pool
    spread = Counter(term for section in sections for term in section)
    rarity = {term: math.log(len(sections) / count) for term, count in spread.items()}
    lengths = [1 + math.sqrt(sum(rarity[t] for t in section)) for section in sections]

    def belongs(candidate: Claimed) -> bool:
        words = candidate.terms | candidate.context
        claims = [
            sum(rarity[term] for term in section.keys() & words) / length
            for section, length in zip(sections, lengths, strict=True)
        ]
        best = [place for place, claim in enumerate(claims) if claim == max(claims)]
        return best[crc32(" ".join(sorted(candidate.terms)).encode()) % len(best)] == mine

    return [candidate for candidate in pool if belongs(candidate)]
