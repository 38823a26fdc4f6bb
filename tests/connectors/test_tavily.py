"""Tavily's answers become documents, and its failures become codes without the key."""

import socket
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from connector_world import KEY, PAGES, StartTavily
from fakes.server import Served
from fakes.tavily_api import Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from connectors.ask import Answered, Search, ask_all
from connectors.live.tavily import Tavily
from library.library import Library
from schema.errors import ConnectorError


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


async def asked(library: Library) -> Answered:
    (answered,) = await ask_all([Tavily()], ["wind power"], Search(library, 5, seconds=10))
    return answered


async def test_results_become_documents(tavily: StartTavily) -> None:
    with tavily(api_key=KEY):
        wind, solar = await Tavily().search("wind power", limit=5)
    assert wind.uri == wind.url == "https://b.test/wind"
    assert (wind.title, wind.site, wind.published) == ("Wind power", "b.test", "2024-05-01")
    assert (wind.text, wind.excerpt) == (PAGES[0].raw_content, False)
    assert (solar.text, solar.excerpt, solar.published) == (PAGES[1].content, True, "")
    assert wind.connector == "tavily"
    assert wind.fetched is not None
    assert wind.fetched.tzinfo is not None


async def test_a_blank_page_text_leaves_the_excerpt(tavily: StartTavily) -> None:
    with tavily([Page("Wind", "https://b.test/", "Wind turns blades.", " \n")]):
        (found,) = await Tavily().search("wind", limit=5)
    assert (found.text, found.excerpt) == ("Wind turns blades.", True)


async def test_what_has_no_web_address_or_no_text_is_dropped(tavily: StartTavily) -> None:
    addresses = ["ftp://b.test/", "javascript:alert(1)", "", "https://", "http://[b.test/"]
    addresses += ["https://b.test/\0"]
    pages = [Page("Wind", url, "Wind turns.") for url in addresses]
    with tavily([*pages, Page("Wind", "https://c.test/", " "), *PAGES]):
        found = await Tavily().search("wind", limit=20)
    assert [document.uri for document in found] == ["https://b.test/wind"]


@pytest.mark.parametrize(("limit", "found"), [(2, 2), (100, 20)])
async def test_the_limit_is_kept_up_to_what_tavily_allows(
    tavily: StartTavily, limit: int, found: int
) -> None:
    with tavily([Page("Wind", f"https://b.test/{n}", "Wind turns.") for n in range(30)]):
        assert len(await Tavily().search("wind", limit=limit)) == found


async def test_a_long_question_is_cut_to_what_tavily_takes(tavily: StartTavily) -> None:
    with tavily() as api:
        assert await Tavily().search("wind " * 200, limit=5)
    assert [len(query) for query in api.queries] == [400]


@pytest.mark.parametrize("name", [None, "TAVILY_API_KEY", "QUIRE_TAVILY_BASE_URL"])
def test_it_says_what_it_needs(monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
    if name:
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert Tavily().missing() == ("" if name else "set TAVILY_API_KEY.")


async def test_a_refused_key_is_not_tried_again(tavily: StartTavily, library: Library) -> None:
    with tavily(api_key="tvly-another") as api:
        (problem,) = (await asked(library)).degraded
    assert problem["code"] == "connector_key"
    assert "check TAVILY_API_KEY" in problem["detail"]
    assert len(api.queries) == 1


@pytest.mark.parametrize("faults", [[429, 429], [500], [503, 429]])
async def test_a_passing_failure_is_tried_again(
    tavily: StartTavily, library: Library, faults: list[int]
) -> None:
    with tavily(faults=faults) as api:
        answered = await asked(library)
    assert answered.hits
    assert answered.degraded == []
    assert len(api.queries) == len(faults) + 1


@pytest.mark.parametrize(
    ("status", "code", "tries"),
    [(429, "connector_limit", 3), (500, "connector_failed", 3), (432, "connector_failed", 1)],
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
        (403, "connector_failed"),
        (429, "connector_limit"),
        (502, "connector_failed"),
    ],
)
async def test_no_error_repeats_the_key(
    monkeypatch: pytest.MonkeyPatch, status: int, code: str
) -> None:
    with answering(monkeypatch, '{"detail": {"error": "What is {key}?"}}', status):
        assert (await refusal()).code == code


@pytest.mark.parametrize("key", ["tvly-with-a-line-break\n", "tvly-ключ"])
async def test_a_key_that_cannot_be_sent_is_not_shown(
    tavily: StartTavily, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    with tavily():
        monkeypatch.setenv("TAVILY_API_KEY", key)
        error = await refusal()
    assert (error.code, error.passing) == ("connector_key", False)


@pytest.mark.parametrize(
    "body", ["{key}", '{"results": [', "", "[]", "null", '{"results": "{key}"}']
)
async def test_an_answer_that_is_none_is_an_error(
    monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    with answering(monkeypatch, body):
        error = await refusal()
    assert (error.code, error.passing) == ("connector_failed", False)


async def test_results_that_are_none_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    good = '{"url": "https://b.test/", "content": "Wind", "title": null}'
    odd = '{"url": "https://b.test/\\ud800", "content": "Half a letter"}'
    with answering(monkeypatch, f'{{"results": [null, "x", {{}}, {{"url": 3}}, {odd}, {good}]}}'):
        (found,) = await Tavily().search("wind", limit=5)
    assert (found.uri, found.title) == ("https://b.test/", "")


async def test_a_server_that_is_away_may_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    monkeypatch.setenv("QUIRE_TAVILY_BASE_URL", f"http://127.0.0.1:{port}")
    error = await refusal()
    assert str(error) == "Tavily could not be reached"
    assert error.passing


async def test_a_server_that_hangs_is_left(
    tavily: StartTavily, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_CONNECTOR_SECONDS", "0.3")
    started = time.monotonic()
    with tavily(hang=lambda _: 60.0):
        error = await refusal()
    assert (error.code, error.passing) == ("connector_timeout", False)
    assert time.monotonic() - started < 5
