"""Asking connectors: every question to every connector at once, within limits that hold.

What live connectors return is merged before it is stored: a page that several of them, or
several questions, found is one document, whatever order the answers came in. What a connector
cannot answer comes back as a code with its name and the question; it never stops the others.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace

from langsmith import trace

from connectors.protocol import Connector, IndexedConnector, LiveConnector, PartConnector
from connectors.registry import build_filters
from connectors.search_live import LiveResult, LiveSearchOptions, search_live
from connectors.web_cache import SavedPages, find_cutoff, save_pages
from library.journal import Journal
from library.library import Library
from retrieval.passages.pool import make_scores_comparable, select_relevant_hits
from retrieval.web.canonical_url import normalise_url
from schema.documents import Grade, Hit
from schema.gather import run_concurrently
from schema.report import Degradation
from schema.search import Filters, SearchMode, SearchOptions, SearchResult, Step
from schema.settings import get_settings


@dataclass(frozen=True)
class ConnectorResult:
    """What one connector found for one question, without what is irrelevant to it."""

    connector: str
    question: str
    hits: list[Hit]
    seconds: float
    degraded: list[Degradation]
    grade: Grade = "weak"
    trace: list[Step] = field(default_factory=list)
    documents: tuple[int, ...] = ()
    """All that a live connector returned, best first, irrelevant documents too."""


@dataclass(frozen=True)
class SearchRequest:
    """What all questions of one fetch share."""

    library: Library
    limit: int
    mode: SearchMode = "chunks"
    paths: tuple[str, ...] = ()
    hierarchy: bool = False
    seconds: float | None = None
    """Deadline of each question to a connector, from when it is sent; the installation's where
    None."""
    journal: Journal | None = None
    """The run's record: what a live connector was asked before in this run is not asked again."""
    fresh: bool = False
    """Whether pages of the web that earlier runs found do not count."""
    since: str = ""
    """ISO day of the first publication wanted, or "" for any. Of what live connectors return,
    documents without a date stay; of the library they are left out, as `Filters.since` does."""

    @property
    def deadline(self) -> float:
        """Seconds."""
        return self.seconds or get_settings().connector_seconds


OnResult = Callable[[ConnectorResult], None]


async def search_all(
    connectors: Sequence[Connector],
    questions: Sequence[str],
    search: SearchRequest,
    on_answer: OnResult = lambda _: None,
) -> list[ConnectorResult]:
    """Ask every connector every question.

    Args:
        connectors: each has its own limits.
        questions: distinct questions.
        search: the library and the limits.
        on_answer: called as each answer is complete.

    Returns:
        One answer per pair, connector by connector; a part of the library that is empty is not
        asked.
    """
    live = [one for one in connectors if isinstance(one, LiveConnector)]
    held = [one for one in connectors if not isinstance(one, LiveConnector)]
    indexed = [one for one in held if await _has_documents(one, search.library)]
    asking = [
        _search_live(live, questions, search, on_answer),
        *(_search_indexed(indexed, question, search, on_answer) for question in questions),
    ]
    answers = [answered for found in await run_concurrently(asking) for answered in found]
    order = {connector.name: number for number, connector in enumerate(connectors)}
    asked = {question: number for number, question in enumerate(questions)}
    return sorted(answers, key=lambda one: (order[one.connector], asked[one.question]))


async def _search_indexed(
    connectors: Sequence[IndexedConnector],
    question: str,
    search: SearchRequest,
    on_answer: OnResult,
) -> list[ConnectorResult]:
    answers = await run_concurrently(
        _search_one(one, question, search, on_answer) for one in connectors
    )
    scaled = make_scores_comparable([one.hits for one in answers])
    return [replace(one, hits=hits) for one, hits in zip(answers, scaled, strict=True)]


async def _search_one(
    connector: IndexedConnector, question: str, search: SearchRequest, on_answer: OnResult
) -> ConnectorResult:
    started = time.perf_counter()
    filters = await asyncio.to_thread(build_filters, connector, search.paths)
    filters = replace(filters, since=max(filters.since, search.since))
    if isinstance(connector, PartConnector):
        filters = replace(filters, not_in=search.library.space)
        search = replace(search, library=search.library.open_part(connector.part))
    found = await _search_library(connector.name, question, search, filters, search.limit)
    answered = _wrap_result(connector.name, question, found, started)
    on_answer(answered)
    return answered


async def _search_live(
    connectors: Sequence[LiveConnector],
    questions: Sequence[str],
    search: SearchRequest,
    on_answer: OnResult,
) -> list[ConnectorResult]:
    wanted = LiveSearchOptions(search.limit, search.since, search.deadline)
    live_results = await search_live(connectors, questions, wanted, search.journal)
    since = await find_cutoff(search.journal, fresh=search.fresh)
    pages = [page for one in live_results for page in one.documents]
    saved = await save_pages(search.library, pages, since)
    by_question: defaultdict[str, list[LiveResult]] = defaultdict(list)
    for one in live_results:
        by_question[one.question].append(one)
    answers = await run_concurrently(
        _search_question(question, found, saved, search) for question, found in by_question.items()
    )
    complete = [answered for one in answers for answered in one]
    for answered in complete:
        on_answer(answered)
    return complete


