"""Tavily's search API: docs.tavily.com/documentation/api-reference/endpoint/search."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from email.utils import format_datetime
from typing import Any

import pytest
from conformance import LiveConformance
from connector_world import KEY, PAGES, StartTavily
from fakes.provider import Item, Provider
from fakes.server import Served
from fakes.sites.tavily_api import MAX_QUERY_CHARS, Page, failure, found
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from connectors.live.tavily import Tavily
from connectors.registry import explain_missing
from connectors.search_all import ConnectorResult, SearchRequest, search_all
from library.library import Library
from schema.errors import ConnectorError


class TavilyServer(Provider):
    def api(self) -> list[Any]:
        return [Route("/search", self.search, methods=["POST"])]

    def failure(self, status: int) -> Response:
        return failure(status)

    async def search(self, request: Request) -> Response:
        body = await request.json()
        assert 0 <= body["max_results"] <= 20
        assert body["include_raw_content"] in (True, False, "markdown", "text")
        if not body["query"] or len(body["query"]) > MAX_QUERY_CHARS:
            return self.failure(400)
        since = body.get("start_date", "")
        assert not since or date.fromisoformat(since)
        pages = [
            Page(
                item.title,
                f"https://turbines.test/{item.number}",
                "A page on turbines.",
                item.text,
                format_datetime(item.when, usegmt=True),
            )
            for item in self.items.values()
            if item.iso >= since
        ]
        return JSONResponse({"query": body["query"], "results": found(pages, body)})


class TestTavily(LiveConformance[TavilyServer]):
    name = "tavily"
    key = "TAVILY_API_KEY"
    takes_since = True
    provider = TavilyServer

    def expected(self, item: Item) -> dict[str, Any]:
        return super().expected(item) | {"excerpt": False}


@contextmanager
def answering(monkeypatch: pytest.MonkeyPatch, body: str, status: int = 200) -> Iterator[None]:
    """A server with one answer; {key} in it is replaced by the key that it was sent."""

    async def answer(request: Request) -> Response:
        key = request.headers["authorization"].removeprefix("Bearer ")
        return Response(body.replace("{key}", key), status, media_type="application/json")

    with Served(Starlette(routes=[Route("/search", answer, methods=["POST"])])) as served:
        monkeypatch.setenv("TAVILY_API_KEY", KEY)
        monkeypatch.setenv("QUIRE_TAVILY_BASE_URL", served.url)
        yield


async def refusal() -> ConnectorError:
    """The error that a search ends in; nothing of it or of its causes shows the key."""
    with pytest.raises(ConnectorError) as caught:
        await Tavily().search("wind", limit=5)
    assert "tvly-" not in "".join(traceback.format_exception(caught.value))
    return caught.value


async def asked(library: Library) -> ConnectorResult:
    (answered,) = await search_all(
        [Tavily()], ["wind power"], SearchRequest(library, 5, seconds=10)
    )
    return answered


@pytest.mark.parametrize("raw", [None, "", " \n"])
async def test_a_result_without_its_page_leaves_the_excerpt(
    tavily: StartTavily, raw: str | None
) -> None:
    with tavily([Page("Wind", "https://b.test/", "Wind turns blades.", raw)]):
        (found,) = await Tavily().search("wind", limit=5)
    assert (found.text, found.excerpt, found.published) == ("Wind turns blades.", True, "")


async def test_what_has_no_web_address_or_no_text_is_dropped(tavily: StartTavily) -> None:
    addresses = ["ftp://b.test/", "javascript:alert(1)", "", "https://", "http://[b.test/"]
    addresses += ["https://b.test/\0"]
    pages = [Page("Wind", url, "Wind turns.") for url in addresses]
    with tavily([*pages, Page("Wind", "https://c.test/", " "), *PAGES]):
        found = await Tavily().search("wind", limit=20)
    assert [document.uri for document in found] == ["https://b.test/wind"]


async def test_no_more_is_asked_for_than_tavily_gives(tavily: StartTavily) -> None:
    with tavily([Page("Wind", f"https://b.test/{n}", "Wind turns.") for n in range(30)]):
        assert len(await Tavily().search("wind", limit=100)) == 20


async def test_a_long_question_is_cut_to_what_tavily_takes(tavily: StartTavily) -> None:
    with tavily() as api:
        assert await Tavily().search("wind " * 200, limit=5)
    assert [len(query) for query in api.queries] == [400]


@pytest.mark.parametrize("name", ["TAVILY_API_KEY", "QUIRE_TAVILY_BASE_URL"])
def test_a_key_or_an_address_is_enough(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert explain_missing(Tavily()) == "set TAVILY_API_KEY or QUIRE_TAVILY_BASE_URL"
    monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert explain_missing(Tavily()) == ""


@pytest.mark.parametrize(
    ("status", "code", "tries"),
    [
        (429, "connector_limit", Tavily.limits.attempts),
        (500, "connector_failed", Tavily.limits.attempts),
        (432, "connector_refused", 1),
        (433, "connector_refused", 1),
    ],
)
async def test_a_lasting_failure_is_given_up(
    tavily: StartTavily, library: Library, status: int, code: str, tries: int
) -> None:
    with tavily(fail=lambda _: status) as api:
        answered = await asked(library)
    assert answered.hits == []
    assert [problem["code"] for problem in answered.degraded] == [code]
    assert len(api.queries) == tries


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "connector_failed"),
        (401, "connector_key"),
        (403, "connector_refused"),
        (429, "connector_limit"),
        (502, "connector_failed"),
    ],
)
async def test_no_error_repeats_the_key(
    monkeypatch: pytest.MonkeyPatch, status: int, code: str
) -> None:
    with answering(monkeypatch, '{"detail": {"error": "What is {key}?"}}', status):
        assert (await refusal()).code == code


@pytest.mark.parametrize("key", ["tvly-with-a-line\nbreak", "tvly-ключ"])
async def test_a_key_that_cannot_be_sent_is_not_shown(
    tavily: StartTavily, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    with tavily():
        monkeypatch.setenv("TAVILY_API_KEY", key)
        error = await refusal()
    assert (error.code, error.retryable) == ("connector_key", False)


@pytest.mark.parametrize(
    "body", ["{key}", '{"results": [', "", "[]", "null", '{"results": "{key}"}']
)
async def test_an_answer_that_is_none_is_an_error(
    monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    with answering(monkeypatch, body):
        error = await refusal()
    assert (error.code, error.retryable) == ("connector_failed", False)


async def test_results_that_are_none_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    good = '{"url": "https://b.test/", "content": "Wind", "title": null}'
    odd = '{"url": "https://b.test/\\ud800", "content": "Half a letter"}'
    with answering(monkeypatch, f'{{"results": [null, "x", {{}}, {{"url": 3}}, {odd}, {good}]}}'):
        (found,) = await Tavily().search("wind", limit=5)
    assert (found.uri, found.title) == ("https://b.test/", "")
