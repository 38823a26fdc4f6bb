"""SearXNG's search API: docs.searxng.org/dev/search_api."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from conformance import LiveConformance, items
from fakes.provider import Item, Provider
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from connectors.live.searxng import RANGES, _choose_range

LANGUAGES = ("all", "auto", "de", "en", "ja")
DAYS = {"": 9_999, "day": 1, "month": 30, "year": 365}
TODAY = date(2026, 3, 1)


class SearxngServer(Provider):
    engines: tuple[Any, ...] = ()
    """What it says of engines that failed it."""
    odd: tuple[Any, ...] = ()
    """Stands before the results."""

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.asked: list[tuple[str, str]] = []

    def api(self) -> list[Any]:
        return [Route("/search", self.search)]

    def allowed(self, request: Request) -> bool:
        return True

    def failure(self, status: int) -> Response:
        return Response(f"<!doctype html><title>{status}</title>", status, media_type="text/html")

    async def search(self, request: Request) -> Response:
        asked = request.query_params
        assert asked.keys() - {"time_range"} == {"q", "format", "language"}
        assert asked["format"] == "json"
        assert asked["language"] in LANGUAGES
        if not asked["q"]:
            return JSONResponse({"error": "No query"}, 400)
        self.asked.append((asked["q"], asked["language"]))
        since = datetime.now(UTC) - timedelta(days=DAYS[asked.get("time_range", "")])
        results = [
            {
                "url": f"https://turbines.test/{item.number}",
                "title": item.title,
                "content": item.text,
                "publishedDate": item.when.strftime("%Y-%m-%dT%H:%M:%S"),
                "engine": "brave",
                "engines": ["brave", "mojeek"],
                "template": "default.html",
                "category": "general",
                "score": 1.5,
            }
            for item in self.items.values()
            if item.when >= since
        ]
        return JSONResponse(
            {
                "query": asked["q"],
                "number_of_results": 0,  # also where it found some
                "results": [*self.odd, *results],
                "answers": [],
                "corrections": [],
                "infoboxes": [],
                "suggestions": [],
                "unresponsive_engines": list(self.engines),
            }
        )


class TestSearxng(LiveConformance[SearxngServer]):
    name = "searxng"
    takes_since = True
    provider = SearxngServer

    @pytest.mark.parametrize("status", [401, 403])
    async def test_an_instance_without_json_is_told_what_to_set(self, status: int) -> None:
        with self.serving(items(3)) as provider:
            provider.always = status
            error = await self.refused()
        assert (error.code, error.retryable) == ("connector_refused", False)
        assert "its settings.yml must list json under search: formats" in str(error)

    @pytest.mark.parametrize(
        ("query", "asked"),
        [
            ("Wie viele Windräder stehen in Deutschland?", "de"),
            ("What is the height of a wind turbine?", "en"),
            ("風力発電とは何ですか", "ja"),
            ("12345", "all"),
        ],
    )
    async def test_the_language_of_the_question_is_asked_for(self, query: str, asked: str) -> None:
        with self.serving(items(1)) as provider:
            await self.live().search(query, limit=5)
            assert provider.asked == [(query, asked)]

    async def test_a_question_gives_no_orders(self) -> None:
        query = "What !important does, !!wp and :de wind <3 m/s, C++!" + " wind" * 100
        with self.serving(items(1)) as provider:
            await self.live().search(query, limit=5)
            ((asked, _),) = provider.asked
        assert asked.startswith("What important does, wp and de wind 3 m/s, C++! wind")
        assert len(asked) == 400

    async def test_nothing_found_by_engines_that_failed_is_a_failure(self) -> None:
        engines = (["google", "CAPTCHA"], ["brave", "Suspended: too many requests"], [], None)
        with self.serving([]) as provider:
            provider.engines = engines
            error = await self.refused()
            assert str(error) == "SearXNG found nothing, and google, brave did not answer it"
            provider.put(*items(2))
            assert len(await self.live().search(self.query, limit=5)) == 2

    async def test_results_that_are_none_are_dropped(self) -> None:
        good = {"url": "https://turbines.test/", "content": "Wind", "title": None}
        odd = (
            None,
            "x",
            {},
            {"url": 3, "content": "Wind"},
            {**good, "url": "magnet:?xt=urn:btih:0"},
            {**good, "content": None},
            {**good, "publishedDate": 5},
        )
        with self.serving([]) as provider:
            provider.odd = odd
            (found,) = await self.live().search(self.query, limit=10)
        assert (found.uri, found.title, found.published) == ("https://turbines.test/", "", "")

    @pytest.mark.parametrize("body", [None, [], {}, {"results": None}, {"results": {}}], ids=str)
    async def test_an_answer_that_is_none_is_a_failure(self, body: Any) -> None:
        async def search(_: SearxngServer, request: Request) -> Response:
            return JSONResponse(body)

        self.monkeypatch.setattr(SearxngServer, "search", search)
        with self.serving(items(1)):
            assert str(await self.refused()) == "SearXNG's answer could not be read"


@pytest.mark.parametrize(
    ("since", "asked"),
    [
        ("2026-03-02", "day"),
        ("2026-03-01", "day"),
        ("2026-02-28", "month"),
        ("2026-02-02", "month"),
        ("2026-02-01", "year"),
        ("2025-03-02", "year"),
        ("2025-03-01", None),
    ],
)
def test_the_smallest_range_that_holds_the_day_is_asked_for(since: str, asked: str | None) -> None:
    assert _choose_range(since, TODAY) == asked


@given(st.dates(max_value=TODAY))
def test_no_range_leaves_out_a_day_that_is_wanted(since: date) -> None:
    asked = _choose_range(since.isoformat(), TODAY)
    assert asked is None or since > TODAY - timedelta(days=RANGES[asked])
