"""`jina`: web search with page texts, by Jina's search API."""

import time
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, Literal

from connectors.net.http import Api, base_url
from connectors.net.refusals import unreadable
from connectors.protocol import Limits
from connectors.reading.dates import iso_date
from connectors.reading.records import read_json
from connectors.reading.web_results import page_or_excerpt
from schema.documents import Document
from schema.errors import ConnectorError
from schema.settings import variable

KEY = "JINA_API_KEY"
RESULTS = 20
SLOW_PAGES = "6"
"""Seconds that Jina waits for the others once it has read one page; 15 are its own choice."""
NOTHING_FOUND = 42206
"""Jina's own status, under 422 of HTTP, of a search without results."""


class Jina:
    """Live web search. Jina searches, and reads the pages that it found."""

    name = "jina"
    kind: Literal["live"] = "live"
    reads = "the web, with the texts of its pages"
    document = "a page: its address, title, site and day of publication"
    needs = (KEY,)
    package = ""
    languages = ()
    limits = Limits(concurrency=12)  # a key without a paid plan may ask 40 times a minute

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:  # noqa: ARG002  (Jina's search takes no day)
        """Ask Jina for up to 20 pages; one that it could not read in time is an excerpt."""
        headers = {
            "Authorization": f"Bearer {variable(KEY)}",
            "Accept": "application/json",
            "X-Retain-Images": "none",
            "X-Timeout": SLOW_PAGES,
        }
        # Without a fallback: Jina would drop words of a query until something is found.
        body = {"q": query, "num": min(limit, RESULTS), "fallback": False}
        url = base_url(self.name, "https://s.jina.ai")
        try:
            async with Api("Jina", url, key=KEY, headers=headers, meaning=_meaning) as api:
                answer = await api.post("/", body)
        except _NothingFoundError:
            return []
        results = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(results, list):
            raise unreadable("Jina")
        now = datetime.now(UTC)
        return [document for result in results if (document := _document(result, now))][:limit]


class _NothingFoundError(ConnectorError):
    """Jina reports a search without results as a failure."""


def _meaning(status: int, body: bytes) -> ConnectorError | None:
    told = read_json(body) if status == 422 else None
    nothing = isinstance(told, dict) and told.get("status") == NOTHING_FOUND
    return _NothingFoundError("Jina found nothing") if nothing else None


def _document(result: Any, now: datetime) -> Document | None:
    # Of a page that answered Jina with an error, the title and the texts are those of the error.
    if not isinstance(result, dict) or "returned error" in str(result.get("warning")):
        return None
    page, snippet = str(result.get("content") or ""), str(result.get("description") or "")
    return page_or_excerpt(Jina.name, result, page, snippet, _day(result), now)


def _day(result: Mapping[str, Any]) -> str:
    """The day that the search engine shows (`May 1, 2024`), else the one that the page names."""
    try:
        shown = time.strptime(str(result.get("date")), "%b %d, %Y")
    except ValueError:
        return iso_date(str(result.get("publishedTime") or ""))
    return date(shown.tm_year, shown.tm_mon, shown.tm_mday).isoformat()
