"""How a model plans a report: what it expects, what it chooses, what reaches the writers."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, outline_of, section_of, task_of
from graph_runs import QUESTION, asked, run_report, speaking
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graphs.ingest import graph as ingest
from graphs.report import builder, graph
from schema.context import SECTION_LIMITS, Context, ResearchMode

KEEPERS = ("lighthouse of Skerrywick", "keeper of Skerrywick", "years at the lighthouse")


def prompts_of(api: FakeOpenAI, task: str) -> list[str]:
    """The user's messages of all prompts of a task, their repair rounds left out."""
    found = [request.messages for request in api.requests if task_of(request) == task]
    return [messages[1]["content"] for messages in found if len(messages) == 2]


def reformulate(points: list[str]) -> Callable[[ChatRequest], str]:
    """A planner that expects these points."""
    query = {"query": "rank fusion", "type": "resource", "priority": 1}
    made = {"question": QUESTION, "language": "en", "queries": [query], "points": points}
    return lambda _: json.dumps(made)


async def test_what_an_expert_would_expect_is_written_down_before_anything_is_found(
    samples: str,
) -> None:
    points = [f"starting value of parameter {n}" for n in range(18)]
    with speaking(Writer({"reformulate": reformulate(points)})) as api:
        state = await run_report(samples)
    assert state["question"]["points"] == points[:8]
    [planned] = prompts_of(api, "outline")
    [shown] = re.findall(r"<points>\n(.*?)\n</points>", planned, re.DOTALL)
    assert re.findall("<item>(.*?)</item>", shown) == points[:8]
    [first] = prompts_of(api, "reformulate")
    assert "<points>8</points>" in first


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ({"research_mode": "deep"}, 15),
        ({"research_mode": "deep", "words": 900}, 13),
        ({"research_mode": "deeper"}, 15),
    ],
)
async def test_a_longer_report_is_expected_to_make_more_points(
    samples: str, given: dict[str, Any], count: int
) -> None:
    points = [f"starting value of parameter {n}" for n in range(15)]
    with speaking(Writer({"reformulate": reformulate(points)})) as api:
        state = await _plan(Context(space=samples, **given))
    assert state["question"]["points"] == points[:count]
    [first] = prompts_of(api, "reformulate")
    assert f"<points>{count}</points>" in first


@pytest.mark.slow
async def test_without_a_language_model_nothing_is_expected(samples: str) -> None:
    state = await run_report(samples)
    assert state["question"]["points"] == []


@pytest.mark.parametrize("mode", SECTION_LIMITS)
@pytest.mark.parametrize("most", [False, True])
async def test_any_number_of_sections_within_the_limits_is_taken_at_once(
    samples: str, mode: ResearchMode, most: bool
) -> None:
    count = SECTION_LIMITS[mode][most]
    with speaking(Writer({"outline": lambda _: outline_of(count)})) as api:
        context = Context(space=samples, research_mode=mode, deep_searches=1)
        state = await _plan(context)
    assert len(state["outline"]["sections"]) == count
    assert [task_of(request) for request in api.requests].count("outline") == 1


@pytest.mark.parametrize("named", [0, 3, 7])
async def test_the_plan_names_the_questions_for_a_next_report(samples: str, named: int) -> None:
    further = [f"What comes next, and next but {n}?" for n in range(named)]

    def plan(_: ChatRequest) -> str:
        return json.dumps(json.loads(outline_of(3)) | {"further": further})

    with speaking(Writer({"outline": plan})) as api:
        state = await _plan(Context(space=samples, research_mode="deep"))
    assert state["further_questions"] == further[:5]
    assert "further" not in state["outline"]
    assert len(prompts_of(api, "outline")) == 1


async def test_a_plan_made_without_a_model_names_them_too(samples: str) -> None:
    with speaking(Writer({"outline": lambda _: "No."})):
        state = await _plan(Context(space=samples))
    assert "outline_without_model" in {one["code"] for one in state["degraded"]}
    assert 3 <= len(state["further_questions"]) <= 5


@pytest.mark.parametrize(("mode", "count"), [("general", 3), ("deep", 1), ("deeper", 11)])
async def test_a_number_beyond_the_limits_is_repaired_once(
    samples: str, mode: ResearchMode, count: int
) -> None:
    with speaking(Writer({"outline": lambda _: outline_of(count)})) as api:
        state = await _plan(Context(space=samples, research_mode=mode))
    fewest, most = SECTION_LIMITS[mode]
    repair = [request.text for request in api.requests if task_of(request) == "outline"][1:]
    assert len(repair) == 1
    assert f"it has {count} sections instead of {fewest} to {most}" in repair[0]
    assert "outline_without_model" in {one["code"] for one in state["degraded"]}


def shaped(_: ChatRequest) -> str:
    """An outline with a shape, forms and lengths."""
    made = json.loads(outline_of(3)) | {"shape": "how-to"}
    for section, form, words in zip(
        made["sections"], ("steps", "table", "prose"), (613, 0, 207), strict=True
    ):
        section |= {"form": form, "words": words}
    return json.dumps(made)


@pytest.mark.slow
async def test_what_is_planned_of_a_section_reaches_its_writer(samples: str) -> None:
    with speaking(Writer({"outline": shaped})) as api:
        inputs = await _section_inputs(Context(space=samples, research_mode="deep"))
    assert [one["form"] for one in inputs] == ["steps", "table", "prose"]
    assert {(one["shape"], one["style"], one["audience"]) for one in inputs} == {
        ("how-to", "report", "")
    }
    assert _lengths(api) == [613, 420, 207]  # none planned: that of the mode


