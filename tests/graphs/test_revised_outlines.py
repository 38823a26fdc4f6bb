"""What is searched for a plan, and what becomes of the plan once its sources were found."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, outline_of, section_of, shown_sections, task_of
from graph_runs import QUESTION, asked, get_sections, run_report, speaking
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graphs.ingest import graph as ingest_graph
from graphs.report import builder
from library.database.checkpoints import open_checkpointer
from library.library import open_library
from schema.context import Context, ResearchMode
from serving.reports import begin_report, write_report

pytestmark = pytest.mark.usefixtures("news")

Answer = Callable[[ChatRequest], str]
KEEPERS = "Who kept the lighthouse of Skerrywick?"


@pytest.fixture
def news(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans are revised although the first look shows nearly all of the few sample pages."""
    monkeypatch.setattr("nodes.plan.revise_outline.KNOWN_SHARE", 2.0)


@pytest.fixture
async def harbours(samples: str, tmp_path: Path) -> str:
    """The sample pages, and one that no question about search finds."""
    page = tmp_path / "skerrywick.md"
    page.write_text(
        "# Skerrywick\n\nMarta Lund kept the lighthouse of Skerrywick for thirty years, and wrote "
        "down each ship that passed it in a ledger with a green cover.\n"
    )
    await ingest_graph.ainvoke({"sources": [str(page)]}, context=Context(space=samples))
    return samples


def planning(**queries: list[str]) -> Answer:
    """An outline whose sections search for these queries, by the section's subject."""

    def plan(request: ChatRequest) -> str:
        made = json.loads(Writer()(request))
        for section in made["sections"]:
            section["queries"] = queries.get(section["title"].split()[-1], [])
        return json.dumps(made)

    return plan


def revising(sections: list[dict[str, Any]], missing: list[dict[str, Any]] | None = None) -> Answer:
    return lambda _: json.dumps({"sections": sections, "missing": missing or []})


def missing_keepers(queries: list[str], section: int = 2) -> Answer:
    """The plan as it is, with the lighthouse as an open question."""

    def revise(request: ChatRequest) -> str:
        missing = {"question": KEEPERS, "section": section, "queries": queries}
        return json.dumps({"sections": shown_sections(request), "missing": [missing]})

    return revise


async def run_until_sections(context: Context) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """(state when the sections are about to be written, events)."""
    config: Any = {"configurable": {"thread_id": "1"}}
    begun = builder.compile(checkpointer=InMemorySaver(), interrupt_after=["search_open_questions"])
    events: list[Any] = []
    given: list[Any] = [asked(QUESTION), *([Command(resume="accept")] * context.approve_outline)]
    for one in given:
        stream = begun.astream(one, config, context=context, stream_mode="custom")
        events += [event async for event in stream]
    state = await begun.aget_state(config)
    assert "section" in state.next
    return dict(state.values), events


def count_searches(events: list[dict[str, Any]]) -> Counter[str]:
    return Counter(event["question"] for event in events if event["type"] == "searched")


async def test_queries_are_searched_in_place_of_their_section_s_questions_and_alike_ones_once(
    samples: str,
) -> None:
    plan = planning(
        BM25=["term frequency saturation parameter k1"],
        vectors=["parameter k1 term frequency saturation", "cosine of embeddings"],
    )
    with speaking(Writer({"outline": plan})):
        context = Context(space=samples, research_mode="deep", connectors=["library"])
        state, events = await run_until_sections(context)
    assert count_searches(events) == {
        QUESTION: 1,
        "term frequency saturation parameter k1": 1,
        "cosine of embeddings": 1,
        "What is reranking?": 1,
        "Where does reranking fail?": 1,
    }
    hits = await (await open_library(samples)).search("term frequency saturation parameter k1")
    [best] = [one for one in state["pool"] if one["chunk"] == hits.hits[0].chunk]
    assert {0, 1} <= set(best["sections"])  # both asked for it, the second in other words


async def test_what_the_user_s_own_texts_answer_is_not_searched_for_deeply(samples: str) -> None:
    def plan(_: ChatRequest) -> str:
        made = json.loads(outline_of(4))
        made["sections"][0]["questions"] = [QUESTION, KEEPERS]
        made["sections"][0]["queries"] = ["hybrid search"]
        return json.dumps(made)

    with speaking(Writer({"outline": plan})):
        context = Context(space=samples, research_mode="deeper", connectors=["library"])
        state, _ = await run_until_sections(context)
    deep = [one["question"] for one in state["follow_up_searches"]]
    assert KEEPERS in deep
    assert QUESTION not in deep


