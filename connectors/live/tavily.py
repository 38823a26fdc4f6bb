"""`tavily`: web search with page texts, by Tavily's search API."""

from typing import Any

from connectors.files.search_results import build_result_document, parse_results
from connectors.http.client import Api, base_url
from connectors.json_fields import get_string
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document

KEY = "TAVILY_API_KEY"
QUERY_CHARACTERS = 400  # Tavily refuses longer ones
MAX_RESULTS = 20


class Tavily(LiveConnector):
    """Live web search. A result without its page's text is an excerpt."""

    name = "tavily"
    description = "the web, with the texts of its pages"
    document_description = "a page: its address, title, site and date of publication"
    required_variables = ("TAVILY_API_KEY or QUIRE_TAVILY_BASE_URL",)
    limits = Limits(concurrency=12)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask Tavily for up to 20 pages."""
        body = {
            "query": query[:QUERY_CHARACTERS],
            "max_results": min(limit, MAX_RESULTS),
            "include_raw_content": "markdown",
            **({"start_date": since} if since else {}),
        }
        url = base_url(self.name, "https://api.tavily.com")
        async with Api("Tavily", url, key=KEY, bearer=True) as api:
            answer = await api.post("/search", body)
        return parse_results("Tavily", answer.get("results"), _parse_result)


def _parse_result(result: dict[str, Any]) -> Document | None:
    page, excerpt = get_string(result, "raw_content"), get_string(result, "content")
    published = get_string(result, "published_date")
    return build_result_document(Tavily.name, result, excerpt, page=page, published=published)
