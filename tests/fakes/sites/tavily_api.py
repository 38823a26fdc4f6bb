"""A stand-in for Tavily's search service."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.server import Fake, failure_headers, pause
from fakes.words import words

DEFAULT_RESULTS = 5
MAX_QUERY_CHARS = 400

# Messages by status, worded after api.tavily.com.
ERRORS: dict[int, str] = {
    400: "Query is missing.",
    401: "Unauthorized: missing or invalid API key.",
    429: "Your request has been blocked due to excessive requests. Please reduce rate of requests.",
    432: "This request exceeds your plan's set usage limit. "
    "Please upgrade your plan or contact support@tavily.com",
    433: "This request exceeds the pay-as-you-go limit.",
    500: "Internal Server Error",
}
TOO_LONG = f"Query is too long. Max query length is {MAX_QUERY_CHARS} characters."


@dataclass(frozen=True)
class Page:
    """One page of the fake web.

    Attributes:
        title: Title of the page.
        url: Address of the page.
        content: The snippet that a search shows.
        raw_content: The whole text, given only if the search asks for it.
        published_date: The date, left out of the result if there is none.
    """

    title: str
    url: str
    content: str
    raw_content: str | None = None
    published_date: str | None = None


class FakeTavily(Fake):
    """Tavily's search over a handful of pages.

    Attributes:
        queries: The query of every search that came in, refused ones included.
    """

    def __init__(
        self,
        pages: Sequence[Page],
        *,
        api_key: str | None = None,
        latency: float = 0.0,
        faults: Sequence[int] | None = None,
        fail: Callable[[str], int | None] | None = None,
        hang: Callable[[str], float] | None = None,
    ) -> None:
        """Sets the service up.

        Args:
            pages: The pages to search.
            api_key: The only key let in; None lets every key in.
            latency: Seconds that each search takes.
            faults: Statuses for the first searches, before the fake behaves.
            fail: Gives the status that a query fails with, or None.
            hang: Gives the extra seconds that a query takes.
        """
        routes = [Route("/search", self._search, methods=["POST"])]
        super().__init__(routes, counted="/search", api_key=api_key, latency=latency, faults=faults)
        self.queries: list[str] = []
        self._pages = list(pages)
        self._fail = fail
        self._hang = hang

    async def _search(self, request: Request) -> Response:
        body = await request.json()
        query: str = body.get("query", "")
        self.queries.append(query)
        status = self.refusal(request)
        if status is None and self._fail is not None:
            status = self._fail(query)
        await pause(request, self.latency + (self._hang(query) if self._hang else 0.0))
        if status is not None:
            return failure(status)
        if not query:
            return failure(400)
        if len(query) > MAX_QUERY_CHARS:
            return failure(400, TOO_LONG)
        return JSONResponse(
            {
                "query": query,
                "follow_up_questions": None,
                "answer": None,
                "images": [],
                "results": found(self._pages, body),
                "response_time": self.latency,
                "request_id": str(uuid.uuid4()),
            }
        )


def found(pages: Sequence[Page], body: dict[str, Any]) -> list[dict[str, Any]]:
    """Finds the pages that share a word with the query, those that share most first.

    Args:
        pages: The pages to search.
        body: The body of the search.

    Returns:
        The results, no more than the search asks for.
    """
    wanted = set(words(body["query"]))
    shared = [len(wanted & page_words(page)) for page in pages]
    order = sorted(range(len(pages)), key=lambda i: shared[i], reverse=True)
    best = [i for i in order if shared[i]][: body.get("max_results", DEFAULT_RESULTS)]
    with_raw = bool(body.get("include_raw_content"))
    return [result(pages[i], shared[i] / len(wanted), with_raw) for i in best]


def page_words(page: Page) -> set[str]:
    """Gives the words that a page can be found by."""
    return set(words(f"{page.title} {page.content} {page.raw_content or ''}"))


def result(page: Page, score: float, with_raw: bool) -> dict[str, Any]:
    """Writes one search result."""
    entry = {
        "title": page.title,
        "url": page.url,
        "content": page.content,
        "score": score,
        "raw_content": page.raw_content if with_raw else None,
    }
    if page.published_date is not None:
        entry["published_date"] = page.published_date
    return entry


def failure(status: int, message: str | None = None) -> Response:
    """Writes an error reply as the real service does."""
    text = message or ERRORS.get(status, f"Error {status}")
    return JSONResponse({"detail": {"error": text}}, status, failure_headers(status))
