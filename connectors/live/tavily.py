"""`tavily`: web search with page texts, through Tavily's own client."""

import asyncio
from datetime import UTC, datetime
from typing import Any, Literal

from tavily import AsyncTavilyClient

from connectors.net import http
from connectors.net.http import base_url, client
from connectors.net.refusals import explained, unreadable
from connectors.protocol import Limits
from connectors.reading.dates import iso_date
from connectors.reading.web_results import page_or_excerpt
from schema.documents import Document
from schema.settings import variable

KEY = "TAVILY_API_KEY"
QUERY_CHARACTERS = 400  # Tavily refuses longer ones
RESULTS = 20


class Tavily:
    """Live web search, by Tavily's own client."""

    name = "tavily"
    kind: Literal["live"] = "live"
    reads = "the web, with the texts of its pages"
    document = "a page: its address, title, site and day of publication"
    needs = ("TAVILY_API_KEY or QUIRE_TAVILY_BASE_URL",)
    package = ""
    languages = ()
    limits = Limits(concurrency=12)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask Tavily; a result without its page's text becomes an excerpt."""
        url, key = base_url(self.name, "https://api.tavily.com"), variable(KEY)
        try:
            async with (
                asyncio.timeout(http.SECONDS),  # Tavily's own ends in an error that is no timeout
                client("Tavily", KEY, url) as web,
                AsyncTavilyClient(api_key=key, api_base_url=url, client=web) as tavily,
            ):
                answer = await tavily.search(
                    query[:QUERY_CHARACTERS],
                    max_results=min(limit, RESULTS),
                    include_raw_content="markdown",
                    start_date=since or None,
                )
        except Exception as error:  # noqa: BLE001  (`from None`: httpx quotes the key it refuses)
            raise explained("Tavily", KEY, error) from None
        results = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(results, list):
            raise unreadable("Tavily")
        now = datetime.now(UTC)
        return [document for result in results if (document := _document(result, now))]


def _document(result: Any, now: datetime) -> Document | None:
    if not isinstance(result, dict):
        return None
    page, snippet = str(result.get("raw_content") or ""), str(result.get("content") or "")
    published = iso_date(str(result.get("published_date") or ""))
    return page_or_excerpt(Tavily.name, result, page, snippet, published, now)
