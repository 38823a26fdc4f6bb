"""Pages that a search gave only excerpts of are read; one page and one query once in a run."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fakes.openai_chat import ChatRequest
from fakes.sites.little_web import LittleWeb
from fakes.sites.tavily_api import FakeTavily, Page
from fakes.writer import Writer, outline_of, task_of
from graph_runs import codes, get_sections, run_report, searching, speaking

SEARCHING = (
    "choose_criteria", "choose_action", "write_queries", "answer_question", "judge_answer",
)  # fmt: skip
"""What a model is asked in a deep search."""
QUESTION = "What do otters eat in winter?"
PAGES = {
    "/otters": (
        "Otters in winter",
        [
            "Otters live along rivers and lakes, where they dig holts under the roots of trees and "
            "raise their young in spring and early summer.",
            "In winter otters eat frogs that sleep in the mud under the ice of ponds and rivers.",
        ],
    ),
    "/fish": (
        "What otters eat",
        [
            "Otters eat fish, crabs and mussels, and in winter they eat what they find below the "
            "ice. They hunt at dusk and at dawn, mostly alone.",
            "A grown otter eats about a kilogram of fish each day, in winter a little more.",
        ],
    ),
}


@pytest.fixture
def web() -> Iterator[LittleWeb]:
    with searching(PAGES) as served:
        yield served


async def run(space: str, mode: str, connector: str = "searxng") -> dict[str, Any]:
    settings = {"research_mode": mode, "connectors": [connector], "check_links": False}
    return await run_report(space, QUESTION, **settings)


@pytest.mark.slow
async def test_a_deep_report_is_written_from_the_pages_themselves(
    web: LittleWeb, space: str
) -> None:
    state = await run(space, "deep")
    report = state["report"]
    assert "frogs that sleep in the mud" in " ".join(one["text"] for one in get_sections(report))
    assert sorted(web.reads) == ["/fish", "/otters"]
    assert state["spent"]["pages"] == 2
    assert not any(reference["excerpt"] for reference in report["references"])


async def test_a_general_report_reads_no_page(web: LittleWeb, space: str) -> None:
    await run(space, "general")
    assert web.reads == []


async def test_a_page_that_cannot_be_read_is_named_and_its_excerpt_stays(
    web: LittleWeb, space: str
) -> None:
    web.found.append("/otters-eat-winter?token=s3cret")  # which is gone
    report = (await run(space, "deep"))["report"]
    [lost] = [one["detail"] for one in report["degraded"] if one["code"] == "pages_not_read"]
    assert "1 of 3 pages" in lost
    assert "/otters-eat-winter" in lost
    assert "s3cret" not in lost


@pytest.mark.slow
async def test_searches_side_by_side_share_queries_and_pages(web: LittleWeb, space: str) -> None:
    """Six sections have twelve open questions, each with a search of its own."""
    writer = Writer(dict.fromkeys(SEARCHING, lambda _: "I would rather not."))
    with speaking(writer) as api:
        state = await run(space, "deeper")
    assert any(task_of(one) in SEARCHING for one in api.requests)
    assert len(web.reads) == len(set(web.reads))
    assert len(web.searches) == len({query.casefold().rstrip("?") for query in web.searches})
    assert "not_answered" in codes(state["report"])


@pytest.mark.slow
async def test_a_deep_search_starts_where_the_engine_gives_full_texts(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full text that speaks of a question need not answer it, and is none of the user's own."""
    pages = [
        Page(title, f"https://{path[1:]}.example", body[0], " ".join(body))
        for path, (title, body) in PAGES.items()
    ]

    def outline(_: ChatRequest) -> str:
        made = json.loads(outline_of(6))
        for section in made["sections"]:
            section["questions"] = ["Which fish do otters eat?", "Which frogs do otters eat?"]
        return json.dumps(made)

    writer = Writer(
        {**dict.fromkeys(SEARCHING, lambda _: "I would rather not."), "outline": outline}
    )
    with FakeTavily(pages) as web, speaking(writer):
        monkeypatch.setenv("TAVILY_API_KEY", "tvly-test")
        monkeypatch.setenv("QUIRE_TAVILY_BASE_URL", web.url)
        state = await run(space, "deeper", "tavily")
    assert state["report"]["references"]
    assert not any(reference["excerpt"] for reference in state["report"]["references"])
    assert state["follow_up_searches"]


@pytest.mark.slow
async def test_when_the_runs_time_is_over_the_report_has_what_was_written(samples: str) -> None:
    def hang(request: ChatRequest) -> float:
        return 60 if "<section>About reranking</section>" in request.text else 0

    with speaking(Writer()) as api:
        api.hang = hang
        report = (await run_report(samples, research_mode="deep", run_seconds=8))["report"]
    assert len(get_sections(report)) == 3
    assert "section_extracted" in codes(report)
