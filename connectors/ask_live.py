"""Asking live connectors over the network: at once, within limits, again where that may help."""

import asyncio
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from langsmith import trace

from connectors.net.retries import retried
from connectors.protocol import LiveConnector
from retrieval.analysis import detect_language
from schema.documents import Document
from schema.errors import ConnectorError, QuireError
from schema.limits import slots
from schema.together import together

_DATE = re.compile(r"\d{4}(?:-\d{2}){0,2}(?![\d-])")
"""A year, a month or a day, at the beginning of an ISO 8601 date."""


@dataclass(frozen=True)
class Brought:
    """What one live connector brought for one question, or the error that it ended in."""

    connector: LiveConnector
    question: str
    documents: list[Document]
    seconds: float
    error: ConnectorError | None = None


async def ask_live(
    connectors: Sequence[LiveConnector],
    questions: Sequence[str],
    limit: int,
    since: str,
    seconds: float,
) -> list[Brought]:
    """Ask every connector every question; one result per pair, connector by connector.

    A question in a language that a connector does not know brings nothing and costs nothing.

    Args:
        connectors: each with its own limits.
        questions: distinct questions.
        limit: documents wanted for each.
        since: see `LiveConnector.search` and `not_before`.
        seconds: deadline for all of them together.
    """
    deadline = asyncio.get_running_loop().time() + seconds
    return await together(
        _ask(connector, question, limit, since, deadline, seconds)
        for connector in connectors
        for question in questions
    )


def not_before(documents: Iterable[Document], since: str) -> list[Document]:
    """Documents without those that are known to be published before an ISO day.

    A date is as precise as its source: a bare year or month counts as its last day. What has no
    date, or none of ISO 8601, is kept.
    """
    return [one for one in documents if not _before(one.published, since)]


def _before(published: str, since: str) -> bool:
    known = _DATE.match(published)
    return known is not None and known[0] < since[: len(known[0])]


async def _ask(
    connector: LiveConnector,
    question: str,
    limit: int,
    since: str,
    deadline: float,
    seconds: float,
) -> Brought:
    if connector.languages and detect_language(question) not in connector.languages:
        return Brought(connector, question, [], 0.0)
    started = time.perf_counter()
    documents: list[Document] = []
    error: ConnectorError | None = None
    try:
        async with asyncio.timeout_at(deadline):
            documents = await _within_limits(connector, question, limit, since, deadline)
    except ConnectorError as lost:
        error = lost
    except TimeoutError:
        reason = f"it did not answer within {seconds:g} s"
        error = ConnectorError(reason, code="connector_timeout")
    return Brought(connector, question, documents, time.perf_counter() - started, error)


async def _within_limits(
    connector: LiveConnector, question: str, limit: int, since: str, deadline: float
) -> list[Document]:
    async def once(number: int) -> list[Document]:
        with trace(
            name=f"ask {connector.name}",
            run_type="retriever",
            inputs={"query": question, "limit": limit, "since": since},
            metadata={"attempt": number},
        ) as span:
            documents = await _searched(connector, question, limit, since)
            span.end(outputs={"urls": [document.uri for document in documents]})
            return documents

    limits = connector.limits
    async with slots(f"connector {connector.name}", limits.concurrency):
        left = deadline - asyncio.get_running_loop().time()
        return await retried(once, limits.attempts, longest=left)


async def _searched(
    connector: LiveConnector, question: str, limit: int, since: str
) -> list[Document]:
    try:
        return not_before(await connector.search(question, limit=limit, since=since), since)[:limit]
    except (QuireError, TimeoutError):
        raise
    except Exception as error:  # one that breaks its promise still stops no other
        raise ConnectorError(f"it failed ({type(error).__name__})") from error
