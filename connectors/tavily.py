"""`tavily`: web search with page texts, through Tavily's own client."""

from datetime import UTC, datetime
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx
from tavily import AsyncTavilyClient
from tavily.errors import ForbiddenError, InvalidAPIKeyError, UsageLimitExceededError
from tavily.errors import TimeoutError as TavilyTimeoutError

from connectors.dates import iso_date
from schema.documents import Document
from schema.errors import ConnectorError
from schema.settings import settings

QUERY_CHARACTERS = 400  # Tavily refuses longer ones
RESULTS = 20


class Tavily:
    """Live web search. Needs TAVILY_API_KEY, or QUIRE_TAVILY_BASE_URL of a server without one."""

    name = "tavily"
    kind: Literal["live"] = "live"
    concurrency = 8
    attempts = 3

    def missing(self) -> str:
        """Whether there is a key or a server of one's own."""
        here = settings()
        return "" if here.tavily_api_key or here.tavily_base_url else "set TAVILY_API_KEY."

    async def search(self, query: str, *, limit: int) -> list[Document]:
        """Ask Tavily; a result without its page's text becomes an excerpt."""
        here = settings()
        key = here.tavily_api_key.get_secret_value() if here.tavily_api_key else None
        try:
            async with AsyncTavilyClient(api_key=key, api_base_url=here.tavily_base_url) as client:
                answer = await client.search(
                    query[:QUERY_CHARACTERS],
                    max_results=min(limit, RESULTS),
                    include_raw_content="markdown",
                    timeout=here.connector_seconds,
                )
        except Exception as error:  # noqa: BLE001  (`from None`: httpx quotes the key it refuses)
            raise _explained(error) from None
        results = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(results, list):
            raise ConnectorError("Tavily's answer could not be read")
        now = datetime.now(UTC)
        return [document for result in results if (document := _document(result, now))]


def _document(result: Any, now: datetime) -> Document | None:
    if not isinstance(result, dict):
        return None
    url = str(result.get("url") or "")
    page, snippet = str(result.get("raw_content") or ""), str(result.get("content") or "")
    text = page if page.strip() else snippet
    if not _host(url) or not text.strip():
        return None
    return Document(
        uri=url,
        url=url,
        text=text,
        connector=Tavily.name,
        title=str(result.get("title") or ""),
        site=_host(url),
        published=iso_date(str(result.get("published_date") or "")),
        fetched=now,
        excerpt=not page.strip(),
    )


def _host(url: str) -> str:
    """The host of a web address; "" for anything else."""
    if not url.startswith(("http://", "https://")) or not url.isprintable():
        return ""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _explained(error: Exception) -> ConnectorError:
    if isinstance(error, InvalidAPIKeyError):
        return ConnectorError("Tavily refused the key: check TAVILY_API_KEY", code="connector_key")
    if isinstance(error, UnicodeEncodeError | httpx.LocalProtocolError):
        message = "TAVILY_API_KEY holds characters that no key has: set it again"
        return ConnectorError(message, code="connector_key")
    if isinstance(error, UsageLimitExceededError):
        return ConnectorError("Tavily's rate limit was hit", code="connector_limit", passing=True)
    if isinstance(error, ForbiddenError):
        return ConnectorError("Tavily's plan or quota does not allow this search")
    if isinstance(error, TavilyTimeoutError | httpx.TimeoutException):
        return ConnectorError("Tavily did not answer in time", code="connector_timeout")
    if isinstance(error, httpx.HTTPStatusError):
        status = error.response.status_code
        return ConnectorError(f"Tavily answered HTTP {status}", passing=status >= 500)
    if isinstance(error, httpx.TransportError):
        return ConnectorError("Tavily could not be reached", passing=True)
    return ConnectorError(f"Tavily's answer could not be used ({type(error).__name__})")
