"""A deeper report searches within the run for what its sources leave open."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, outline_of, section_of
from graph_runs import get_sections, run_report, searching, speaking

MAYOR = "Who was elected mayor of Larkfield on the river Ume?"
PAGES = {
    "/larkfield": (
        "Larkfield on the river Ume",
        [
            "Larkfield lies on the river Ume and has nine thousand inhabitants, who work in the "
            "mills along the water or in the town's two schools.",
            'The town council of Larkfield and its <a href="/council">elected members</a> meet in '
            "the old granary on the first Monday of each month.",
        ],
    ),
    "/council": (
        "The council",
        [
            "Ines Holm was elected mayor of Larkfield on the river Ume in the spring of the year "
            "before last, with three votes more than her rival.",
        ],
    ),
}


def outline(_: ChatRequest) -> str:
    """Two sections ask the same thing in other words, and neither source of the pool knows."""
    made = json.loads(outline_of(6))
    made["sections"][1]["questions"][1] = MAYOR
    made["sections"][4]["questions"][1] = "Which mayor did Larkfield on the Ume elect?"
    return json.dumps(made)


def write(request: ChatRequest) -> str:
    """Quotes what names the mayor, where the section was shown it."""
    for number, body in re.findall(
        r'<source n="(\d+)"[^>]*>(.*?)</source>', request.text, re.DOTALL
    ):
        if "Ines Holm" in body:
            return f"Ines Holm was elected mayor of Larkfield [{number}]."
    return Writer()(request)


def decide(request: ChatRequest) -> str:
    """No decisions of its own: the extractive model stands in."""
    return "I would rather not."


@pytest.fixture
def thoughtless() -> dict[str, Callable[[ChatRequest], str]]:
    tasks = ["choose_criteria", "choose_action", "write_queries", "answer_question", "judge_answer"]
    return {**dict.fromkeys(tasks, decide), "outline": outline, "write_section": write}


async def run(space: str, **given: Any) -> dict[str, Any]:
    settings = {"research_mode": "deeper", "connectors": ["library", "searxng"]} | given
    return await run_report(space, "What is known?", **settings)


@pytest.mark.slow
async def test_an_open_question_is_searched_and_what_is_found_joins_with_new_numbers(
    samples: str, thoughtless: dict[str, Callable[[ChatRequest], str]]
) -> None:
    with searching(PAGES, ["/larkfield"]), speaking(Writer(thoughtless)) as api:
        state = await run(samples)
    report = state["report"]
    assert "Ines Holm" in get_sections(report)[1]["text"]
    assert "Ines Holm" in get_sections(report)[4]["text"]
    named = [one for one in report["references"] if one["url"].endswith("/council")]
    assert len(named) == 1  # two sections found it, each under a number of its own
    known = {source["number"] for source in state["sources"]}
    new = [
        source["number"]
        for section in state["sections"]
        for source in section["sources"]
        if source["number"] not in known
    ]
    assert len(new) == len(set(new)) > 0
    assert {section_of(r) for r in api.requests} >= {"About dense vectors"}


@pytest.mark.slow
async def test_a_report_that_is_not_deeper_searches_no_further(
    samples: str, thoughtless: dict[str, Callable[[ChatRequest], str]]
) -> None:
    made = {**thoughtless, "outline": lambda _: outline_of(3)}
    with searching(PAGES, ["/larkfield"]) as web, speaking(Writer(made)):
        await run(samples, research_mode="deep")
    assert web.reads == []
