"""Asking connectors: every question to every connector at once, within limits that hold.

What a connector cannot answer comes back as a code with its name and the question; it never stops
the others, and a connector that hangs costs its deadline once, not once a question.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from langsmith import trace
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from connectors.protocol import Connector, LiveConnector
from library.library import Library
from retrieval.pool import speaking
from schema.documents import Document, Grade, Hit
from schema.errors import ConnectorError, QuireError
from schema.limits import slots
from schema.report import Degraded
from schema.search import Filters, Found, SearchMode, SearchOptions, Step
from schema.settings import settings


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


@dataclass(frozen=True)
class Search:
    """What all questions of one fetch share."""

    library: Library
    limit: int
    mode: SearchMode = "chunks"
    paths: tuple[str, ...] = ()
    hierarchy: bool = False
    seconds: float | None = None
    """Deadline for all that one connector is asked; the installation's where None."""


async def ask_all(
    connectors: Sequence[Connector],
    questions: Sequence[str],
    search: Search,
    on_answer: Callable[[Answered], None] = lambda _: None,
) -> list[Answered]:
    """Ask every connector every question.

    Args:
        connectors: each has its own concurrency and tries, and the deadline, counted from now,
            for all that it is asked here.
        questions: distinct questions.
        search: the library and the limits.
        on_answer: called as each answer arrives.

    Returns:
        One answer per pair, connector by connector.
    """
    seconds = search.seconds or settings().connector_seconds
    deadline = asyncio.get_running_loop().time() + seconds

    async def one(connector: Connector, question: str) -> Answered:
        answered = await _ask(connector, question, search, deadline, seconds)
        on_answer(answered)
        return answered

    tasks = [asyncio.create_task(one(c, q)) for c in connectors for q in questions]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:  # gather leaves the others running when one fails
            task.cancel()


async def _ask(
    connector: Connector, question: str, search: Search, deadline: float, seconds: float
) -> Answered:
    started = time.perf_counter()
    try:
        async with asyncio.timeout_at(deadline):
            found = await _find(connector, question, search)
    except ConnectorError as error:
        found = _lost(connector.name, question, error.code, str(error))
    except TimeoutError:
        reason = f"it did not answer within {seconds:g} s"
        found = _lost(connector.name, question, "connector_timeout", reason)
    taken = round(time.perf_counter() - started, 3)
    hits = speaking(found, chosen=connector.kind == "live")
    return Answered(connector.name, question, hits, taken, found.degraded, found.grade, found.trace)


async def _find(connector: Connector, question: str, search: Search) -> Found:
    if isinstance(connector, LiveConnector):
        async with slots(f"connector {connector.name}", connector.concurrency):
            documents = await _search_live(connector, question, search.limit)
        stored = await search.library.store(documents) if documents else []
        if not stored:
            return Found([])
        filters = Filters(documents=[one.document for one in stored])
    else:
        filters = await asyncio.to_thread(connector.filters, search.paths)  # it resolves paths
    return await _search_library(connector.name, question, search, filters)


async def _search_library(name: str, question: str, search: Search, filters: Filters) -> Found:
    with trace(name=f"search {name}", run_type="retriever", inputs={"query": question}) as span:
        options = SearchOptions(
            limit=search.limit, filters=filters, mode=search.mode, hierarchy=search.hierarchy
        )
        found = await search.library.search(question, options)
        span.end(outputs={"passages": [hit.chunk for hit in found.hits]})
        return found


async def _search_live(connector: LiveConnector, question: str, limit: int) -> list[Document]:
    async for attempt in AsyncRetrying(
        stop=stop_after_attempt(connector.attempts),
        wait=wait_random_exponential(multiplier=0.2, max=3),
        retry=retry_if_exception(lambda e: isinstance(e, ConnectorError) and e.passing),
        reraise=True,
    ):
        number = attempt.retry_state.attempt_number
        with (
            attempt,
            trace(
                name=f"ask {connector.name}",
                run_type="retriever",
                inputs={"query": question, "limit": limit},
                metadata={"attempt": number},
            ) as span,
        ):
            documents = await _searched(connector, question, limit)
            span.end(outputs={"urls": [document.uri for document in documents]})
            return documents
    raise AssertionError("unreachable: the last attempt returns or raises")


async def _searched(connector: LiveConnector, question: str, limit: int) -> list[Document]:
    try:
        return await connector.search(question, limit=limit)
    except (QuireError, TimeoutError):
        raise
    except Exception as error:  # one that breaks its promise still stops no other
        raise ConnectorError(f"it failed ({type(error).__name__})") from error


def _lost(name: str, question: str, code: str, reason: str) -> Found:
    detail = f"{name}, asked “{question[:200]}”: {reason}"
    return Found([], [Degraded(code=code, detail=detail if detail.endswith(".") else f"{detail}.")])
