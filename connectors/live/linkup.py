"""`linkup`: web search in passages, by Linkup's search API."""

from typing import Any

import httpx

from connectors.files.search_results import build_result_document, parse_results
from connectors.http.client import Api, base_url
from connectors.http.errors import NothingFoundError, http_error
from connectors.json_fields import get_string, parse_json
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.errors import ConnectorError

KEY = "LINKUP_API_KEY"
NOTHING_FOUND = "SEARCH_QUERY_NO_RESULT"
OUT_OF_CREDIT = ("INSUFFICIENT_FUNDS_CREDITS", "EXCEED_BUDGET_LIMIT")
"""What Linkup answers with status 429 although no waiting helps."""


class Linkup(LiveConnector):
    """Live web search. A result is an excerpt: Linkup hands over passages, not pages."""

    name = "linkup"
    description = "the web, in excerpts"
    document_description = "an excerpt of a page: its address, title and site"
    required_variables = (KEY,)
    limits = Limits(concurrency=10)  # of the 10 searches a second that Linkup allows

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask Linkup, at its depth `standard`."""
        body = {
            "q": query,
            "depth": "standard",
            "outputType": "searchResults",
            "maxResults": limit,
            **({"fromDate": since} if since else {}),
        }
        url = base_url(self.name, "https://api.linkup.so/v1")
        async with Api("Linkup", url, key=KEY, bearer=True, interpret=_interpret_error) as api:
            try:
                answer = await api.post("/search", body)
            except NothingFoundError:
                return []
        return parse_results("Linkup", answer.get("results"), _parse_result)[:limit]


def _interpret_error(answer: httpx.Response) -> ConnectorError | None:
    body = parse_json(answer.content) if answer.status_code >= 400 else None
    code = get_string(body, "error", "code")
    if code == NOTHING_FOUND:
        return NothingFoundError("Linkup found nothing")
    return http_error("Linkup", KEY, 402) if code in OUT_OF_CREDIT else None


def _parse_result(result: dict[str, Any]) -> Document | None:
    shown = {"url": result.get("url"), "title": result.get("name")}
    return build_result_document(Linkup.name, shown, get_string(result, "content"))
