"""What a run found on the web, in the runs after it: used for its term, and then not missed."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from fakes.sites.little_web import LittleWeb
from fakes.writer import Writer, task_of
from graph_runs import run_report, searching

from exports.formats import export
from graphs.revise_section import graph as revise_section
from library.library import Library, open_library
from schema.context import Context
from schema.errors import InputError, QuireError
from schema.report import Report
from serving.reports import begin_report, write_report

QUESTION = "What does Brask Robotics build?"
PAGES = {
    "/brask": (
        "Brask Robotics",
        [
            "Brask Robotics builds machines that sort glass. It has about two hundred workers and "
            "sells its machines in eleven countries of the north.",
            "The machines that Brask Robotics builds tell colours apart with cameras and blow each "
            "piece of glass into its box with air.",
        ],
    ),
}


@pytest.fixture
def web() -> Iterator[LittleWeb]:
    """Pages of which the search engine shows excerpts; a run of several sections reads them."""
    with searching(PAGES) as served:
        yield served


async def reported(space: str, **how: Any) -> Report | None:
    usual = {"research_mode": "deep", "check_links": False, "remember": False}
    state = await run_report(space, QUESTION, **usual | how)
    report: Report | None = state["report"]
    return report


async def forget_all(library: Library) -> None:
    """As if the term of all pages were over."""
    assert await library.open_part("web").remove_fetched_before(datetime.now(UTC), 1_000)


@pytest.mark.slow
async def test_a_page_is_a_source_of_later_runs_unless_they_are_fresh(
    web: LittleWeb, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await reported(space, connectors=["searxng"])
    assert first
    assert web.reads == ["/brask"]
    monkeypatch.delenv("QUIRE_SEARXNG_BASE_URL")
    second = await reported(space)
    assert second
    assert second["references"][0]["url"] == f"{web.url}/brask"
    assert not second["references"][0]["excerpt"]
    assert web.reads == ["/brask"]
    assert await reported(space, fresh=True) is None
    monkeypatch.setenv("QUIRE_WEB_DAYS", "0")
    assert await reported(space) is None


@pytest.mark.slow
async def test_a_saved_report_outlives_its_pages(web: LittleWeb, space: str) -> None:
    report = await reported(space, connectors=["searxng"])
    assert report
    library = await open_library(space)
    before = [export(report, name) for name in ("markdown", "html", "json", "bibtex")]
    await forget_all(library)
    kept = await library.load_report(report["id"])
    assert kept
    assert kept.report == report
    assert [export(kept.report, name) for name in ("markdown", "html", "json", "bibtex")] == before
    request = {"report_id": report["id"], "section_numbers": [1], "instruction": "make it shorter"}
    with pytest.raises(QuireError, match=r"^No source speaks of the section "):
        await revise_section.ainvoke(request, context=Context(space=space))


async def test_a_run_that_is_gone_on_with_too_late_says_so(
    web: LittleWeb, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hang(request: ChatRequest) -> float:
        if task_of(request) == "write_section":
            loop.call_soon_threadsafe(begun.set)
            return 60.0
        return 0.0

    with FakeOpenAI(Writer()) as api:
        api.hang = hang
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        report = await begin_report(QUESTION, Context(space=space, connectors=["searxng"]))
        running = asyncio.create_task(write_report(report, lambda _: None))
        await asyncio.wait_for(begun.wait(), 30)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await forget_all(await open_library(space))
        with pytest.raises(InputError, match="of its sources are no longer kept: write it again"):
            await write_report(report, lambda _: None)
