"""`searxng`: web search through a SearXNG instance, which asks many search engines at once."""

from datetime import UTC, date, datetime
from typing import Any

from connectors.files.search_results import build_result_document, parse_results
from connectors.http.client import Api, base_url
from connectors.json_fields import get_string
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.errors import ConnectorError
from text.language import detect_language

URL = "QUIRE_SEARXNG_BASE_URL"
QUERY_CHARACTERS = 400  # the engines behind it take no longer ones
SYNTAX = "!:<"
"""What a word begins with that SearXNG takes for an order: an engine, a language, a deadline."""
RANGES = {"day": 1, "month": 28, "year": 365}
"""What a search may be limited to, smallest first, and the days that it holds at least, today among
them: engines do not agree on how long a month is."""

REFUSED_MESSAGE = (
    "SearXNG refused the search: its settings.yml must list json under search: formats, and what "
    f"stands before it must let {URL} through"
)


class Searxng(LiveConnector):
    """Live web search. A result is an excerpt: SearXNG hands over what the engines show."""

    name = "searxng"
    description = "the web, in excerpts of many search engines"
    document_description = "an excerpt of a page: its address, title, site and date of publication"
    required_variables = (URL,)
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
                    time_range=_choose_range(since, datetime.now(UTC).date()) if since else None,
                )
            except ConnectorError as error:
                if error.code != "connector_refused":
                    raise
                raise ConnectorError(REFUSED_MESSAGE, code=error.code) from None
        results = answer.get("results")
        if not results and (silent := _name_failed_engines(answer.get("unresponsive_engines"))):
            raise ConnectorError(f"SearXNG found nothing, and {silent} did not answer it")
        return parse_results("SearXNG", results, _parse_result)[:limit]


def _choose_range(since: str, today: date) -> str | None:
    """The smallest range that holds all days from the first one wanted; None where none does."""
    days = (today - date.fromisoformat(since)).days + 1
    return next((name for name, held in RANGES.items() if days <= held), None)


def _name_failed_engines(engines: Any) -> str:
    """The names of search engines that failed it; it gives each with a reason."""
    pairs = engines if isinstance(engines, list) else []
    return ", ".join(str(pair[0]) for pair in pairs if isinstance(pair, list) and pair)


def _parse_result(result: dict[str, Any]) -> Document | None:
    excerpt, published = get_string(result, "content"), get_string(result, "publishedDate")
    return build_result_document(Searxng.name, result, excerpt, published=published)