async def _search_question(
    question: str, live_results: Sequence[LiveResult], saved: SavedPages, search: SearchRequest
) -> list[ConnectorResult]:
    """One search of all that was returned for a question, and which connector returned each."""
    ids = saved.documents
    documents = {
        one.connector.name: tuple(
            dict.fromkeys(
                ids[uri] for page in one.documents if (uri := normalise_url(page.uri)) in ids
            )
        )
        for one in live_results
    }
    everything = set[int]().union(*documents.values())
    found = SearchResult([])
    if everything:
        limit = search.limit * sum(bool(ids_) for ids_ in documents.values())
        found = await _search_saved("live", question, everything, saved.own, search, limit)
    spoken = select_relevant_hits(found, chosen=True)
    return [
        _build_result(one, documents[one.connector.name], found, spoken, search)
        for one in live_results
    ]


def _build_result(
    one: LiveResult,
    documents: tuple[int, ...],
    found: SearchResult,
    spoken: Sequence[Hit],
    search: SearchRequest,
) -> ConnectorResult:
    name, seconds = one.connector.name, round(one.seconds, 3)
    if one.error:
        problem = _describe_failure(name, one.question, one.error.code, str(one.error))
        return ConnectorResult(name, one.question, [], seconds, [problem])
    if not documents:
        return ConnectorResult(name, one.question, [], seconds, [])
    hits = _limit_hits([hit for hit in spoken if hit.document in documents], search)
    mine = replace(found, hits=[hit for hit in found.hits if hit.document in documents])
    return ConnectorResult(
        name, one.question, hits, seconds, found.degraded, mine.grade, found.trace, documents
    )


def _limit_hits(hits: Sequence[Hit], search: SearchRequest) -> list[Hit]:
    """As many passages, or passages of as many documents, as one connector may return."""
    if search.mode == "chunks":
        return list(hits[: search.limit])
    wanted = list(dict.fromkeys(hit.document for hit in hits))[: search.limit]
    return [hit for hit in hits if hit.document in wanted]


async def search_pages(
    name: str, question: str, saved: SavedPages, search: SearchRequest
) -> ConnectorResult:
    """What pages that were chosen for it say of a question; `name` found them."""
    started = time.perf_counter()
    documents = set(saved.documents.values())
    found = await _search_saved(name, question, documents, saved.own, search, search.limit)
    return _wrap_result(name, question, found, started, chosen=True)


def _wrap_result(
    name: str, question: str, found: SearchResult, started: float, *, chosen: bool = False
) -> ConnectorResult:
    hits, seconds = select_relevant_hits(found, chosen=chosen), time.perf_counter() - started
    return ConnectorResult(
        name, question, hits, round(seconds, 3), found.degraded, found.grade, found.trace
    )


async def _search_saved(
    name: str,
    question: str,
    documents: Set[int],
    own: Set[int],
    search: SearchRequest,
    limit: int,
) -> SearchResult:
    """Search pages where they are stored: most of them in the part for them."""
    places = ((search.library.open_part("web"), documents - own), (search.library, documents & own))
    found = [
        await _search_library(
            name, question, replace(search, library=place), Filters(documents=sorted(ids)), limit
        )
        for place, ids in places
        if ids
    ]
    return SearchResult(
        sorted((hit for one in found for hit in one.hits), key=lambda hit: -hit.score),
        [problem for one in found for problem in one.degraded],
        [step for one in found for step in one.trace],
        max(one.coverage for one in found),
    )


async def _has_documents(connector: IndexedConnector, library: Library) -> bool:
    """Whether there is anything to ask: most libraries hold nothing that was found on the web."""
    if not isinstance(connector, PartConnector):
        return True
    documents, _ = await library.open_part(connector.part).count()
    return documents > 0


async def _search_library(
    name: str, question: str, search: SearchRequest, filters: Filters, limit: int
) -> SearchResult:
    with trace(name=f"search {name}", run_type="retriever", inputs={"query": question}) as span:
        options = SearchOptions(
            limit=limit, filters=filters, mode=search.mode, hierarchy=search.hierarchy
        )
        try:
            async with asyncio.timeout(search.deadline):
                found = await search.library.search(question, options)
        except TimeoutError:
            reason = f"it did not answer within {search.deadline:g} s"
            found = SearchResult(
                [], [_describe_failure(name, question, "connector_timeout", reason)]
            )
        span.end(outputs={"passages": [hit.chunk for hit in found.hits]})
        return found


def _describe_failure(name: str, question: str, code: str, reason: str) -> Degradation:
    detail = f"{name}, asked “{question[:200]}”: {reason}"
    return Degradation(code=code, detail=detail if detail.endswith(".") else f"{detail}.")
