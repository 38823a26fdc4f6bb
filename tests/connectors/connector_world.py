"""The little web that connectors are tried on, and what their fixtures are."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from fakes.sites.tavily_api import FakeTavily, Page

from connectors.live.tavily import Tavily
from connectors.search_all import ConnectorResult, SearchRequest, search_all
from library.library import Library

KEY = "tvly-test-0123456789abcdef"
PAGES = [
    Page(
        "Wind power",
        "https://b.test/wind",
        "Wind turns blades.",
        "Wind at length turns the blades of a turbine.",
        "Wed, 01 May 2024 10:00:00 GMT",
    ),
    Page("Solar power", "https://a.test/solar", "Panels turn light into power."),
]

StartTavily = Callable[..., AbstractContextManager[FakeTavily]]
AsNobody = Callable[[], AbstractContextManager[None]]

QUESTIONS = [f"What does wind do in year {number}?" for number in range(12)]


async def ask(library: Library, *questions: str, **limits: Any) -> list[ConnectorResult]:
    """Ask Tavily alone."""
    return await search_all([Tavily()], questions, SearchRequest(library, 5, **limits))
