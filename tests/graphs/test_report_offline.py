"""The whole pipeline with no key, on the sample pages."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from graph_runs import CONCEPTS, QUESTION, asked, codes, get_sections, run_report
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import TypeAdapter

from graphs.ingest import graph as ingest_graph
from graphs.report import builder, graph
from schema.context import SECTIONS, Context, ResearchMode
from schema.errors import InputError
from schema.events import Event


@pytest.mark.slow
@pytest.mark.parametrize("mode", SECTIONS)
async def test_every_mode_has_its_sections_of_sentences_that_stand_in_their_sources(
    samples: str, mode: ResearchMode
) -> None:
    state = await run_report(samples, research_mode=mode)
    report, audit = state["report"], state["report"]["audit"]
    assert len(get_sections(report)) == SECTIONS[mode] == len(state["outline"]["sections"])
    assert 3 <= len(report["further_questions"]) <= 5
    for citation in report["citations"]:
        said = re.sub(r"\s*\[\d+\]", "", citation["sentence"])
        assert _plain(said) in _plain(citation["quote"])
        assert citation["verdict"] == "supported"
    assert all(one["sentence"].startswith("|") for one in report["remarks"])  # heads of tables
    assert audit["structure"] == len(report["remarks"])
    assert audit["sentences_cited"] == audit["facts"] == audit["sentences"] - audit["structure"] > 5
    assert audit["coverage"] == audit["precision"] == 1
    assert audit["citations"] == audit["citations_supported"] == len(report["citations"])
    assert audit["searches"] > SECTIONS[mode]
    assert audit["tokens"] == 0
    assert audit["seconds"] > 0
    assert audit["sources_read"] == audit["sources_found"]


@pytest.mark.slow
async def test_the_message_is_the_report_as_markdown_and_names_what_it_lacked(samples: str) -> None:
    state = await run_report(samples)
    text = str(state["messages"][-1].text)
    assert isinstance(state["messages"][-1], AIMessage)
    for reference in state["report"]["references"]:
        assert f"[{reference['number']}] " in text.split("## References")[1]
    assert "no language model" in text.lower()
    assert codes(state["report"]) == {"no_language_model", "no_embedding_model"}
    json.dumps({name: value for name, value in state.items() if name != "messages"})  # plain data


@pytest.mark.parametrize(
    ("said", "answer"),
    [("Thank you!", "Ask me a question"), ("What is the capital of France?", "Nothing was found"),
     ("Wer gewann 1954 die WM?", "Nothing was found")],
)  # fmt: skip
async def test_small_talk_and_questions_about_something_else_get_no_report(
    samples: str, said: str, answer: str
) -> None:
    state = await run_report(samples, said)
    assert state["report"] is None
    assert answer in str(state["messages"][-1].text)


@pytest.mark.slow
async def test_a_second_question_leans_on_the_report_before_it(samples: str) -> None:
    threaded = builder.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}}
    context = Context(space=samples)
    await threaded.ainvoke(asked("What is reciprocal rank fusion?"), config, context=context)
    state = await threaded.ainvoke(asked("And its limits?"), config, context=context)
    assert "reciprocal rank fusion" in state["answer"]["question"].casefold()
    assert len(state["messages"]) == 4


async def test_events_are_typed_and_milestones_need_no_subgraphs(samples: str) -> None:
    adapter: TypeAdapter[Event] = TypeAdapter(Event)
    events: Sequence[Any] = [
        part
        async for part in graph.astream(
            asked(QUESTION), context=Context(space=samples), stream_mode="custom"
        )
    ]
    for event in events:
        adapter.validate_python(event, strict=True)
    kinds = [event["type"] for event in events]
    assert [k for k in kinds if k != "searched"] == ["question", "outline", "pool", "report"]


@pytest.mark.slow
async def test_documents_mode_writes_from_whole_documents(samples: str) -> None:
    assert (await run_report(samples, search_mode="documents", top_k=2))["report"]


@pytest.mark.slow
async def test_a_report_kept_to_a_path_cites_nothing_else(samples: str) -> None:
    only = CONCEPTS / "bm25.md"
    context = Context(space=samples, connectors=["files"], paths=[str(only)])
    state = await graph.ainvoke(asked("What is BM25?"), context=context)
    assert {c["document"] for c in state["report"]["citations"]} == {only.as_uri()}


def _plain(text: str) -> str:
    return re.sub(r"[\s*`_]+", " ", text).strip().rstrip(".")


@pytest.mark.parametrize("kind", ["ai", "system", "tool"])
async def test_only_the_user_s_last_message_is_the_question(samples: str, kind: str) -> None:
    said = {"type": kind, "content": "What is BM25?", "tool_call_id": "1"}
    given = {"messages": [*asked(QUESTION)["messages"], said]}
    with pytest.raises(InputError, match=f"^The last message is of type {kind}: end "):
        await graph.ainvoke(given, context=Context(space=samples))


async def test_a_section_without_a_word_of_the_question_is_left_out_and_named(
    space: str, tmp_path: Path
) -> None:
    pages = {
        "lamps": ("Lighthouses", "A lighthouse guides ships at night with a strong lamp."),
        "bread": ("Sourdough", "Sourdough rises slowly because wild yeast lives in the flour."),
    }
    for name, (title, text) in pages.items():
        (tmp_path / f"{name}.md").write_text(f"# {title}\n\n{text}\n")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    threaded = builder.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}}
    context = Context(space=space, approve_outline=True)
    await threaded.ainvoke(asked("How does a lighthouse guide ships?"), config, context=context)
    plan = [
        {"title": title, "questions": [f"What is said of {title}?", text]}
        for title, text in pages.values()
    ]
    outline = {"title": "Lamps", "sections": plan}
    state = await threaded.ainvoke(Command(resume={"outline": outline}), config, context=context)
    report = state["report"]
    assert [one["title"] for one in get_sections(report)] == ["Lighthouses"]
    [left] = [d["detail"] for d in report["degraded"] if d["code"] == "section_off_topic"]
    assert "“Sourdough”" in left
    assert (report["audit"]["sections"], report["audit"]["sections_failed"]) == (1, 0)
