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
