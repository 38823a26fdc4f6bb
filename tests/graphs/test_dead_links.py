"""Links of the reference list: what is dead is marked, what is unknown is not, nothing fails."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fakes.sites.tavily_api import FakeTavily, Page
from fakes.sites.web_pages import FakeSite
from graph_runs import codes, run_report

from nodes.common import links as link_checks
from schema.report import Report

TEXTS = [
    "Otters eat fish and crabs all year, and otters eat mussels at the coast.",
    "In winter otters eat frogs that sleep under the ice of a river.",
    "Young otters eat nothing but the milk of their mother for two months.",
    "Sea otters eat urchins and clams that they crack with stones.",
]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSite]:
    """A website, let through."""
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    with FakeSite() as running:
        yield running


@contextmanager
def found(monkeypatch: pytest.MonkeyPatch, *urls: str) -> Iterator[None]:
    """A search engine that finds a page about otters at each of the addresses."""
    pages = [
        Page(f"Otters {number}", url, text, text)
        for number, (url, text) in enumerate(zip(urls, TEXTS, strict=False))
    ]
    with FakeTavily(pages) as web:
        monkeypatch.setenv("TAVILY_API_KEY", "tvly-test")
        monkeypatch.setenv("QUIRE_TAVILY_BASE_URL", web.url)
        yield


async def run(space: str, **how: Any) -> tuple[Report, str]:
    """The report on what otters eat, and its text."""
    state = await run_report(space, "What do otters eat?", connectors=["tavily"], **how)
    return state["report"], str(state["messages"][-1].text)


def links(report: Report) -> dict[str, bool | None]:
    """What was found out, by address."""
    return {reference["url"]: reference["reachable"] for reference in report["references"]}


async def test_a_dead_link_is_marked_and_the_others_are_not(
    space: str, site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is gone is dead, too, where another server answers."""
    gone, ok, refused = (f"{site.url}/{path}" for path in ("404", "ok", "403"))
    unnamed = "https://gone.invalid/otters"
    with found(monkeypatch, gone, ok, refused, unnamed):
        report, text = await run(space)
    assert links(report) == {gone: False, ok: True, refused: None, unnamed: False}
    states = {reference["url"]: reference["link"] for reference in report["references"]}
    assert states == {gone: "gone", ok: "answers", refused: "forbidden", unnamed: "no host"}
    [day] = {reference["checked"][:10] for reference in report["references"]}
    [line] = [line for line in text.splitlines() if f"<{gone}>" in line]
    assert line.endswith(f"(page no longer there on {day}).")
    assert f"(website no longer there on {day})" in text
    assert text.count("no longer there") == 2
    assert "links_not_checked" not in codes(report)


@pytest.mark.parametrize("urls", [["https://gone.invalid", "https://b.test"], ["http://[::1]/"]])
async def test_without_a_network_no_link_is_called_dead(
    space: str, monkeypatch: pytest.MonkeyPatch, urls: list[str]
) -> None:
    with found(monkeypatch, *urls):
        report, text = await run(space)
    assert links(report) == dict.fromkeys(urls)
    assert "links_not_checked" in codes(report)
    assert "`links_not_checked`: No link of the references could be checked" in text
    assert "no longer there" not in text


async def test_links_are_not_checked_where_the_run_does_not_want_it(
    space: str, site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with found(monkeypatch, f"{site.url}/404"):
        report, _ = await run(space, check_links=False)
    assert links(report) == {f"{site.url}/404": None}
    assert "links_not_checked" not in codes(report)
    assert site.requests == []


async def test_cited_links_are_asked_once_and_before_the_text_is_done(
    space: str, site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = [f"{site.url}/ok?{number}" for number in range(3)]
    with found(monkeypatch, *urls):
        state = await run_report(space, "What do otters eat?", connectors=["tavily"])
    cited = links(state["report"])
    assert cited
    assert cited == dict.fromkeys(cited, True)
    assert set(state["links"]) >= set(cited)
    assert len(site.requests) == len(state["links"])


@pytest.mark.slow
async def test_waiting_for_a_place_is_no_part_of_a_link_s_deadline(
    site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_checks, "LINK_SECONDS", 1.0)
    monkeypatch.setattr(link_checks, "MAX_CONCURRENT", 2)
    slow = [f"{site.url}/slow?{number}" for number in range(2)]
    behind = [f"{site.url}/ok?{number}" for number in range(2)]
    found = await link_checks.check_urls([*slow, *behind])
    assert [url for url, one in found.items() if one] == behind


@pytest.mark.slow
async def test_a_link_that_hangs_costs_the_deadline_and_its_mark_alone(
    space: str, site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_checks, "LINK_SECONDS", 1.0)
    with found(monkeypatch, f"{site.url}/slow", f"{site.url}/ok", f"{site.url}/404"):
        started = time.monotonic()
        report, _ = await run(space)
        assert time.monotonic() - started < 40
    assert links(report) == {
        f"{site.url}/slow": None,
        f"{site.url}/ok": True,
        f"{site.url}/404": False,
    }
    others = [task for task in asyncio.all_tasks() if "_ask" in repr(task.get_coro())]
    assert others == []
