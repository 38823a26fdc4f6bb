"""`jina`: web search with page texts, by Jina's search API."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import httpx

from connectors.files.search_results import build_result_document, parse_results
from connectors.http.client import Api, base_url
from connectors.http.errors import NothingFoundError
from connectors.json_fields import get_fields, get_string, parse_json
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.errors import ConnectorError

KEY = "JINA_API_KEY"
MAX_RESULTS = 20
SLOW_PAGES = "6"
"""Seconds that Jina waits for the others once it has read one page; 15 are its own choice."""
NOTHING_FOUND = 42206
"""Jina's own status, under 422 of HTTP, of a search without results."""


class Jina(LiveConnector):
    """Live web search. Jina searches, and reads the pages that it found."""

    name = "jina"
    description = "the web, with the texts of its pages"
    document_description = "a page: its address, title, site and date of publication"
    required_variables = (KEY,)
    limits = Limits(concurrency=12)  # a key without a paid plan may ask 40 times a minute

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:  # noqa: ARG002  (Jina's search takes no day)
        """Ask Jina for up to 20 pages; one that it could not read in time is an excerpt."""
        headers = {
            "Accept": "application/json",
            "X-Retain-Images": "none",
            "X-Timeout": SLOW_PAGES,
        }
        # Without a fallback: Jina would drop words of a query until something is found.
        body = {"q": query, "num": min(limit, MAX_RESULTS), "fallback": False}
        url = base_url(self.name, "https://s.jina.ai")
        async with Api(
            "Jina", url, key=KEY, bearer=True, headers=headers, interpret=_interpret_error
        ) as api:
            try:
                answer = await api.post("/", body)
            except NothingFoundError:
                return []
        return parse_results("Jina", answer.get("data"), _parse_result)[:limit]


def _interpret_error(answer: httpx.Response) -> ConnectorError | None:
    body = get_fields(parse_json(answer.content)) if answer.status_code == 422 else {}
    nothing = body.get("status") == NOTHING_FOUND
    return NothingFoundError("Jina found nothing") if nothing else None


def _parse_result(result: dict[str, Any]) -> Document | None:
    # Of a page that answered Jina with an error, the title and the texts are those of the error.
    if "returned error" in str(result.get("warning")):
        return None
    page, excerpt = get_string(result, "content"), get_string(result, "description")
    return build_result_document(
        Jina.name, result, excerpt, page=page, published=_parse_date(result)
    )


def _parse_date(result: Mapping[str, Any]) -> str:
    """The date that the search engine shows (`May 1, 2024`), else the one that the page names."""
    try:
        return datetime.strptime(str(result.get("date")), "%b %d, %Y").date().isoformat()  # noqa: DTZ007  (a date alone)
    except ValueError:
        return get_string(result, "publishedTime")
