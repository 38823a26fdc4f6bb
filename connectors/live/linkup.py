"""`linkup`: web search in passages, through Linkup's own client."""

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, NoReturn

import httpx

from connectors.net import http
from connectors.net.http import base_url, web_host
from connectors.net.refusals import explained, refusal
from connectors.protocol import Limits
from schema.documents import Document
from schema.settings import variable

if TYPE_CHECKING:
    from linkup import LinkupClient, LinkupSearchTextResult

KEY = "LINKUP_API_KEY"
NOTHING_FOUND = "SEARCH_QUERY_NO_RESULT"
SPENT = ("INSUFFICIENT_FUNDS_CREDITS", "EXCEED_BUDGET_LIMIT")
"""What Linkup answers with status 429 although no waiting helps."""


class Linkup:
    """Live web search. A result is an excerpt: Linkup hands over passages, not pages."""

    name = "linkup"
    kind: Literal["live"] = "live"
    reads = "the web, in excerpts"
    document = "an excerpt of a page: its address, title and site"
    needs = (KEY,)
    package = "linkup"
    languages = ()
    limits = Limits(concurrency=10)  # of the 10 searches a second that Linkup allows

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask Linkup, at its depth `standard`."""
        from linkup import LinkupNoResultError  # noqa: PLC0415  (an extra)

        try:
            async with asyncio.timeout(http.SECONDS):
                answer = await _client().async_search(
                    query,
                    depth="standard",
                    output_type="searchResults",
                    max_results=limit,
                    from_date=since or None,
                )
        except LinkupNoResultError:
            return []
        except Exception as error:  # noqa: BLE001  (`from None`: httpx quotes the key it refuses)
            raise explained("Linkup", KEY, error) from None
        now = datetime.now(UTC)
        texts = [result for result in answer.results if result.type == "text"]
        return [document for text in texts if (document := _document(text, now))][:limit]


def _client() -> "LinkupClient":
    from linkup import LinkupClient, LinkupNoResultError  # noqa: PLC0415

    class Client(LinkupClient):
        """Linkup's, whose own errors say neither how long to wait nor whether it may help."""

        def _raise_linkup_error(self, response: httpx.Response) -> NoReturn:
            code = _code(response)
            if code == NOTHING_FOUND:
                raise LinkupNoResultError
            status = 402 if code in SPENT else response.status_code
            raise refusal("Linkup", KEY, status, response.headers)

    return Client(variable(KEY), base_url(Linkup.name, "https://api.linkup.so/v1"))


def _code(response: httpx.Response) -> str:
    """What Linkup calls the failure; "" where something else answered in its place."""
    try:
        return str(response.json()["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return ""


def _document(result: "LinkupSearchTextResult", now: datetime) -> Document | None:
    if not web_host(result.url) or not result.content.strip():
        return None
    return Document(
        uri=result.url,
        url=result.url,
        text=result.content,
        connector=Linkup.name,
        title=result.name,
        site=web_host(result.url),
        fetched=now,
        excerpt=True,
    )