@pytest.mark.slow
async def test_what_the_run_asks_for_stands_over_the_plan_and_reaches_the_writer(
    samples: str,
) -> None:
    context = Context(
        space=samples, research_mode="deep", words=1_230, shape="decision", style="brief",
        audience="nurses new to the <ward>",
    )  # fmt: skip
    with speaking(Writer({"outline": shaped})) as api:
        inputs = await _section_inputs(context)
    assert {(one["shape"], one["style"], one["audience"]) for one in inputs} == {
        ("decision", "brief", "nurses new to the <ward>")
    }
    assert _lengths(api) == [613, 410, 207]
    [planned] = prompts_of(api, "outline")
    for line in ("<words>1230</words>", "<shape>decision</shape>", "<style>brief</style>",
                 "<audience>nurses new to the <ward></audience>"):  # fmt: skip
        assert line in planned


async def test_a_length_is_shared_out_without_a_language_model_too(samples: str) -> None:
    state = await _plan(Context(space=samples, research_mode="deep", words=900))
    assert [section["words"] for section in state["outline"]["sections"]] == [300, 300, 300]


async def test_an_edited_outline_keeps_the_planned_shape_and_the_asked_length(samples: str) -> None:
    threaded, config = builder.compile(checkpointer=InMemorySaver()), thread()
    context = Context(space=samples, research_mode="deep", words=600, approve_outline=True)
    mine = {"title": "Mine", "sections": [{"title": "BM25", "questions": ["What is BM25?"]}]}
    with speaking(Writer({"outline": shaped})):
        await threaded.ainvoke(asked(QUESTION), config, context=context)
        state = await threaded.ainvoke(Command(resume=mine), config, context=context)
    assert state["outline"]["shape"] == "how-to"
    assert [section["words"] for section in state["outline"]["sections"]] == [600]


def thread() -> Any:
    return {"configurable": {"thread_id": "1"}}


async def _plan(context: Context, last: str = "outline") -> dict[str, Any]:
    """The state when the plan is made, or after another step."""
    planning = builder.compile(checkpointer=InMemorySaver(), interrupt_after=[last])
    await planning.ainvoke(asked(QUESTION), thread(), context=context)
    return dict((await planning.aget_state(thread())).values)


async def _section_inputs(context: Context) -> list[dict[str, Any]]:
    """What each section of a report was given, by its place."""
    tasks = [
        one async for one in graph.astream(asked(QUESTION), context=context, stream_mode="tasks")
    ]
    inputs = [one["input"] for one in tasks if one["name"] == "section" and "input" in one]
    return sorted(inputs, key=lambda one: one["index"])


def _lengths(api: FakeOpenAI) -> list[int]:
    """The lengths that the writers were told, section by section."""
    told = {
        section_of(request): int(re.findall(r"<words>(\d+)</words>", request.text)[0])
        for request in api.requests
        if task_of(request) == "write_section"
    }
    titles = [section["title"] for section in json.loads(outline_of(3))["sections"]]
    return [told[title] for title in titles]


def one_section(words: int) -> Callable[[ChatRequest], str]:
    section = {"title": "About k", "questions": ["What is k in rank fusion?"], "words": words}
    return lambda _: json.dumps({"title": "The constant k", "sections": [section]})


@pytest.mark.parametrize("mode", ["deep", "deeper"])
async def test_a_question_for_one_fact_takes_the_short_way(
    samples: str, mode: ResearchMode
) -> None:
    with speaking(Writer({"outline": one_section(80)})) as api:
        state = await run_report(samples, research_mode=mode)
    assert len(state["report"]["sections"]) == 1
    assert "answered_briefly" in [one["code"] for one in state["report"]["degraded"]]
    tasks = [task_of(request) for request in api.requests]
    assert set(tasks) <= {"reformulate", "outline", "write_section", "repair_sentences"}
    assert len(tasks) <= 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "words"), [({}, 0), ({}, 400), ({"words": 900}, 80), ({"shape": "survey"}, 80)]
)
async def test_one_section_is_too_few_for_any_other(
    samples: str, given: dict[str, Any], words: int
) -> None:
    with speaking(Writer({"outline": one_section(words)})):
        state = await run_report(samples, research_mode="deep", **given)
    assert len(state["report"]["sections"]) > 1
    assert "answered_briefly" not in [one["code"] for one in state["report"]["degraded"]]


@pytest.mark.parametrize("pages", [0, 60])
async def test_a_plan_is_revised_where_the_searches_found_more_than_its_planner_had_seen(
    samples: str, tmp_path: Path, pages: int
) -> None:
    for n in range(pages):
        text = f"# Skerrywick {n}\n\nKeeper {n} kept the lighthouse of Skerrywick for {n} years."
        (tmp_path / f"{n}.md").write_text(text)
    if pages:
        await ingest.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=samples))

    def plan(request: ChatRequest) -> str:
        made = json.loads(Writer()(request))
        for section, query in zip(made["sections"], KEEPERS, strict=False):
            section["queries"] = [query]
        return json.dumps(made)

    context = Context(space=samples, research_mode="deep", connectors=["library"], top_k=30)
    with speaking(Writer({"outline": plan})) as api:
        await _plan(context, "revise_outline")
    prompts = prompts_of(api, "revise_outline")
    assert len(prompts) == (1 if pages else 0)
    assert all("<words>2142</words>" in one for one in prompts)
