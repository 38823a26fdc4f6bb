"""`brave`: web search over Brave's own index, with the passages that speak of the question."""

from datetime import UTC, datetime
from typing import Any, Literal

from connectors.net.http import Api, base_url, web_host
from connectors.net.refusals import unreadable
from connectors.protocol import Limits
from connectors.reading.dates import iso_date
from schema.documents import Document
from schema.settings import variable

KEY = "BRAVE_API_KEY"
QUERY_CHARACTERS, QUERY_WORDS = 400, 50  # Brave refuses longer ones
RESULTS = 20


class Brave:
    """Live web search. A result is an excerpt: Brave hands over passages, not pages."""

    name = "brave"
    kind: Literal["live"] = "live"
    reads = "the web, in excerpts"
    document = "an excerpt of a page: its address, title, site and day of publication"
    needs = (KEY,)
    package = ""
    languages = ()
    limits = Limits(concurrency=12)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask Brave for up to 20 pages."""
        words = " ".join(query.split()[:QUERY_WORDS])[:QUERY_CHARACTERS]
        headers = {"X-Subscription-Token": variable(KEY), "Accept": "application/json"}
        url = base_url(self.name, "https://api.search.brave.com")
        async with Api("Brave", url, key=KEY, headers=headers) as api:
            answer = await api.get(
                "/res/v1/web/search",
                q=words,
                count=min(limit, RESULTS),
                extra_snippets="true",
                text_decorations="false",
                result_filter="web",
                freshness=_freshness(since),
            )
        if not isinstance(answer, dict):
            raise unreadable("Brave")
        results = (answer.get("web") or {}).get("results") or []
        now = datetime.now(UTC)
        found = [document for result in results if (document := _document(result, now))]
        return found[:limit]


def _freshness(since: str) -> str | None:
    """The days that pages may be of, to today: Brave takes no range without an end."""
    return f"{since}to{max(since, datetime.now(UTC).date().isoformat())}" if since else None


def _document(result: dict[str, Any], now: datetime) -> Document | None:
    url = str(result.get("url") or "")
    passages = [result.get("description"), *(result.get("extra_snippets") or [])]
    text = "\n\n".join(str(passage) for passage in passages if passage)
    if not web_host(url) or not text:
        return None
    return Document(
        uri=url,
        url=url,
        text=text,
        connector=Brave.name,
        title=str(result.get("title") or ""),
        site=str((result.get("profile") or {}).get("name") or web_host(url)),
        language=str(result.get("language") or ""),
        published=iso_date(str(result.get("page_age") or "")),
        fetched=now,
        excerpt=True,
    )
