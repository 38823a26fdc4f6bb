"""A question that is put to a saved report: what it was written from answers first."""

from pathlib import Path
from typing import Any

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, task_of
from graph_runs import QUESTION, run_report, speaking

from graphs.deep_search import graph
from graphs.ingest import graph as ingest_graph
from schema.context import Context
from schema.deep_search import DeepAnswer
from schema.errors import InputError
from schema.report import Report

TOLD = "What is reciprocal rank fusion?"
BEYOND = "How many candles has the lamp of the lighthouse of Cape Ferrow?"


async def written(space: str) -> Report:
    report: Report = (await run_report(space, QUESTION, research_mode="deep"))["report"]
    return report


async def ask(
    report: Report, question: str, space: str, *, may_search: bool = True, **settings: Any
) -> DeepAnswer:
    given = {"question": question, "report_id": report["id"], "may_search": may_search}
    state = await graph.ainvoke(given, context=Context(space=space, **settings))
    answer: DeepAnswer = state["answer"]
    return answer


async def add_lighthouse(space: str, folder: Path) -> None:
    page = folder / "lighthouse.md"
    page.write_text("# Cape Ferrow\n\nThe lamp of the lighthouse of Cape Ferrow has 2,000 candles.")
    await ingest_graph.ainvoke({"sources": [str(page)]}, context=Context(space=space))


@pytest.mark.slow
async def test_its_own_sources_answer_and_nothing_is_searched(samples: str) -> None:
    report = await written(samples)
    answer = await ask(report, TOLD, samples)
    assert answer["found"]
    assert answer["answered"]
    assert (answer["queries"], answer["pages_read"]) == ([], [])
    assert answer["citations"]


@pytest.mark.slow
async def test_where_they_do_not_answer_it_is_searched_for(samples: str, tmp_path: Path) -> None:
    report = await written(samples)
    await add_lighthouse(samples, tmp_path)
    answer = await ask(report, BEYOND, samples)
    assert answer["queries"]
    assert "2,000 candles" in answer["text"]
    assert [one["title"] for one in answer["references"]] == ["Cape Ferrow"]


@pytest.mark.slow
async def test_where_it_may_not_search_it_says_that_they_do_not_answer(
    samples: str, tmp_path: Path
) -> None:
    report = await written(samples)
    await add_lighthouse(samples, tmp_path)
    answer = await ask(report, BEYOND, samples, may_search=False)
    assert not answer["found"]
    assert answer["queries"] == []
    assert "2,000" not in answer["text"]


@pytest.mark.slow
async def test_a_language_model_answers_from_them_without_choosing_a_step(samples: str) -> None:
    report = await written(samples)
    tasks: list[str] = []
    writer = Writer()

    def answer_request(request: ChatRequest) -> str:
        tasks.append(task_of(request))
        return writer(request)

    with speaking(answer_request):
        answer = await ask(
            report, TOLD, samples, may_search=False,
            planner_model="openai:gpt-test", writer_model="openai:gpt-test",
        )  # fmt: skip
    assert answer["found"]
    assert answer["citations"]
    assert {"choose_criteria", "answer_question", "judge_answer"} <= set(tasks)
    assert answer["usage"]["writer"]["calls"] == 1
    assert not {"choose_action", "write_queries"} & set(tasks)


@pytest.mark.slow
async def test_a_report_that_is_not_there_is_named(samples: str, space: str) -> None:
    report = await written(samples)
    with pytest.raises(InputError, match="no report nothere2"):
        await graph.ainvoke(
            {"question": TOLD, "report_id": "nothere2"}, context=Context(space=samples)
        )
    with pytest.raises(InputError, match=f"stands in the space “{samples}”: ask it there"):
        await ask(report, TOLD, f"{space}-other")
