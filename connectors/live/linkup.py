"""`linkup`: web search in passages, through Linkup's own client."""

import asyncio
from typing import TYPE_CHECKING, NoReturn

import httpx

from connectors.files.search_results import build_result_document
from connectors.http import client as http
from connectors.http.client import base_url
from connectors.http.errors import http_error, to_connector_error
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.settings import read_variable

if TYPE_CHECKING:
    from linkup import LinkupClient, LinkupSearchTextResult

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
    package = "linkup"
    limits = Limits(concurrency=10)  # of the 10 searches a second that Linkup allows

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask Linkup, at its depth `standard`."""
        from linkup import LinkupNoResultError  # noqa: PLC0415  (an extra)

        try:
            async with asyncio.timeout(http.SECONDS):
                answer = await _make_client().async_search(
                    query,
                    depth="standard",
                    output_type="searchResults",
                    max_results=limit,
                    from_date=since or None,
                )
        except LinkupNoResultError:
            return []
        except Exception as error:  # noqa: BLE001  (`from None`: httpx quotes the key it refuses)
            raise to_connector_error("Linkup", KEY, error) from None
        texts = [result for result in answer.results if result.type == "text"]
        return [document for text in texts if (document := _parse_result(text))][:limit]


def _make_client() -> "LinkupClient":
    from linkup import LinkupClient, LinkupNoResultError  # noqa: PLC0415

    class Client(LinkupClient):
        """Linkup's, whose own errors say neither how long to wait nor whether it may help."""

        def _raise_linkup_error(self, response: httpx.Response) -> NoReturn:
            code = _get_error_code(response)
            if code == NOTHING_FOUND:
                raise LinkupNoResultError
            status = 402 if code in OUT_OF_CREDIT else response.status_code
            raise http_error("Linkup", KEY, status, response.headers)

    return Client(read_variable(KEY), base_url(Linkup.name, "https://api.linkup.so/v1"))


def _get_error_code(response: httpx.Response) -> str:
    """What Linkup calls the failure; "" where something else answered in its place."""
    try:
        return str(response.json()["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return ""


def _parse_result(result: "LinkupSearchTextResult") -> Document | None:
    return build_result_document(
        Linkup.name, {"url": result.url, "title": result.name}, result.content
    )
