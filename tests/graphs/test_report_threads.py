"""Runs on a checkpointer: approval, stopping, resuming, and how much is kept."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, section_of, task_of
from graph_runs import QUESTION, asked, check_report, get_sections, speaking
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graphs.ingest import graph as ingest_graph
from graphs.report import builder
from schema.context import Context

CONFIG: Any = {"configurable": {"thread_id": "1"}}


@pytest.mark.slow
async def test_the_reader_accepts_the_outline(samples: str) -> None:
    graph, context = _threaded(), Context(space=samples, approve_outline=True)
    stopped = await graph.ainvoke(asked(QUESTION), CONFIG, context=context)
    [waiting] = stopped["__interrupt__"]
    assert waiting.value["outline"]["sections"]
    state = await graph.ainvoke(Command(resume="accept"), CONFIG, context=context)
    assert state["outline"] == waiting.value["outline"]
    await check_report(state["report"], samples)


@pytest.mark.slow
async def test_the_reader_replaces_the_outline(samples: str) -> None:
    graph, context = _threaded(), Context(space=samples, approve_outline=True)
    await graph.ainvoke(asked(QUESTION), CONFIG, context=context)
    mine = {
        "title": "Mine",
        "sections": [{"title": "HNSW", "questions": ["What is HNSW?", "What is ef_search?"]}],
    }
    state = await graph.ainvoke(Command(resume={"outline": mine}), CONFIG, context=context)
    assert [s["title"] for s in get_sections(state["report"])] == ["HNSW"]
    assert state["report"]["title"] == "Mine"


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["nonsense", {"outline": {"title": "No sections"}}, 7])
async def test_an_unusable_answer_is_asked_for_again(samples: str, answer: object) -> None:
    graph, context = _threaded(), Context(space=samples, approve_outline=True)
    await graph.ainvoke(asked(QUESTION), CONFIG, context=context)
    again = await graph.ainvoke(Command(resume=answer), CONFIG, context=context)
    [waiting] = again["__interrupt__"]
    assert "cannot be used" in waiting.value["problem"]
    state = await graph.ainvoke(Command(resume="accept"), CONFIG, context=context)
    assert state["report"]["citations"]


@pytest.mark.slow
async def test_a_stopped_run_repeats_no_finished_section(samples: str) -> None:
    """The run is cancelled while one of three sections hangs; the others are not written again."""
    graph = _threaded()
    context = Context(space=samples, research_mode="deep")
    asked_for: Counter[str] = Counter()

    def write(request: ChatRequest) -> str:
        asked_for[section_of(request)] += 1
        return Writer()(request)

    with speaking(Writer({"write_section": write})) as api:
        api.hang = lambda r: 60 if section_of(r) == "About reranking" else 0
        run = asyncio.create_task(graph.ainvoke(asked(QUESTION), CONFIG, context=context))
        async with asyncio.timeout(30):
            while len(await _finished_sections(graph)) < 2:
                await asyncio.sleep(0.1)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        api.hang = lambda _: 0
        planned = [task_of(r) for r in api.requests].count("outline")
        state = await graph.ainvoke(None, CONFIG, context=context)
    assert asked_for["About BM25"] == asked_for["About dense vectors"] == 1
    assert [task_of(r) for r in api.requests].count("outline") == planned == 1
    assert len(get_sections(state["report"])) == 3


@pytest.mark.slow
async def test_a_deeper_checkpoint_stays_small_over_a_megabyte_of_sources(
    space: str, tmp_path: Path
) -> None:
    subjects = ["harbour", "lantern", "granite", "orchard", "violin", "compass"]
    for number in range(30):
        subject = subjects[number % len(subjects)]
        lines = [
            f"The {subject} of parish {number} in year {1500 + line} held {line * 7} measures of "
            f"grain, and the keeper of the {subject} wrote entry {line} about its repair."
            for line in range(330)
        ]
        page = f"# The {subject} of parish {number}\n\n" + "\n\n".join(lines)
        (tmp_path / f"{number}.md").write_text(page)
    assert sum(path.stat().st_size for path in tmp_path.glob("*.md")) > 1_000_000
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    saver = InMemorySaver()
    graph = builder.compile(checkpointer=saver)
    question = "What did the keeper of the harbour write about its repair?"
    context = Context(space=space, research_mode="deeper", top_k=100)
    state = await graph.ainvoke(asked(question), CONFIG, context=context)
    assert len(get_sections(state["report"])) == 6
    assert len(state["pool"]) > 100
    sizes = [
        len(saver.serde.dumps_typed(saved.checkpoint)[1])
        + sum(len(saver.serde.dumps_typed(write)[1]) for write in saved.pending_writes or [])
        async for saved in saver.alist(CONFIG)
    ]
    assert max(sizes) <= 256 * 1024, max(sizes)


def _threaded() -> Any:
    return builder.compile(checkpointer=InMemorySaver())


async def _finished_sections(graph: Any) -> list[Any]:
    state = await graph.aget_state(CONFIG)
    return [task for task in state.tasks if task.name == "section" and (task.result or task.error)]
