"""Drives the Tavily fake with Tavily's own client."""

import asyncio
import time

import httpx
import pytest
from tavily import AsyncTavilyClient, errors  # type: ignore[import-untyped]

from fakes.sites.tavily_api import FakeTavily, Page

KEY = "tvly-test-0123456789abcdef"
PAGES = [
    Page("Solar power", "https://a.test/solar", "Panels turn light into power."),
    Page(
        "Wind power", "https://b.test/wind", "Wind turns blades.", "Wind at length.", "2024-05-01"
    ),
    Page("Bread", "https://c.test/bread", "Flour and water."),
]


@pytest.mark.asyncio
async def test_tavily_search() -> None:
    with FakeTavily(PAGES, api_key=KEY) as api:
        client = AsyncTavilyClient(api_key=KEY, api_base_url=api.url)
        found = await client.search("wind power", include_raw_content=True)
        first = await client.search("wind power", max_results=1)
        none = await client.search("granite")
    assert [result["title"] for result in found["results"]] == ["Wind power", "Solar power"]
    assert found["results"][0]["raw_content"] == "Wind at length."
    assert found["results"][0]["published_date"] == "2024-05-01"
    assert "published_date" not in found["results"][1]
    assert [result["raw_content"] for result in first["results"]] == [None]
    assert none["results"] == []
    assert api.queries == ["wind power", "wind power", "granite"]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, errors.UsageLimitExceededError),
        (432, errors.ForbiddenError),
        (500, httpx.HTTPStatusError),
    ],
)
async def test_tavily_faults(status: int, error: type[Exception]) -> None:
    with FakeTavily(PAGES, faults=[status], fail=lambda q: status if "bad" in q else None) as api:
        client = AsyncTavilyClient(api_key=KEY, api_base_url=api.url)
        with pytest.raises(error):
            await client.search("wind")
        assert (await client.search("wind"))["results"]
        with pytest.raises(error):
            await client.search("bad wind")


@pytest.mark.asyncio
async def test_tavily_refuses_bad_keys_and_long_queries() -> None:
    with FakeTavily(PAGES, api_key=KEY) as api:
        with pytest.raises(errors.InvalidAPIKeyError, match="missing or invalid API key"):
            await AsyncTavilyClient(api_key="wrong", api_base_url=api.url).search("wind")
        with pytest.raises(errors.BadRequestError, match="too long"):
            await AsyncTavilyClient(api_key=KEY, api_base_url=api.url).search("wind " * 100)


@pytest.mark.asyncio
async def test_tavily_hangs_and_still_stops() -> None:
    started = time.monotonic()
    with FakeTavily(PAGES, hang=lambda q: 60.0 if "slow" in q else 0.0) as api:
        client = AsyncTavilyClient(api_key=KEY, api_base_url=api.url)
        with pytest.raises(errors.TimeoutError):
            await client.search("slow wind", timeout=0.2)
        await asyncio.sleep(0.2)
        assert (await client.search("wind"))["results"]
    assert api.peak == 1
    assert time.monotonic() - started < 5
