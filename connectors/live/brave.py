"""`brave`: web search over Brave's own index, with the passages that speak of the question."""

from datetime import UTC, datetime
from typing import Any

from connectors.files.search_results import build_result_document, parse_results
from connectors.http.client import Api, base_url
from connectors.json_fields import get_fields, get_string
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.settings import read_variable

KEY = "BRAVE_API_KEY"
QUERY_CHARACTERS, QUERY_WORDS = 400, 50  # Brave refuses longer ones
MAX_RESULTS = 20


class Brave(LiveConnector):
    """Live web search. A result is an excerpt: Brave hands over passages, not pages."""

    name = "brave"
    description = "the web, in excerpts"
    document_description = "an excerpt of a page: its address, title, site and date of publication"
    required_variables = (KEY,)
    limits = Limits(concurrency=12)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask Brave for up to 20 pages."""
        words = " ".join(query.split()[:QUERY_WORDS])[:QUERY_CHARACTERS]
        headers = {"X-Subscription-Token": read_variable(KEY), "Accept": "application/json"}
        url = base_url(self.name, "https://api.search.brave.com")
        async with Api("Brave", url, key=KEY, headers=headers) as api:
            answer = await api.get(
                "/res/v1/web/search",
                q=words,
                count=min(limit, MAX_RESULTS),
                extra_snippets="true",
                text_decorations="false",
                result_filter="web",
                freshness=_build_freshness(since),
            )
        found = get_fields(answer.get("web")).get("results") or []
        return parse_results("Brave", found, _parse_result)[:limit]


def _build_freshness(since: str) -> str | None:
    """The days that pages may be of, to today: Brave takes no range without an end."""
    return f"{since}to{max(since, datetime.now(UTC).date().isoformat())}" if since else None


def _parse_result(result: dict[str, Any]) -> Document | None:
    passages = [result.get("description"), *(result.get("extra_snippets") or [])]
    return build_result_document(
        Brave.name,
        result,
        "\n\n".join(str(passage) for passage in passages if passage),
        site=get_string(result, "profile", "name"),
        language=get_string(result, "language"),
        published=get_string(result, "page_age"),
    )
