"""Brave's web search API: api-dashboard.search.brave.com/app/documentation."""

from datetime import date
from typing import Any

from conformance import LiveConformance
from fakes.provider import KEY, Item, Provider
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


class BraveServer(Provider):
    def api(self) -> list[Any]:
        return [Route("/res/v1/web/search", self.search)]

    def allowed(self, request: Request) -> bool:
        return request.headers.get("x-subscription-token") == KEY

    def failure(self, status: int) -> Response:
        code = {401: "SUBSCRIPTION_TOKEN_INVALID", 429: "RATE_LIMITED"}.get(status, "INTERNAL")
        error = {"id": "1", "status": status, "code": code, "detail": "It went wrong."}
        return JSONResponse({"type": "ErrorResponse", "error": error}, status)

    async def search(self, request: Request) -> Response:
        query = request.query_params["q"]
        if not query or len(query) > 400 or len(query.split()) > 50:
            return self.failure(422)
        count = int(request.query_params.get("count", "20"))
        assert 1 <= count <= 20
        since = self.first_day(request.query_params.get("freshness", ""))
        results = [
            {
                "type": "search_result",
                "title": item.title,
                "url": f"https://turbines.test/{item.number}",
                "description": "A page on turbines.",
                "extra_snippets": [item.text],
                "page_age": item.when.strftime("%Y-%m-%dT%H:%M:%S"),
                "profile": {"name": "Turbines", "long_name": "turbines.test"},
                "language": "en",
                "family_friendly": True,
            }
            for item in [item for item in self.items.values() if item.iso >= since][:count]
        ]
        web = {"type": "search", "results": results, "family_friendly": True}
        query_ = {"original": query, "more_results_available": False}
        found = {"web": web} if results else {}
        return JSONResponse({"type": "search", "query": query_, **found})

    def first_day(self, freshness: str) -> str:
        """Of a range from day to day; "" where nothing was asked for."""
        if not freshness:
            return ""
        first, last = freshness.split("to")
        assert date.fromisoformat(first) <= date.fromisoformat(last)
        return first


class TestBrave(LiveConformance[BraveServer]):
    name = "brave"
    key = "BRAVE_API_KEY"
    takes_since = True
    provider = BraveServer

    def expected(self, item: Item) -> dict[str, Any]:
        return super().expected(item) | {"site": "Turbines"}
