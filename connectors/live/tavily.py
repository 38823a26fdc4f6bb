"""`tavily`: web search with page texts, through Tavily's own client."""

import asyncio
from typing import Any

from tavily import AsyncTavilyClient

from connectors.files.search_results import build_result_document, parse_results
from connectors.http import client as http
from connectors.http.client import base_url, make_raising_client
from connectors.http.errors import to_connector_error
from connectors.json_fields import get_fields, get_string
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
                make_raising_client("Tavily", KEY, url) as web,
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
        return parse_results("Tavily", get_fields(answer).get("results"), _parse_result)


def _parse_result(result: dict[str, Any]) -> Document | None:
    page, excerpt = get_string(result, "raw_content"), get_string(result, "content")
    published = get_string(result, "published_date")
    return build_result_document(Tavily.name, result, excerpt, page=page, published=published)
