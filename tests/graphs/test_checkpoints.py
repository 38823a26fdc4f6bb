"""What checkpoints hold: data, so that none of them can have a class loaded."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from fakes.writer import Writer, section_of
from graph_runs import CONCEPTS, QUESTION, asked, speaking
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde import _msgpack
from langgraph.checkpoint.serde.event_hooks import SerdeEvent, register_serde_event_listener
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Command

from library.database.checkpoints import open_checkpointer
from schema.context import Context
from schema.plan import SectionPlan

CONFIG: Any = {"configurable": {"thread_id": "1"}}


@pytest.fixture
def loaded() -> Iterator[list[SerdeEvent]]:
    """Every type beyond LangGraph's and LangChain's own that a checkpoint wants loaded."""
    events: list[SerdeEvent] = []
    unregister = register_serde_event_listener(events.append)
    yield events
    unregister()


async def read_all(saver: InMemorySaver) -> int:
    """Load every checkpoint of the thread, subgraphs' and pending writes included."""
    return len([one async for one in saver.alist(CONFIG)])


async def run(name: str, given: Any, context: Context, *then: Command[Any]) -> int:
    saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=True))
    graph = import_module(f"graphs.{name}").builder.compile(checkpointer=saver)
    for step in (given, *then):
        await graph.ainvoke(step, CONFIG, context=context)
    return await read_all(saver)


@pytest.mark.slow
async def test_a_report_with_an_interrupt_keeps_plain_data(
    samples: str, loaded: list[SerdeEvent]
) -> None:
    context = Context(space=samples, research_mode="deep", approve_outline=True)
    assert await run("report", asked(QUESTION), context, Command(resume="accept")) > 10
    assert loaded == []


@pytest.mark.slow
async def test_a_report_by_a_model_that_fails_keeps_plain_data(
    samples: str, loaded: list[SerdeEvent]
) -> None:
    def fails(request: Any) -> str:
        return "" if "BM25" in section_of(request) else Writer()(request)

    with speaking(Writer({"write_section": fails})):
        context = Context(space=samples, research_mode="deep", judge_model="extractive")
        assert await run("report", asked(QUESTION), context) > 10
    assert loaded == []


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("section", {"title": "HNSW", "questions": ["What is HNSW?", "What is ef_search?"]}),
        ("deep_search", {"question": "What does ef_search do in HNSW?"}),
        ("ingest", {"sources": [str(CONCEPTS)]}),
    ],
)
async def test_every_other_graph_keeps_plain_data(
    samples: str, loaded: list[SerdeEvent], name: str, given: dict[str, Any]
) -> None:
    assert await run(name, given, Context(space=samples)) > 2
    assert loaded == []


async def test_kept_reports_threads_load_no_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_msgpack, "STRICT_MSGPACK_ENABLED", False)  # as users run it
    plan = SectionPlan(title="T", questions=["One?", "Two?"])
    assert isinstance(
        JsonPlusSerializer().loads_typed(JsonPlusSerializer().dumps_typed(plan)), SectionPlan
    )
    async with open_checkpointer() as saver:
        assert not isinstance(saver.serde.loads_typed(saver.serde.dumps_typed(plan)), SectionPlan)
