"""Linkup's search endpoint: docs.linkup.so/pages/documentation/endpoints/search."""

from datetime import date
from typing import Any

import pytest
from conformance import LiveConformance, items
from fakes.provider import Item, Provider
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from library.library import Library

CODES = {401: "UNAUTHORIZED", 403: "FORBIDDEN", 429: "TOO_MANY_REQUESTS"}


class LinkupServer(Provider):
    code = ""
    """Of every failure; what Linkup calls the status where empty."""
    odd: tuple[Any, ...] = ()
    """Stands before the results."""

    def api(self) -> list[Any]:
        return [Route("/search", self.search, methods=["POST"])]

    def failure(self, status: int) -> Response:
        code = self.code or CODES.get(status, "INTERNAL_SERVER_ERROR")
        error = {"code": code, "message": "It went wrong.", "details": []}
        return JSONResponse({"statusCode": status, "error": error}, status)

    async def search(self, request: Request) -> Response:
        body = await request.json()
        assert body.keys() <= {"q", "depth", "outputType", "maxResults", "fromDate"}
        assert (body["depth"], body["outputType"]) == ("standard", "searchResults")
        if not body["q"] or body["maxResults"] < 1:
            return self.failure(400)
        if not self.items:
            self.code = "SEARCH_QUERY_NO_RESULT"
            return self.failure(400)
        since = body.get("fromDate", "")
        assert not since or date.fromisoformat(since)
        results = [
            {
                "type": "text",
                "name": item.title,
                "url": f"https://turbines.test/{item.number}",
                "content": item.text,
                "favicon": "https://turbines.test/favicon.ico",
            }
            for item in [item for item in self.items.values() if item.iso >= since]
        ][: body["maxResults"]]
        return JSONResponse({"results": [*self.odd, *results]})


class TestLinkup(LiveConformance[LinkupServer]):
    name = "linkup"
    key = "LINKUP_API_KEY"
    takes_since = True
    provider = LinkupServer

    def expected(self, item: Item) -> dict[str, Any]:
        return super().expected(item) | {"published": ""}

    async def test_as_many_are_asked_for_as_are_wanted(self) -> None:
        with self.serving(items(30)):
            assert len(await self.live().search(self.query, limit=25)) == 25

    @pytest.mark.parametrize("code", ["INSUFFICIENT_FUNDS_CREDITS", "EXCEED_BUDGET_LIMIT"])
    async def test_what_is_spent_is_not_asked_for_again(self, library: Library, code: str) -> None:
        with self.serving(items(3)) as provider:
            provider.always, provider.code = 429, code
            (answered,) = await self.asked(library)
            assert len(provider.calls) == 1
        assert [problem["code"] for problem in answered.degraded] == ["connector_refused"]

    @pytest.mark.parametrize(("status", "passing"), [(502, True), (413, False)])
    async def test_a_failure_that_is_not_linkup_s_own_is_read_by_its_status(
        self, status: int, passing: bool
    ) -> None:
        def failure(_: Provider, status: int) -> Response:
            return Response("<h1>It went wrong.</h1>", status)

        self.monkeypatch.setattr(LinkupServer, "failure", failure)
        with self.serving(items(3)) as provider:
            provider.always = status
            error = await self.refused()
        assert (str(error), error.retryable) == (f"Linkup answered HTTP {status}", passing)

    async def test_only_text_at_a_web_address_becomes_a_document(self) -> None:
        picture = {"type": "image", "name": "A rotor", "url": "https://turbines.test/rotor.png"}
        text = {"type": "text", "name": "A rotor", "content": "It turns.", "favicon": ""}
        elsewhere = {**text, "url": "javascript:alert(1)"}
        empty = {**text, "url": "https://turbines.test/empty", "content": " "}
        with self.serving(items(2)) as provider:
            provider.odd = (picture, elsewhere, empty)
            found = await self.live().search(self.query, limit=5)
        assert [one.title for one in found] == ["Wind turbine 1", "Wind turbine 2"]
