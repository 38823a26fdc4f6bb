"""Asking connectors: every question to every connector at once, within limits that hold.

What live connectors find is brought together before it is stored: a page that several of them, or
several questions, found is one document, whatever order the answers came in. What a connector
cannot answer comes back as a code with its name and the question; it never stops the others.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace

from langsmith import trace

from connectors.ask_live import Brought, Wanted, ask_live
from connectors.found import Kept, earliest, keep_found
from connectors.protocol import Apart, Connector, IndexedConnector, LiveConnector
from connectors.registry import filters_of
from library.journal import Journal
from library.library import Library
from retrieval.pages import page_uri
from retrieval.pool import comparable, speaking
from schema.documents import Grade, Hit
from schema.report import Degraded
from schema.search import Filters, Found, SearchMode, SearchOptions, Step
from schema.settings import settings
from schema.together import together


@dataclass(frozen=True)
class Answered:
    """What one connector found for one question, without what does not speak of it."""

    connector: str
    question: str
    hits: list[Hit]
    seconds: float
    degraded: list[Degraded]
    grade: Grade = "weak"
    trace: list[Step] = field(default_factory=list)
    documents: tuple[int, ...] = ()
    """All that a live connector brought, best first, also what does not speak of the question."""


@dataclass(frozen=True)
class Search:
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
    """ISO day of the first publication wanted, or "" for any. Of what live connectors bring,
    documents without a date are kept; of the library they are left out, as `Filters.since` does."""

    @property
    def deadline(self) -> float:
        """Seconds."""
        return self.seconds or settings().connector_seconds


OnAnswer = Callable[[Answered], None]


async def ask_all(
    connectors: Sequence[Connector],
    questions: Sequence[str],
    search: Search,
    on_answer: OnAnswer = lambda _: None,
) -> list[Answered]:
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
    indexed = [one for one in held if await _has_something(one, search.library)]
    asking = [
        _ask_live(live, questions, search, on_answer),
        *(_ask_indexed(indexed, question, search, on_answer) for question in questions),
    ]
    answers = [answered for found in await together(asking) for answered in found]
    order = {connector.name: number for number, connector in enumerate(connectors)}
    asked = {question: number for number, question in enumerate(questions)}
    return sorted(answers, key=lambda one: (order[one.connector], asked[one.question]))


async def _ask_indexed(
    connectors: Sequence[IndexedConnector], question: str, search: Search, on_answer: OnAnswer
) -> list[Answered]:
    answers = await together(_ask_one(one, question, search, on_answer) for one in connectors)
    scaled = comparable([one.hits for one in answers])
    return [replace(one, hits=hits) for one, hits in zip(answers, scaled, strict=True)]


async def _ask_one(
    connector: IndexedConnector, question: str, search: Search, on_answer: OnAnswer
) -> Answered:
    started = time.perf_counter()
    filters = await asyncio.to_thread(filters_of, connector, search.paths)
    filters = replace(filters, since=max(filters.since, search.since))
    if isinstance(connector, Apart):
        filters = replace(filters, not_in=search.library.space)
        search = replace(search, library=search.library.part(connector.part))
    found = await _search_library(connector.name, question, search, filters, search.limit)
    answered = Answered(
        connector.name,
        question,
        speaking(found),
        round(time.perf_counter() - started, 3),
        found.degraded,
        found.grade,
        found.trace,
    )
    on_answer(answered)
    return answered


async def _ask_live(
    connectors: Sequence[LiveConnector],
    questions: Sequence[str],
    search: Search,
    on_answer: OnAnswer,
) -> list[Answered]:
    wanted = Wanted(search.limit, search.since, search.deadline)
    brought = await ask_live(connectors, questions, wanted, search.journal)
    since = await earliest(search.journal, fresh=search.fresh)
    pages = [page for one in brought for page in one.documents]
    kept = await keep_found(search.library, pages, since)
    by_question: defaultdict[str, list[Brought]] = defaultdict(list)
    for one in brought:
        by_question[one.question].append(one)
    answers = await together(
        _answers(question, found, kept, search) for question, found in by_question.items()
    )
    complete = [answered for one in answers for answered in one]
    for answered in complete:
        on_answer(answered)
    return complete


async def _answers(
    question: str, brought: Sequence[Brought], kept: Kept, search: Search
) -> list[Answered]:
    """One search of all that was brought for a question, and whose findings they were."""
    ids = kept.documents
    documents = {
        one.connector.name: tuple(
            dict.fromkeys(ids[uri] for page in one.documents if (uri := page_uri(page.uri)) in ids)
        )
        for one in brought
    }
    everything = set[int]().union(*documents.values())
    found = Found([])
    if everything:
        limit = search.limit * sum(bool(ids_) for ids_ in documents.values())
        found = await _search_kept("live", question, everything, kept.own, search, limit)
    spoken = speaking(found, chosen=True)
    return [_answered(one, documents[one.connector.name], found, spoken, search) for one in brought]


def _answered(
    one: Brought, documents: tuple[int, ...], found: Found, spoken: Sequence[Hit], search: Search
) -> Answered:
    name, seconds = one.connector.name, round(one.seconds, 3)
    if one.error:
        problem = _lost(name, one.question, one.error.code, str(one.error))
        return Answered(name, one.question, [], seconds, [problem])
    if not documents:
        return Answered(name, one.question, [], seconds, [])
    hits = _first([hit for hit in spoken if hit.document in documents], search)
    mine = replace(found, hits=[hit for hit in found.hits if hit.document in documents])
    return Answered(
        name, one.question, hits, seconds, found.degraded, mine.grade, found.trace, documents
    )


def _first(hits: Sequence[Hit], search: Search) -> list[Hit]:
    """As many passages, or passages of as many documents, as one connector may bring."""
    if search.mode == "chunks":
        return list(hits[: search.limit])
    wanted = list(dict.fromkeys(hit.document for hit in hits))[: search.limit]
    return [hit for hit in hits if hit.document in wanted]


async def search_kept(name: str, question: str, kept: Kept, search: Search) -> Answered:
    """What pages that were chosen for it say of a question; `name` found them."""
    started = time.perf_counter()
    documents = set(kept.documents.values())
    found = await _search_kept(name, question, documents, kept.own, search, search.limit)
    return Answered(
        name,
        question,
        speaking(found, chosen=True),
        round(time.perf_counter() - started, 3),
        found.degraded,
        found.grade,
        found.trace,
    )


async def _search_kept(
    name: str,
    question: str,
    documents: Set[int],
    own: Set[int],
    search: Search,
    limit: int,
) -> Found:
    """Search pages where they are kept: most of them in the part for them."""
    places = ((search.library.part("web"), documents - own), (search.library, documents & own))
    found = [
        await _search_library(
            name, question, replace(search, library=place), Filters(documents=sorted(ids)), limit
        )
        for place, ids in places
        if ids
    ]
    return Found(
        sorted((hit for one in found for hit in one.hits), key=lambda hit: -hit.score),
        [problem for one in found for problem in one.degraded],
        [step for one in found for step in one.trace],
        max(one.covered for one in found),
    )


async def _has_something(connector: IndexedConnector, library: Library) -> bool:
    """Whether there is anything to ask: most libraries hold nothing that was found on the web."""
    if not isinstance(connector, Apart):
        return True
    documents, _ = await library.part(connector.part).count()
    return documents > 0


async def _search_library(
    name: str, question: str, search: Search, filters: Filters, limit: int
) -> Found:
    with trace(name=f"search {name}", run_type="retriever", inputs={"query": question}) as span:
        options = SearchOptions(
            limit=limit, filters=filters, mode=search.mode, hierarchy=search.hierarchy
        )
        try:
            async with asyncio.timeout(search.deadline):
                found = await search.library.search(question, options)
        except TimeoutError:
            reason = f"it did not answer within {search.deadline:g} s"
            found = Found([], [_lost(name, question, "connector_timeout", reason)])
        span.end(outputs={"passages": [hit.chunk for hit in found.hits]})
        return found


def _lost(name: str, question: str, code: str, reason: str) -> Degraded:
    detail = f"{name}, asked “{question[:200]}”: {reason}"
    return Degraded(code=code, detail=detail if detail.endswith(".") else f"{detail}.")
