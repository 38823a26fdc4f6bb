"""Search once more for what the plan leaves open after the first search; the pool grows."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from langgraph.runtime import Runtime

from connectors.search_all import ConnectorResult
from library.library import Library
from nodes.common.gathering import gather, map_chunks_to_sections
from nodes.common.run import emit, get_context, get_library, make_source
from nodes.common.search_events import (
    collect_failures,
    count_searches,
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
from schema.deep_search import Budget, DeepSearchInput, add_budgets
from schema.documents import Hit
from schema.events import PoolReady
from schema.report import Source
from schema.state import PoolEntry, ReportState, ReportUpdate

MIN_TOKENS = 20_000
"""Of a deep search: with less it could hardly read a page and judge an answer."""

PAGES_PER_QUESTION = 2
"""Of which only excerpts were found, that are read for an open question."""

MAX_NEW_PASSAGES = 120
"""Passages that join the pool; keeps a checkpoint small whatever was found."""


async def search_open_questions(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Ask the queries of the open questions; sources keep their numbers, new ones get the next.

    In deeper mode a deep search is planned for each question that the user's own texts leave open.
    """
    context, asked = get_context(runtime), state["open_questions"]
    deeper = context.research_mode == "deeper"
    if not asked and not deeper:
        return {}
    library = await get_library(runtime)
    request = make_request(state, runtime, library)
    left = context.deep_pages - state["spent"]["pages"]
    found = await gather(
        runtime,
        request,
        deduplicate_questions(query for one in asked for query in one["queries"]),
        pages=min(left // 2, PAGES_PER_QUESTION * len(asked)),  # deep searches read, too
    )
    questions = _list_questions(state) if deeper else []
    stored = await search_connectors(runtime, questions, request, live=False)
    hits = merge_hits([*found.hits, *(hit for one in stored for hit in one.hits)])
    asked_by = map_chunks_to_sections([*found.results, *stored], _map_askers(state))
    pool, sources = await _grow_pool(state, hits, found.read, asked_by, library)
    if len(pool) > len(state["pool"]):
        emit(runtime, PoolReady(type="pool", sources=len(sources), passages=len(pool)))
    answered = await _find_answered(stored, library)
    open_questions = [one for one in questions if normalise_question(one) not in answered]
    pages = left - found.spent["pages"]
    return {
        "pool": pool,
        "sources": sources,
        "open_questions": [],
        "follow_up_searches": _plan_deep_searches(state["run"], open_questions, context, pages),
        "spent": add_budgets(found.spent, count_searches(stored)),
        "degraded": [*found.degraded, *collect_failures(stored)],
    }


def _list_questions(state: ReportState) -> list[str]:
    sections = state["outline"]["sections"]
    return deduplicate_questions(question for one in sections for question in one["questions"])


def _map_askers(state: ReportState) -> dict[str, set[int]]:
    """The sections that ask each question, and each query of an open one, by normalised form."""
    asking: defaultdict[str, set[int]] = defaultdict(set)
    for index, section in enumerate(state["outline"]["sections"]):
        for question in section["questions"]:
            asking[normalise_question(question)].add(index)
    for one in state["open_questions"]:
        for query in one["queries"]:
            asking[normalise_question(query)].add(one["section"])
    return asking


async def _grow_pool(
    state: ReportState,
    hits: Sequence[Hit],
    read: Collection[int],
    asked_by: Mapping[int, set[int]],
    library: Library,
) -> tuple[list[PoolEntry], list[Source]]:
    """The pool with what was found, new passages first, and its sources.

    Args:
        state: with the pool as it was.
        hits: what was found, best first.
        read: documents of pages that were read in full, so that their excerpts are no more.
        asked_by: the sections whose queries found each chunk.
        library: which holds them.
    """
    known = {entry["chunk"] for entry in state["pool"]}
    new = [hit for hit in hits if hit.chunk not in known][:MAX_NEW_PASSAGES]
    numbers = {source["document"]: source["number"] for source in state["sources"]}
    gone = {numbers[document] for document in read if document in numbers}
    numbers = number_sources(numbers, [hit.document for hit in new])
    described = await library.load_documents([hit.document for hit in new])
    held = {source["document"] for source in state["sources"]}
    sources = [make_source(n, described[d]) for d, n in numbers.items() if d not in held]
    joined = [
        PoolEntry(
            chunk=hit.chunk,
            number=numbers[hit.document],
            score=round(hit.score, 4),
            sections=sorted(asked_by.get(hit.chunk, set())),
        )
        for hit in new
    ]
    found = {hit.chunk for hit in hits}
    kept = [
        PoolEntry(**{**one, "sections": sorted({*one.get("sections", []), *more})})
        for one in state["pool"]
        if one["number"] not in gone or one["chunk"] in found
        for more in [asked_by.get(one["chunk"], set())]
    ]
    return [*joined, *kept], [*state["sources"], *sources]


async def _find_answered(stored: Sequence[ConnectorResult], library: Library) -> set[str]:
    """Questions, by normalised form, that the user's own texts speak of.

    Words tell whether a text speaks of a question, not whether it answers it: what the web has on
    it is for a deep search to judge.
    """
    documents = {hit.document for one in stored for hit in one.hits}
    described = await library.load_documents(list(documents))
    own = {
        info.id for info in described.values() if not info.excerpt and info.space == library.space
    }
    return {
        normalise_question(one.question)
        for one in stored
        for hit in one.hits
        if hit.grade != "weak" and hit.document in own
    }


def _plan_deep_searches(
    run: str, questions: Sequence[str], context: Context, pages: int
) -> list[DeepSearchInput]:
    """A deep search for each question, with an equal share of the budget and of the pages left."""
    budget = context.deep_budget
    most = min(budget["searches"], max(1, budget["tokens"] // MIN_TOKENS))
    chosen = questions[:most]
    parts = max(1, len(chosen))
    share = Budget(
        tokens=budget["tokens"] // parts,
        seconds=budget["seconds"],  # they are searched side by side
        searches=budget["searches"] // parts,
        pages=pages // parts,
    )
    return [DeepSearchInput(run=run, question=question, budget=share) for question in chosen]