@pytest.mark.slow
async def test_sections_are_split_merged_added_and_ordered_by_what_was_found(samples: str) -> None:
    revised = [
        {"title": "Fusion", "questions": ["What is rank fusion?"], "sources": [2, 99]},
        {"title": "k1", "questions": ["What does k1 do?"], "sources": [1], "form": "table"},
        {"title": "b", "questions": ["What does b do?"], "sources": [1], "words": 222},
        {"title": "Vectors and reranking", "questions": ["What is reranking?"]},
    ]
    with speaking(Writer({"revise_outline": revising(revised)})) as api:
        state = await run_report(samples, research_mode="deep")
    titles = ["Fusion", "k1", "b", "Vectors and reranking"]
    assert [section["title"] for section in get_sections(state["report"])] == titles
    sections = state["outline"]["sections"]
    assert [one["title"] for one in sections] == titles
    assert [one["form"] for one in sections] == ["prose", "table", "prose", "prose"]
    assert sections[2]["words"] == 222
    assert state["outline"]["title"] == json.loads(outline_of(3))["title"]
    written = {section_of(one) for one in api.requests if task_of(one) == "write_section"}
    assert written == set(titles)
    of = {entry["number"]: {*entry["sections"]} & {0, 1, 2} for entry in state["pool"]}
    assert (of[1], of[2]) == ({1, 2}, {0})
    assert not any(of[number] for number in of if number > 2)
    [request] = [one for one in api.requests if task_of(one) == "revise_outline"]
    found = shown_sections(request)[2]["sources"]  # for its question, by the plan before
    heirs = {entry["number"] for entry in state["pool"] if 3 in entry["sections"]}
    assert heirs >= set(found) != set()  # it names no source, and keeps what was found


async def test_the_planner_sees_the_plan_the_points_and_what_was_found_by_section(
    samples: str,
) -> None:
    seen: list[ChatRequest] = []

    def revise(request: ChatRequest) -> str:
        seen.append(request)
        return Writer()(request)

    def reformulate(request: ChatRequest) -> str:
        return json.dumps(json.loads(Writer()(request)) | {"points": ["value of k1", "cost"]})

    with speaking(Writer({"revise_outline": revise, "reformulate": reformulate})):
        state, events = await run_until_sections(Context(space=samples, research_mode="deep"))
    [request] = seen
    prompt = request.messages[1]["content"]
    assert "<item>value of k1</item>\n<item>cost</item>" in prompt
    shown = shown_sections(request)
    assert [one["title"] for one in shown] == [one["title"] for one in state["outline"]["sections"]]
    assert all(one["sources"] for one in shown)
    numbers = {source["number"] for source in state["sources"]}
    assert {number for one in shown for number in one["sources"]} <= numbers
    assert "<sections>2 to 5</sections>" in prompt
    assert len(numbers) <= 12
    assert {int(n) for n in re.findall(r'<source n="(\d+)"', prompt)} == numbers  # none left out
    [told] = [event for event in events if event["type"] == "outline_revised"]
    assert told["sections"] == [one["title"] for one in shown]


async def test_open_questions_are_searched_once_and_numbers_stay(harbours: str) -> None:
    context = Context(space=harbours, research_mode="deep", connectors=["library"])
    plan = planning(vectors=["cosine of vectors"])
    with speaking(Writer({"outline": plan})):
        before, _ = await run_until_sections(context)
    queries = ["lighthouse Skerrywick keeper", "What is BM25?"]  # the second was asked before
    with speaking(Writer({"outline": plan, "revise_outline": missing_keepers(queries)})):
        state, events = await run_until_sections(context)
    assert state["outline"]["sections"][1]["queries"] == ["cosine of vectors", queries[0]]
    searched = count_searches(events)
    assert (searched[queries[0]], searched[queries[1]], searched[KEEPERS]) == (1, 1, 0)
    known = len(before["sources"])
    assert state["sources"][:known] == before["sources"]
    [new] = state["sources"][known:]
    assert (new["title"], new["number"]) == ("Skerrywick", known + 1)
    joined = [entry for entry in state["pool"] if entry["number"] == new["number"]]
    assert joined
    assert all(entry["sections"] == [1] for entry in joined)
    assert {e["chunk"] for e in before["pool"]} < {e["chunk"] for e in state["pool"]}
    assert KEEPERS in state["outline"]["sections"][1]["questions"]
    assert [event["type"] for event in events].count("pool") == 2
    assert state["spent"]["searches"] == before["spent"]["searches"] + 1


