"""`url_reachable`: whether a web address still answers. No body is read."""

from datetime import UTC, datetime

import httpx

from connectors.http.safe_client import WebError, make_safe_client
from connectors.resolvers.protocol import Cost, Resolution, Resolver
from library.library import Library
from schema.errors import ResolverError
from schema.report import LinkState

SECONDS = 4.0
"""Deadline of each of the two requests, redirects included."""

CERTAIN = 1.0  # 404, 410, or the name does not exist
PROBABLE = 0.9  # an answer below 400: some servers send such for pages that they no longer have
EVEN = 0.5  # 5xx, or the connection failed: it may pass
DOUBTFUL = 0.2  # any other 4xx, or no answer in time: the page may well be there for others

FORBIDDEN = (401, 402, 403, 407, 451)

NAMES = "the name service"
NETWORK = "the network"


class UrlReachable(Resolver):
    """Asks for the head of the page, and where that does not go well for the page."""

    id = "url_reachable"
    cost: Cost = "free"
    backend = "HTTP"

    async def resolve(self, value: str, library: Library | None = None) -> Resolution:  # noqa: ARG002
        """Whether there is a page, as True or False; `detail` is a `schema.report.LinkState`.

        `source` is the address in the end.
        """
        async with make_safe_client(SECONDS) as client:
            answer = await _request(client, "HEAD", value)
            if _may_differ_for_get(answer):
                answer = await _request(client, "GET", value)
        state, confidence, source = _classify(answer)
        return Resolution(
            value=state == "answers",
            confidence=confidence,
            source=source,
            fetched_at=datetime.now(UTC),
            detail=state,
        )


def answered(found: Resolution) -> bool:
    """Whether a server answered at all, be it with an error."""
    return found.source not in (NAMES, NETWORK)


async def _request(client: httpx.AsyncClient, method: str, url: str) -> httpx.Response | WebError:
    try:
        async with client.stream(method, url) as response:  # leaving it drops the body unread
            return response
    except WebError as error:
        if error.kind == "refused":
            raise ResolverError("refused", f"The address is not asked: {error}.") from error
        return error


def _may_differ_for_get(answer: httpx.Response | WebError) -> bool:
    """Some servers know no HEAD, and say 403, 404, 405 or 501, or nothing."""
    if isinstance(answer, WebError):
        return answer.kind != "no host"
    return answer.status_code >= 400 and answer.status_code != 429


def _classify(answer: httpx.Response | WebError) -> tuple[LinkState, float, str]:
    if isinstance(answer, WebError):
        if answer.kind == "no host":
            return "no host", CERTAIN, NAMES
        silent = answer.kind == "timeout"
        return ("timed out", DOUBTFUL, NETWORK) if silent else ("unreachable", EVEN, NETWORK)
    status, source = answer.status_code, str(answer.url)
    if status < 400:
        return "answers", PROBABLE, source
    if status in (404, 410):
        return "gone", CERTAIN, source
    if status >= 500:
        return "failing", EVEN, source
    return "forbidden" if status in FORBIDDEN else "refused", DOUBTFUL, source
