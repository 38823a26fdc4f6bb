"""Search: a few complementary queries, none that was made before, to every source at once."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime

from connectors.ask import Answered, Search, ask_all
from connectors.reader import NAME as READER
from connectors.registry import chosen
from library.library import Library
from models.embeddings import embedder
from nodes.deep_search.desk import Bill, Spoken, at_hand, decided, kept, left_for_research, told
from nodes.deep_search.novelty import novel
from nodes.run import context_of, journal_of, library_of, role_of
from nodes.searching import announce, lost
from prompts.template import fence, items
from prompts.write_queries import WRITE_QUERIES
from retrieval import leads
from retrieval.agenda import after
from retrieval.pages import page_uri
from schema.context import Context
from schema.deep_search import Budget, DeepSearchState, Page, WantedQueries, WantedQuery
from schema.documents import DocumentInfo
from schema.settings import settings

PASSAGES = 6
"""Of one answer that are kept."""

EXCERPT = 300
"""Characters of a page that was not read, shown of it."""


async def search(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Ask the sources; passages become evidence, pages that are known by an excerpt wait."""
    context, bill = context_of(runtime), Bill()
    library, question = await library_of(runtime), at_hand(state)
    left = left_for_research(state, context)
    queries = (await _new_queries(state, runtime, bill))[: left["searches"]]
    if not queries:
        agenda = after(state["agenda"], "search", gained=False)
        said = f"I had nothing to ask about “{question}” that was not asked before."
        exhausted = [*state["exhausted"], question]
        return {
            **told(runtime, state, bill, "search", said),
            "agenda": agenda,
            "exhausted": exhausted,
        }
    bill.searches = len(queries)
    answers = await _answers(queries, library, state, runtime, left)
    bill.lost += lost(answers)
    described = await library.documents(
        list({d for one in answers for d in (*one.documents, *(hit.document for hit in one.hits))})
    )
    spoken = await _spoken(library, answers, described)
    evidence, found_sources = await kept(state, library, spoken)
    pages = leads.joined(state["pages"], await _leads(library, answers, described))
    gained = len(evidence) > len(state["evidence"]) or bool(_more(state, pages))
    return {
        **told(runtime, state, bill, "search", _outcome(state, queries, evidence, pages)),
        "agenda": after(state["agenda"], "search", gained=gained),
        "queries": [*state["queries"], *(query.query for query in queries)],
        "evidence": evidence,
        "sources": found_sources,
        "pages": pages,
    }


async def _new_queries(
    state: DeepSearchState, runtime: Runtime[Context], bill: Bill
) -> list[WantedQuery]:
    """What the model wants to ask, without what was asked before; the question itself first."""
    context, question = context_of(runtime), at_hand(state)
    messages = WRITE_QUERIES.render(
        date=datetime.now(UTC).date().isoformat(),
        goal=fence(state["question"]),
        question=fence(question),
        needs=items(state["choice"]["needs"]),
        known=items(f"{one['question']} {one['text']}" for one in state["findings"]),
        tried=items(state["queries"]),
    )
    made = await decided(
        bill,
        role_of(state, runtime, "searcher", context.planner_model),
        WRITE_QUERIES.name,
        messages,
        WantedQueries,
        left_for_research(state, context)["seconds"],
    )
    wanted = made.queries
    if not state["queries"]:
        wanted = [WantedQuery(query=question[:300]), *wanted]
    texts = [query.query for query in wanted]
    return [wanted[place] for place in await novel(texts, state["queries"], embedder())]


async def _answers(
    queries: Sequence[WantedQuery],
    library: Library,
    state: DeepSearchState,
    runtime: Runtime[Context],
    left: Budget,
) -> list[Answered]:
    """Every query to every connector; those since a day apart, for a search has one of them."""
    context = context_of(runtime)
    connectors = chosen(context.connectors, paths=bool(context.paths), fresh=context.fresh)
    seconds = min(context.search_seconds or settings().connector_seconds, left["seconds"])
    by_day: defaultdict[str, list[str]] = defaultdict(list)
    for query in queries:
        by_day[query.since].append(query.query)
    found: list[Answered] = []
    for day, texts in by_day.items():
        asked = Search(
            library,
            context.passages_per_question,
            context.search_mode,
            tuple(context.paths),
            context.hierarchy,
            seconds,
            since=day,
            journal=journal_of(state, runtime),
            fresh=context.fresh,
        )
        found += await ask_all(connectors, texts, asked, lambda one: announce(runtime, one))
    return found


async def _spoken(
    library: Library, answers: Iterable[Answered], described: dict[int, DocumentInfo]
) -> list[Spoken]:
    """The best passages of each answer that stand in texts, not in excerpts of a search engine."""
    wanted = [
        hit.chunk
        for one in answers
        for hit in [h for h in one.hits if not described[h.document].excerpt][:PASSAGES]
    ]
    passages = await library.passages(list(dict.fromkeys(wanted)))
    return [Spoken(one.document, one.start, one.end, one.text) for one in passages.values()]


async def _leads(
    library: Library, answers: Iterable[Answered], described: dict[int, DocumentInfo]
) -> list[Page]:
    """The pages that a search engine knows and this search has not read.

    Those that its run has read are among them: reading them again costs nothing, and they lead on.
    """
    found = [(one.question, described[d]) for one in answers for d in one.documents]
    unread = [(q, info) for q, info in found if (info.excerpt or info.connector == READER)]
    excerpts = await library.spans([(info.id, 0, EXCERPT) for _, info in unread])
    return [
        leads.found(
            info.url,
            f"{info.title} · {text}",
            query=query,
            excerpt=info.id if info.excerpt else 0,
            day=info.published,
        )
        for (query, info), text in zip(unread, excerpts, strict=True)
    ]


def _more(state: DeepSearchState, pages: Sequence[Page]) -> set[str]:
    """The pages that nothing led to before; a full list may have let others go for them."""
    known = {page_uri(page["url"]) for page in state["pages"]}
    return {page_uri(page["url"]) for page in pages} - known


def _outcome(
    state: DeepSearchState,
    queries: Sequence[WantedQuery],
    evidence: Sequence[Any],
    pages: Sequence[Page],
) -> str:
    asked = ", ".join(f"“{query.query}”" for query in queries)
    more = len(_more(state, pages))
    passages = len(evidence) - len(state["evidence"])
    return f"I searched for {asked}: {passages} new passages, {more} new pages to read."
