"""Every graph on a `langgraph dev` that was just started, streamed in every mode there is."""

from collections import Counter
from typing import Any

import pytest
from dev_server import DevServer
from ways_in.cases import CASES, MODELS, Case, World

STREAMED = ("values", "updates", "custom", "debug", "checkpoints", "tasks")


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_the_first_runs_of_a_cold_server(
    case: Case, inputs: list[dict[str, Any]], world: World, variables: dict[str, str]
) -> None:
    with DevServer(world.data_dir, **variables) as server:
        for model in MODELS:
            context = case.context_in(world, model)
            modes = ("messages-tuple", "events")
            state, kinds = await run(server, case, inputs[0], context, modes)
            case.check(state, case)
            assert {*STREAMED, "events"} <= kinds.keys()
            assert ("messages" in kinds) is (case.graph != "ingest")
            state, kinds = await run(server, case, inputs[-1], context, ("messages",))
            case.check(state, case)
            assert set(STREAMED) <= kinds.keys()
            assert ("messages/metadata" in kinds) is (case.graph != "ingest")
        assert server.complaints == []


async def run(
    server: DevServer,
    case: Case,
    given: dict[str, Any],
    context: dict[str, Any],
    modes: tuple[str, ...],
) -> tuple[dict[str, Any], Counter[str]]:
    """The final state of one run on a thread of its own, and how often each kind of part came."""
    client, kinds = server.client, Counter[str]()
    thread = (await client.threads.create())["thread_id"]
    async for part in client.runs.stream(
        thread,
        case.graph,
        input=given,
        context=context,
        stream_mode=[*STREAMED, *modes],
        stream_subgraphs=True,
    ):
        assert part.event != "error", part.data
        kinds[part.event.split("|")[0]] += 1
    state = await client.threads.get_state(thread)
    assert state["next"] == []
    return dict(state["values"]), kinds
