"""The graph `section`, started by itself."""

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer
from graph_runs import speaking
from langgraph.checkpoint.memory import InMemorySaver

from graphs.section import builder
from schema.context import Context
from schema.errors import ModelUnavailableError

GIVEN = {"title": "HNSW", "questions": ["HNSW graph layers?", "ef_search recall?"]}


async def test_an_answer_is_not_asked_for_again_after_a_failure(samples: str) -> None:
    """The first answer cites nothing; the key is refused when it is asked for once more."""
    asked: list[int] = []

    def write(request: ChatRequest) -> str:
        asked.append(len(request.messages))
        if len(asked) > 1:
            return Writer()(request)
        api.faults.append(401)
        return "It is a graph."

    graph = builder.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "one"}}
    with speaking(Writer({"write_section": write})) as api:
        with pytest.raises(ModelUnavailableError):
            await graph.ainvoke(GIVEN, config, context=Context(space=samples))
        state = await graph.ainvoke(None, config, context=Context(space=samples))
    assert "[" in state["sections"][0]["text"]
    assert len(asked) == 2
    assert asked[0] < asked[1]  # the second is not the first once more


async def test_a_section_is_written_where_each_of_its_deep_searches_broke(samples: str) -> None:
    search = {"question": "How are HNSW layers drawn?", "report_id": "none"}
    graph, context = builder.compile(), Context(space=samples)
    with speaking(Writer()):
        [whole] = (await graph.ainvoke(GIVEN, context=context))["sections"]
        pool = [{"chunk": chunk, "number": 1, "score": 1.0} for chunk in whole["passages"]]
        state = await graph.ainvoke(
            {**GIVEN, "pool": pool, "follow_up_searches": [search, search]}, context=context
        )
    assert "[1]" in state["sections"][0]["text"]
    assert {one["code"] for one in state["degraded"]} == {"deep_search_failed"}
