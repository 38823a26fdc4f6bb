"""`searxng`: web search through a SearXNG instance, which asks many search engines at once."""

from datetime import UTC, date, datetime
from typing import Any, Literal

from connectors.net.http import Api, base_url, web_host
from connectors.net.refusals import unreadable
from connectors.protocol import Limits
from connectors.reading.dates import iso_date
from retrieval.language import detect_language
from schema.documents import Document
from schema.errors import ConnectorError

URL = "QUIRE_SEARXNG_BASE_URL"
QUERY_CHARACTERS = 400  # the engines behind it take no longer ones
SYNTAX = "!:<"
"""What a word begins with that SearXNG takes for an order: an engine, a language, a deadline."""
RANGES = {"day": 1, "month": 28, "year": 365}
"""What a search may be kept to, smallest first, and the days that it holds at least, today among
them: engines do not agree on how long a month is."""

REFUSED = (
    "SearXNG refused the search: its settings.yml must list json under search: formats, and what "
    f"stands before it must let {URL} through"
)


class Searxng:
    """Live web search. A result is an excerpt: SearXNG hands over what the engines show."""

    name = "searxng"
    kind: Literal["live"] = "live"
    reads = "the web, in excerpts of many search engines"
    document = "an excerpt of a page: its address, title, site and day of publication"
    needs = (URL,)
    package = ""
    languages = ()
    limits = Limits(concurrency=6)  # engines shut out an instance that asks too much at once

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask for the first page of results, in the language of the query.

        With a range of time SearXNG leaves out the engines that cannot keep to one.
        """
        words = " ".join(word.lstrip(SYNTAX) for word in query.split())[:QUERY_CHARACTERS]
        async with Api("SearXNG", base_url(self.name, "")) as api:
            try:
                answer = await api.get(
                    "/search",
                    q=words,
                    format="json",
                    language=detect_language(words, "all"),
                    time_range=_range(since, datetime.now(UTC).date()) if since else None,
                )
            except ConnectorError as error:
                if error.code != "connector_refused":
                    raise
                raise ConnectorError(REFUSED, code=error.code) from None
        results = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(results, list):
            raise unreadable("SearXNG")
        if not results and (silent := _silent(answer.get("unresponsive_engines"))):
            raise ConnectorError(f"SearXNG found nothing, and {silent} did not answer it")
        now = datetime.now(UTC)
        return [document for result in results if (document := _document(result, now))][:limit]


def _range(since: str, today: date) -> str | None:
    """The smallest range that holds all days from the first one wanted; None where none does."""
    days = (today - date.fromisoformat(since)).days + 1
    return next((name for name, held in RANGES.items() if days <= held), None)


def _silent(engines: Any) -> str:
    """The names of search engines that failed it; it gives each with a reason."""
    pairs = engines if isinstance(engines, list) else []
    return ", ".join(str(pair[0]) for pair in pairs if isinstance(pair, list) and pair)


def _document(result: Any, now: datetime) -> Document | None:
    if not isinstance(result, dict):
        return None
    url, text = str(result.get("url") or ""), str(result.get("content") or "")
    if not web_host(url) or not text.strip():
        return None
    return Document(
        uri=url,
        url=url,
        text=text,
        connector=Searxng.name,
        title=str(result.get("title") or ""),
        site=web_host(url),
        published=iso_date(str(result.get("publishedDate") or "")),
        fetched=now,
        excerpt=True,
    )
