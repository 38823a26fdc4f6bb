"""Search: a few complementary queries, none that was made before, to every source at once."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime

from connectors.page_fetcher import CONNECTOR_NAME as READER
from connectors.search_all import ConnectorResult
from library.library import Library
from models.embeddings import get_embedder
from nodes.common.query_novelty import find_new
from nodes.common.run import get_context, get_library, make_role
from nodes.common.search_events import collect_failures, make_request, search_connectors
from nodes.deep_search.evidence import (
    StepCost,
    TextSpan,
    add_evidence,
    compute_research_budget,
    decide,
    get_current_question,
    list_findings,
    record_step,
)
from nodes.deep_search.task_queue import advance_queue
from prompts.write_queries import WriteQueriesPrompt
from retrieval.web import frontier
from retrieval.web.canonical_url import normalise_url
from schema.context import Context
from schema.deep_search import (
    Budget,
    DeepSearchState,
    DeepSearchUpdate,
    Page,
    WantedQueries,
    WantedQuery,
)
from schema.documents import DocumentInfo
from schema.settings import get_settings

PASSAGES_PER_ANSWER = 6
"""Of one answer that become evidence."""

EXCERPT_CHARACTERS = 300
"""Characters of a page that was not read, shown of it."""


async def search(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """Ask the sources; passages become evidence, pages that are known by an excerpt wait."""
    context, bill = get_context(runtime), StepCost()
    library, question = await get_library(runtime), get_current_question(state)
    left = compute_research_budget(state, context)
    queries = (await _write_queries(state, runtime, bill))[: left["searches"]]
    if not queries:
        queue = advance_queue(state["task_queue"], "search", gained=False)
        outcome = f"I had nothing to ask about “{question}” that was not asked before."
        exhausted = [*state["exhausted"], question]
        return {
            **record_step(runtime, state, bill, "search", outcome),
            "task_queue": queue,
            "exhausted": exhausted,
        }
    bill.searches = len(queries)
    answers = await _search_sources(queries, library, state, runtime, left)
    bill.failures += collect_failures(answers)
    described = await library.load_documents(
        list({d for one in answers for d in (*one.documents, *(hit.document for hit in one.hits))})
    )
    relevant = await _load_spans(library, answers, described)
    evidence, found_sources = await add_evidence(state, library, relevant)
    pages = frontier.merge_pages(state["pages"], await _collect_pages(library, answers, described))
    gained = len(evidence) > len(state["evidence"]) or bool(_find_new_pages(state, pages))
    return {
        **record_step(
            runtime, state, bill, "search", _describe_outcome(state, queries, evidence, pages)
        ),
        "task_queue": advance_queue(state["task_queue"], "search", gained=gained),
        "queries": [*state["queries"], *(query.query for query in queries)],
        "evidence": evidence,
        "sources": found_sources,
        "pages": pages,
    }


async def _write_queries(
    state: DeepSearchState, runtime: Runtime[Context], bill: StepCost
) -> list[WantedQuery]:
    """What the model wants to ask, without what was asked before; the question itself first."""
    context, question = get_context(runtime), get_current_question(state)
    prompt = WriteQueriesPrompt(
        date=datetime.now(UTC).date().isoformat(),
        goal=state["question"],
        question=question,
        needs=state["choice"]["needs"],
        known=list_findings(state),
        tried=state["queries"],
    )
    made = await decide(
        bill,
        make_role(state, runtime, "searcher", context.planner_model),
        prompt,
        WantedQueries,
        compute_research_budget(state, context)["seconds"],
    )
    wanted = made.queries
    if not state["queries"]:
        wanted = [WantedQuery(query=question[:300]), *wanted]
    texts = [query.query for query in wanted]
    return [wanted[place] for place in await find_new(texts, state["queries"], get_embedder())]


async def _search_sources(
    queries: Sequence[WantedQuery],
    library: Library,
    state: DeepSearchState,
    runtime: Runtime[Context],
    left: Budget,
) -> list[ConnectorResult]:
    """Every query to every connector; those since a day apart, for a search has one of them."""
    context = get_context(runtime)
    request = make_request(state, runtime, library)
    seconds = min(context.search_seconds or get_settings().connector_seconds, left["seconds"])
    by_day: defaultdict[str, list[str]] = defaultdict(list)
    for query in queries:
        by_day[query.since].append(query.query)
    found: list[ConnectorResult] = []
    for date_text, texts in by_day.items():
        dated = replace(request, seconds=seconds, since=date_text)
        found += await search_connectors(runtime, texts, dated)
    return found


async def _load_spans(
    library: Library, answers: Iterable[ConnectorResult], described: dict[int, DocumentInfo]
) -> list[TextSpan]:
    """The best passages of each answer that stand in texts, not in excerpts of a search engine."""
    wanted = [
        hit.chunk
        for one in answers
        for hit in [h for h in one.hits if not described[h.document].excerpt][:PASSAGES_PER_ANSWER]
    ]
    passages = await library.load_passages(list(dict.fromkeys(wanted)))
    return [TextSpan(one.document, one.start, one.end, one.text) for one in passages.values()]


async def _collect_pages(
    library: Library, answers: Iterable[ConnectorResult], described: dict[int, DocumentInfo]
) -> list[Page]:
    """The pages that a search engine knows and this search has not read.

    Those that its run has read are among them: reading them again costs nothing, and they lead on.
    """
    found = [(one.question, described[d]) for one in answers for d in one.documents]
    unread = [(q, info) for q, info in found if (info.excerpt or info.connector == READER)]
    excerpts = await library.load_spans([(info.id, 0, EXCERPT_CHARACTERS) for _, info in unread])
    return [
        frontier.create_page(
            info.url,
            f"{info.title} · {text}",
            query=query,
            excerpt=info.id if info.excerpt else 0,
            day=info.published,
        )
        for (query, info), text in zip(unread, excerpts, strict=True)
    ]


def _find_new_pages(state: DeepSearchState, pages: Sequence[Page]) -> set[str]:
    """The pages that nothing led to before; a full list may have let others go for them."""
    known = {normalise_url(page["url"]) for page in state["pages"]}
    return {normalise_url(page["url"]) for page in pages} - known


def _describe_outcome(
    state: DeepSearchState,
    queries: Sequence[WantedQuery],
    evidence: Sequence[Any],
    pages: Sequence[Page],
) -> str:
    asked = ", ".join(f"“{query.query}”" for query in queries)
    more = len(_find_new_pages(state, pages))
    passages = len(evidence) - len(state["evidence"])
    return f"I searched for {asked}: {passages} new passages, {more} new pages to read."