async def test_an_open_question_that_a_section_asks_in_other_words_is_searched_and_not_asked_twice(
    harbours: str,
) -> None:
    def revise(request: ChatRequest) -> str:
        sections = [*shown_sections(request), {"title": "Lighthouse", "questions": [KEEPERS]}]
        same = "The lighthouse of Skerrywick was kept by whom?"
        missing = {"question": same, "section": 1, "queries": ["Skerrywick keeper ledger"]}
        return json.dumps({"sections": sections, "missing": [missing]})

    with speaking(Writer({"revise_outline": revise})):
        state, events = await run_until_sections(Context(space=harbours, research_mode="deep"))
    asked_for = [one for section in state["outline"]["sections"] for one in section["questions"]]
    assert [one for one in asked_for if "lighthouse" in one] == [KEEPERS]
    assert count_searches(events)["Skerrywick keeper ledger"] == 1


async def test_an_open_question_without_queries_and_section_is_asked_itself_in_the_likest_one(
    harbours: str,
) -> None:
    def revise(request: ChatRequest) -> str:
        sections = [*shown_sections(request), {"title": "Lighthouse", "questions": ["Why there?"]}]
        missing = [{"question": KEEPERS}]
        return json.dumps({"sections": sections, "missing": missing})

    with speaking(Writer({"revise_outline": revise})):
        context = Context(space=harbours, research_mode="deep", connectors=["library"])
        state, events = await run_until_sections(context)
    assert count_searches(events)[KEEPERS] == 1
    assert state["outline"]["sections"][3]["questions"] == ["Why there?", KEEPERS]
    assert state["sources"][-1]["title"] == "Skerrywick"


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["I would rather not.", '{"sections": []}', outline_of(6)])
async def test_a_plan_that_is_not_revised_stays_and_a_code_says_so(
    samples: str, answer: str
) -> None:
    with speaking(Writer({"revise_outline": lambda _: answer})) as api:
        state = await run_report(samples, research_mode="deep")
    assert [section["title"] for section in get_sections(state["report"])] == [
        section["title"] for section in json.loads(outline_of(3))["sections"]
    ]
    [code] = [one for one in state["report"]["degraded"] if one["code"] == "outline_not_revised"]
    assert "did not give a usable OutlineRevision in two tries" in code["detail"]
    assert [task_of(request) for request in api.requests].count("revise_outline") == 2


@pytest.mark.parametrize(
    ("mode", "given"),
    [
        ("general", {}),
        ("deep", {"approve_outline": True}),
        ("deep", {"planner_model": "extractive"}),
    ],
)
async def test_a_small_an_approved_and_an_extractive_plan_are_not_revised(
    samples: str, mode: ResearchMode, given: dict[str, Any]
) -> None:
    with speaking(Writer()) as api:
        _, events = await run_until_sections(Context(space=samples, research_mode=mode, **given))
        assert [task_of(request) for request in api.requests].count("revise_outline") == 0
    assert "outline_revised" not in [event["type"] for event in events]


@pytest.mark.slow
async def test_a_report_killed_after_the_revision_goes_on_with_the_revised_plan(
    harbours: str,
) -> None:
    revise = missing_keepers(["lighthouse Skerrywick keeper"])
    with speaking(Writer({"revise_outline": revise})) as api:
        context = Context(space=harbours, research_mode="deep")
        begun = await begin_report(QUESTION, context)
        async with open_checkpointer() as saver:
            stopped = builder.compile(
                checkpointer=saver, interrupt_after=["search_open_questions"], name="report"
            )
            config: Any = {"configurable": {"thread_id": begun.id, "report_id": begun.id}}
            await stopped.ainvoke(asked(QUESTION), config, context=context)
        asked_for = Counter(task_of(request) for request in api.requests)
        outcome = await write_report(begun, lambda _: None)
    assert outcome.report is not None
    again = Counter(task_of(request) for request in api.requests)
    planning_tasks = ("reformulate", "outline", "revise_outline")
    assert [again[task] for task in planning_tasks] == [1, 1, 1]
    assert asked_for["write_section"] == 0
    kept = await (await open_library(harbours)).load_report(begun.id)
    assert kept is not None
    assert KEEPERS in kept.material[2]["questions"]  # the first is the summary's
