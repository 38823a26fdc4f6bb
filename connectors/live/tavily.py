"""`tavily`: web search with page texts, through Tavily's own client."""

import asyncio
from typing import Any

from tavily import AsyncTavilyClient

from connectors.files.search_results import build_result_document
from connectors.http import client as http
from connectors.http.client import base_url, make_client
from connectors.http.errors import bad_response_error, to_connector_error
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.settings import read_variable

KEY = "TAVILY_API_KEY"
QUERY_CHARACTERS = 400  # Tavily refuses longer ones
MAX_RESULTS = 20


class Tavily(LiveConnector):
    """Live web search, by Tavily's own client."""

    name = "tavily"
    description = "the web, with the texts of its pages"
    document_description = "a page: its address, title, site and date of publication"
    required_variables = ("TAVILY_API_KEY or QUIRE_TAVILY_BASE_URL",)
    limits = Limits(concurrency=12)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask Tavily; a result without its page's text becomes an excerpt."""
        url, key = base_url(self.name, "https://api.tavily.com"), read_variable(KEY)
        try:
            async with (
                asyncio.timeout(http.SECONDS),  # Tavily's own ends in an error that is no timeout
                make_client("Tavily", KEY, url) as web,
                AsyncTavilyClient(api_key=key, api_base_url=url, client=web) as tavily,
            ):
                answer = await tavily.search(
                    query[:QUERY_CHARACTERS],
                    max_results=min(limit, MAX_RESULTS),
                    include_raw_content="markdown",
                    start_date=since or None,
                )
        except Exception as error:  # noqa: BLE001  (`from None`: httpx quotes the key it refuses)
            raise to_connector_error("Tavily", KEY, error) from None
        results = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(results, list):
            raise bad_response_error("Tavily")
        return [document for result in results if (document := _parse_result(result))]


def _parse_result(result: Any) -> Document | None:
    if not isinstance(result, dict):
        return None
    page, excerpt = str(result.get("raw_content") or ""), str(result.get("content") or "")
    published = str(result.get("published_date") or "")
    return build_result_document(Tavily.name, result, excerpt, page=page, published=published)
