"""Ask every connector all questions of all sections, once, and number what comes back."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from langgraph.runtime import Runtime

from connectors.full_pages import PageSearchResult, fetch_and_search
from connectors.search_all import ConnectorResult, SearchRequest
from nodes.common.run import (
    emit,
    get_context,
    get_library,
    make_degradation,
    make_source,
)
from nodes.common.search_events import (
    collect_failures,
    count_searches,
    list_queries,
    make_request,
    search_connectors,
)
from retrieval.passages.pool import (
    deduplicate_questions,
    merge_hits,
    normalise_question,
    number_sources,
)
from schema.context import Context
from schema.deep_search import Budget, DeepSearchInput
from schema.documents import Hit
from schema.events import PagesRead as PagesEvent
from schema.events import PoolReady
from schema.report import Degradation
from schema.state import PoolEntry, ReportState, ReportUpdate

MIN_TOKENS = 20_000
"""Of a deep search: with less it could hardly read a page and judge an answer."""

PAGES_PER_SECTION = 4
"""Of which only excerpts were found, that are read for a report."""

SHOWN_FAILURES = 3

SECTION_PASSAGES = 120
"""Passages of the pool that a section may choose from."""


async def search_sources(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Gather the pool: passages with their scores, sources with the numbers they keep.

    For reports of several sections the best pages of which only excerpts were found are read.
    """
    context = get_context(runtime)
    library = await get_library(runtime)
    search = make_request(state, runtime, library)
    sections = state["outline"]["sections"]
    asked_before = list_queries(state["question"])
    wanted = deduplicate_questions(
        [*asked_before, *(question for section in sections for question in section["questions"])]
    )
    answers = await search_connectors(runtime, wanted[len(asked_before) :], search)
    looked = [Hit(**hit) for hit in state["preview_hits"]]
    hits = merge_hits([*looked, *(hit for one in answers for hit in one.hits)])
    pages = await _read_pages(hits, wanted, search, runtime)
    found = [*answers, *pages.results]
    hits = merge_hits(
        [
            *(hit for hit in hits if hit.document not in pages.documents),
            *(hit for one in pages.results for hit in one.hits),
        ]
    )
    asked_by = _map_chunks_to_sections(found, sections)
    numbers = number_sources({}, [hit.document for hit in hits])
    described = await library.load_documents(list(numbers))
    tried = len(pages.documents) + len(pages.failures)
    own = {
        info.id for info in described.values() if not info.excerpt and info.space == library.space
    }
    emit(runtime, PoolReady(type="pool", sources=len(numbers), passages=len(hits)))
    return {
        "sources": [
            make_source(number, described[document]) for document, number in numbers.items()
        ],
        "pool": [
            PoolEntry(
                chunk=hit.chunk,
                number=numbers[hit.document],
                score=round(hit.score, 4),
                sections=sorted(asked_by[hit.chunk]),
            )
            for hit in hits
        ],
        "preview_hits": [],
        "follow_up_searches": _plan_follow_up_searches(answers, own, state, context, tried),
        "spent": {**count_searches(answers), "pages": tried},
        "degraded": [*collect_failures(found), *_report_unread(pages.failures, tried)],
    }


async def _read_pages(
    hits: Sequence[Hit], questions: Sequence[str], search: SearchRequest, runtime: Runtime[Context]
) -> PageSearchResult:
    """Read the best of the pages that only excerpts were found of, within the run's budget."""
    context = get_context(runtime)
    if context.research_mode == "general":
        return PageSearchResult([], [], [])
    described = await search.library.load_documents(
        list(dict.fromkeys(hit.document for hit in hits))
    )
    excerpts = [
        info
        for document in dict.fromkeys(hit.document for hit in hits)
        if (info := described.get(document)) and info.excerpt and info.url
    ]
    most = min(context.deep_pages, PAGES_PER_SECTION * context.sections)
    pages = await fetch_and_search(excerpts[:most], questions, search)
    if excerpts[:most]:
        event = PagesEvent(type="pages", read=len(pages.documents), failed=len(pages.failures))
        emit(runtime, event)
    return pages


def _report_unread(failures: Sequence[str], tried: int) -> list[Degradation]:
    if not failures:
        return []
    shown = "; ".join(failures[:SHOWN_FAILURES])
    more = f"; and {len(failures) - SHOWN_FAILURES} more" if failures[SHOWN_FAILURES:] else ""
    detail = f"{len(failures)} of {tried} pages were not read, but for excerpts: {shown}{more}."
    return [make_degradation("pages_not_read", detail)]


def select_section_pool(pool: Sequence[PoolEntry], index: int) -> list[PoolEntry]:
    """What one section may choose from: what its own questions found, then the best of the rest."""
    own = [entry for entry in pool if index in entry.get("sections", [])]
    rest = [entry for entry in pool if index not in entry.get("sections", [])]
    return [
        PoolEntry(chunk=entry["chunk"], number=entry["number"], score=entry["score"])
        for entry in (own + rest)[:SECTION_PASSAGES]
    ]


def _plan_follow_up_searches(
    answers: Sequence[ConnectorResult],
    own: Collection[int],
    state: ReportState,
    context: Context,
    pages: int,
) -> list[DeepSearchInput]:
    """In deeper mode the questions that the user's own texts leave open, with shares of the budget.

    Words tell whether a text speaks of a question, not whether it answers it: what the web has on
    it is for the deep search to judge. `own` are the user's own documents, `pages` were read.
    """
    sections = state["outline"]["sections"]
    if context.research_mode != "deeper":
        return []
    answered = {
        normalise_question(one.question)
        for one in answers
        for hit in one.hits
        if hit.grade != "weak" and hit.document in own
    }
    open_questions = [
        question
        for question in deduplicate_questions(q for one in sections for q in one["questions"])
        if normalise_question(question) not in answered
    ]
    budget = context.deep_budget
    most = min(budget["searches"], max(1, budget["tokens"] // MIN_TOKENS))
    chosen = open_questions[:most]
    share = Budget(
        tokens=budget["tokens"] // max(1, len(chosen)),
        seconds=budget["seconds"],  # they are searched side by side
        searches=budget["searches"] // max(1, len(chosen)),
        pages=(budget["pages"] - pages) // max(1, len(chosen)),
    )
    return [
        DeepSearchInput(run=state["run"], question=question, budget=share) for question in chosen
    ]


def _map_chunks_to_sections(
    answers: Sequence[ConnectorResult], sections: Sequence[dict[str, Any]]
) -> defaultdict[int, set[int]]:
    """For each chunk, the sections whose questions found it."""
    asking: defaultdict[str, set[int]] = defaultdict(set)
    for index, section in enumerate(sections):
        for question in section["questions"]:
            asking[normalise_question(question)].add(index)
    found: defaultdict[int, set[int]] = defaultdict(set)
    for answered in answers:
        for hit in answered.hits:
            found[hit.chunk] |= asking[normalise_question(answered.question)]
    return found
