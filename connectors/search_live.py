"""Asking live connectors over the network: at once, within limits, again where that may help."""

import asyncio
import re
import time
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from langsmith import trace
from pydantic import TypeAdapter

from connectors.http.retries import call_with_retries
from connectors.protocol import LiveConnector
from library.journal import Journal
from retrieval.passages.pool import normalise_question
from schema.documents import Document
from schema.errors import ConnectorError, QuireError
from schema.gather import run_concurrently
from schema.turns import take_turn
from text.language import detect_language

_DATE = re.compile(r"\d{4}(?:-\d{2}){0,2}(?![\d-])")
"""A year, a month or a day, at the beginning of an ISO 8601 date."""

_DOCUMENTS = TypeAdapter(list[Document])

QUEUE_SECONDS = 120.0
"""Seconds that a question may wait for its turn at a connector, behind those of other runs."""

MAX_UNANSWERED = 2
"""Questions, or as many as it takes at once, that a connector may leave unanswered one after the
other; the rest of a fetch is then not asked."""


@dataclass(frozen=True)
class LiveSearchOptions:
    """What each connector is to return for each question.

    Args:
        limit: documents.
        since: see `LiveConnector.search` and `drop_older`.
        seconds: deadline of each question, retries included, from when it is sent.
    """

    limit: int
    since: str
    seconds: float


@dataclass(frozen=True)
class LiveResult:
    """What one live connector returned for one question, or the error that it ended in."""

    connector: LiveConnector
    question: str
    documents: list[Document]
    seconds: float
    error: ConnectorError | None = None


async def search_live(
    connectors: Sequence[LiveConnector],
    questions: Sequence[str],
    wanted: LiveSearchOptions,
    journal: Journal | None = None,
) -> list[LiveResult]:
    """Ask every connector every question; one result per pair, connector by connector.

    A question in a language that a connector does not know returns nothing and costs nothing, nor
    does one that is on record.

    Args:
        connectors: each with its own limits.
        questions: distinct questions.
        wanted: how much, and how long it may take.
        journal: the run's record.
    """
    asking = [_ConnectorSession(connector, wanted, journal) for connector in connectors]
    return await run_concurrently(one.search(question) for one in asking for question in questions)


def drop_older(documents: Iterable[Document], since: str) -> list[Document]:
    """Documents without those that are known to be published before an ISO day.

    A date is as precise as its source: a bare year or month counts as its last day. What has no
    date, or none of ISO 8601, stays.
    """
    return [one for one in documents if not _is_before(one.published, since)]


def _is_before(published: str, since: str) -> bool:
    known = _DATE.match(published)
    return known is not None and known[0] < since[: len(known[0])]


class _ConnectorSession:
    """One connector, for all questions of a fetch."""

    def __init__(
        self, connector: LiveConnector, wanted: LiveSearchOptions, journal: Journal | None
    ) -> None:
        self._connector = connector
        self._wanted = wanted
        self._journal = journal
        self._unanswered = 0  # one after the other

    async def search(self, question: str) -> LiveResult:
        connector = self._connector
        if connector.languages and detect_language(question) not in connector.languages:
            return LiveResult(connector, question, [], 0.0)
        started = time.perf_counter()
        documents: list[Document] = []
        error: ConnectorError | None = None
        try:
            documents = await self._search_recorded(question)
        except ConnectorError as failure:
            error = failure
        return LiveResult(connector, question, documents, time.perf_counter() - started, error)

    async def _search_recorded(self, question: str) -> list[Document]:
        """What the run has on record for a question, else what the connector returns for it."""
        if self._journal is None:
            return await self._search_in_turn(question)

        async def make() -> Any:
            return _DOCUMENTS.dump_python(await self._search_in_turn(question), mode="json")

        asked = f"search {self._connector.name} {self._wanted.since} {normalise_question(question)}"
        return _DOCUMENTS.validate_python(await self._journal.once(asked, make))

    async def _search_in_turn(self, question: str) -> list[Document]:
        """Ask when there is a place; the deadline begins then."""
        limits = self._connector.limits
        turn = take_turn(f"connector {self._connector.name}", limits.concurrency)
        async with AsyncExitStack() as turns:
            try:
                async with asyncio.timeout(QUEUE_SECONDS):
                    await turns.enter_async_context(turn)
            except TimeoutError:
                reason = f"it was not asked: others took all its places for {QUEUE_SECONDS:g} s"
                raise ConnectorError(reason, code="connector_busy") from None
            if self._unanswered >= max(MAX_UNANSWERED, limits.concurrency):
                reason = f"it was not asked: it left {self._unanswered} questions unanswered"
                raise ConnectorError(reason, code="connector_timeout")
            return await self._search_with_retries(question)

    async def _search_with_retries(self, question: str) -> list[Document]:
        """Ask within the deadline, again where that may help; the last error is raised."""
        connector, wanted = self._connector, self._wanted
        last_error: ConnectorError | None = None

        async def once(number: int) -> list[Document]:
            nonlocal last_error
            with trace(
                name=f"ask {connector.name}",
                run_type="retriever",
                inputs={"query": question, "limit": wanted.limit, "since": wanted.since},
                metadata={"attempt": number},
            ) as span:
                try:
                    documents = await _search_connector(connector, question, wanted)
                except ConnectorError as error:
                    last_error = error
                    raise
                span.end(outputs={"urls": [document.uri for document in documents]})
                return documents

        try:
            async with asyncio.timeout(wanted.seconds):
                found = await call_with_retries(
                    once, connector.limits.attempts, longest=wanted.seconds
                )
        except TimeoutError:
            self._unanswered += 1
            reason = f"it did not answer within {wanted.seconds:g} s"
            raise last_error or ConnectorError(reason, code="connector_timeout") from None
        self._unanswered = 0
        return found


async def _search_connector(
    connector: LiveConnector, question: str, wanted: LiveSearchOptions
) -> list[Document]:
    try:
        found = await connector.search(question, limit=wanted.limit, since=wanted.since)
    except (QuireError, TimeoutError):
        raise
    except Exception as error:  # one that breaks its promise still stops no other
        raise ConnectorError(f"it failed ({type(error).__name__})") from error
    return drop_older(found, wanted.since)[: wanted.limit]
