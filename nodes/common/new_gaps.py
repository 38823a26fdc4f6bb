"""What a repair leaves open anew: looked for once, for it was not before."""

import asyncio
from collections.abc import Mapping, Sequence, Set

from citations.gap_answers import find_last_day, rate_passages
from citations.gap_phrases import find_missing_subject
from connectors.search_all import SearchRequest
from nodes.common.search_events import search_stored
from retrieval.passages.listings import tell_listing
from schema.context import Context
from schema.documents import DocumentInfo, Passage
from schema.editing import RepairBatch, RepairedSection
from schema.report import Section


async def drop_told_gaps(
    given: RepairBatch,
    repaired: Sequence[RepairedSection],
    request: SearchRequest,
    context: Context,
) -> list[RepairedSection]:
    """The sections without new open points of which pages speak that their writer did not see.

    A page that was published before a day that a gap names does not speak of it.

    Args:
        given: what was sent to the writer.
        repaired: its sections, in that order.
        request: how the library is searched.
        context: of the run.
    """
    shown: dict[str, set[int]] = {}
    for mended, one in zip(given["mended"], repaired, strict=True):
        before = {point["sentence"] for point in mended["draft"].get("open", [])}
        read = {chunk for point in mended["points"] for chunk in point["chunks"]}
        for point in one["draft"].get("open", []):
            if point["sentence"] not in before:
                shown[point["sentence"]] = read
    if not shown:
        return list(repaired)
    told = await _find_told(shown, given["language"], request, context)
    return [RepairedSection(**{**one, "draft": _leave_out(one["draft"], told)}) for one in repaired]


def _leave_out(draft: Section, told: Set[str]) -> Section:
    left = [point for point in draft.get("open", []) if point["sentence"] not in told]
    return Section(**{**draft, "open": left})


async def _find_told(
    shown: Mapping[str, Set[int]], language: str, request: SearchRequest, context: Context
) -> set[str]:
    """The gaps of which other passages of the library speak than those `shown` for them."""
    subjects = {gap: find_missing_subject(gap, language) or gap for gap in shown}
    stored = await search_stored(list(subjects.values()), request, context)
    told: set[str] = set()
    for gap, subject in subjects.items():
        day = find_last_day(gap, language)
        found = [
            (passage, page)
            for passage, page in stored[subject]
            if passage.chunk not in shown[gap] and not "" < page.published < day
        ]
        if await asyncio.to_thread(_speaks_of, subject, found, language):
            told.add(gap)
    return told


def _speaks_of(subject: str, found: Sequence[tuple[Passage, DocumentInfo]], language: str) -> bool:
    telling = [(one, page.title) for one, page in found if tell_listing(one, page.title) is None]
    passages, titles = [one for one, _ in telling], [title for _, title in telling]
    return bool(rate_passages(subject, passages, language, titles))
