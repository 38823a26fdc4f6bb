"""Jina's search API: s.jina.ai, as docs.jina.ai and its source, jina-ai/reader, describe it."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from conformance import LiveConformance, items
from fakes.provider import KEY, Item, Provider
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from connectors.http import client as http

NAMES = {401: "AuthenticationFailedError", 402: "InsufficientBalanceError", 422: "AssertionFailure"}


class JinaServer(Provider):
    odd: tuple[Any, ...] = ()
    """Stands before the results."""

    def api(self) -> list[Any]:
        return [Route("/", self.search, methods=["POST"])]

    def allowed(self, request: Request) -> bool:
        assert request.headers["accept"] == "application/json"  # it answers in Markdown otherwise
        assert 0 < int(request.headers["x-timeout"]) <= 180
        assert request.headers["x-retain-images"] in ("all", "none", "alt", "all_p", "alt_p")
        return request.headers["authorization"] == f"Bearer {KEY}"

    def failure(self, status: int, detail: int = 1) -> Response:
        name = NAMES.get(status, "ApplicationError")
        told = {"code": status, "status": status * 100 + detail, "name": name}
        return JSONResponse({"data": None, **told, "message": "It went wrong."}, status)

    async def search(self, request: Request) -> Response:
        body = await request.json()
        assert body.keys() <= {"q", "num", "gl", "hl", "location", "page", "fallback"}
        assert body["fallback"] is False
        if not 0 <= body["num"] <= 20:
            return self.failure(400)
        if not (self.items or self.odd):
            return self.failure(422, 6)
        results = [
            {
                "title": item.title,
                "url": f"https://turbines.test/{item.number}",
                "description": "A page on turbines.",
                "date": item.when.strftime("%b %d, %Y"),
                "content": item.text,
                "publishedTime": "Fri, 03 May 2024 10:00:00 GMT",
                "usage": {"tokens": 1000},
            }
            for item in list(self.items.values())[: body["num"] + 2]  # it reads two to spare
        ]
        data = [*self.odd, *results]
        return JSONResponse({"code": 200, "status": 20000, "data": data, "meta": {"usage": {}}})


class TestJina(LiveConformance[JinaServer]):
    name = "jina"
    key = "JINA_API_KEY"
    provider = JinaServer

    def expected(self, item: Item) -> dict[str, Any]:
        return super().expected(item) | {"excerpt": False}

    async def found(self, *results: Any) -> list[Any]:
        """The documents of these results."""
        with self.serving([]) as provider:
            provider.odd = results
            return await self.live().search(self.query, limit=10)

    async def test_no_more_is_asked_for_than_jina_gives(self) -> None:
        with self.serving(items(30)):
            assert len(await self.live().search(self.query, limit=100)) == 22

    @pytest.mark.parametrize("content", [None, "", " \n"])
    async def test_a_page_that_was_not_read_leaves_the_excerpt(self, content: str | None) -> None:
        result = {"url": "https://b.test/", "description": "Wind turns.", "content": content}
        (found,) = await self.found(result)
        assert (found.text, found.excerpt) == ("Wind turns.", True)

    @pytest.mark.parametrize(
        ("shown", "named", "day"),
        [
            ("May 1, 2024", "2024-05-03T10:00:00Z", "2024-05-01"),
            ("3 days ago", "2024-05-03T10:00:00Z", "2024-05-03"),
            (None, "Fri, 03 May 2024 10:00:00 GMT", "2024-05-03"),
            (20240501, None, ""),
        ],
    )
    async def test_the_day_that_the_search_shows_is_taken_before_the_page_s(
        self, shown: Any, named: Any, day: str
    ) -> None:
        result = {"url": "https://b.test/", "content": "Wind", "date": shown}
        (found,) = await self.found({**result, "publishedTime": named})
        assert found.published == day

    async def test_an_error_page_is_no_document(self) -> None:
        page = {"url": "https://b.test/", "title": "Wind", "content": "Wind turns blades."}
        missing = {**page, "warning": "Target URL returned error 404: Not Found"}
        cached = {**page, "warning": "This is a cached snapshot of the original page."}
        assert len(await self.found(missing, cached)) == 1

    async def test_results_that_are_none_are_dropped(self) -> None:
        good = {"url": "https://b.test/", "content": "Wind", "title": None}
        odd = (None, "x", {}, {"url": 3}, {**good, "url": "ftp://b.test/"}, {**good, "content": 0})
        (found,) = await self.found(*odd, good)
        assert (found.uri, found.title) == ("https://b.test/", "")

    @pytest.mark.parametrize("data", [None, {}, "x"], ids=str)
    async def test_an_answer_that_is_none_is_a_failure(self, data: Any) -> None:
        async def search(_: JinaServer, request: Request) -> Response:
            return JSONResponse({"code": 200, "status": 20000, "data": data})

        self.monkeypatch.setattr(JinaServer, "search", search)
        with self.serving(items(1)):
            assert str(await self.refused()) == "Jina's answer could not be read"

    @pytest.mark.parametrize(
        ("status", "code"), [(402, "connector_refused"), (422, "connector_failed")]
    )
    async def test_other_refusals_are_failures(self, status: int, code: str) -> None:
        with self.serving(items(1)) as provider:
            provider.always = status
            error = await self.refused()
        assert (error.code, error.retryable) == (code, False)

    async def test_an_answer_that_does_not_end_is_given_up(self) -> None:
        async def spaces() -> AsyncIterator[bytes]:
            for _ in range(40):
                yield b" "
                await asyncio.sleep(0.1)

        async def search(_: JinaServer, request: Request) -> Response:
            return StreamingResponse(spaces(), media_type="application/json")

        self.monkeypatch.setattr(http, "SECONDS", 0.3)
        self.monkeypatch.setattr(JinaServer, "search", search)
        with self.serving(items(1)):
            error = await self.refused()
        assert (error.code, error.retryable) == ("connector_timeout", True)
