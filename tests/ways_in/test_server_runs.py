"""One `langgraph dev` with a language model: conversations, stops, approvals, many runs at once."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from dev_server import DevServer
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from fakes.researcher import Researcher
from fakes.writer import task_of
from graph_runs import asked
from langgraph_sdk.client import LangGraphClient
from ways_in.cases import QUESTION, World

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def provider() -> Iterator[FakeOpenAI]:
    """A provider of this module's own, which tests may have hang."""
    with FakeOpenAI(Researcher(), latency=0.05) as served:
        yield served


@pytest.fixture(scope="module")
def server(world: World, provider: FakeOpenAI) -> Iterator[DevServer]:
    variables = {"OPENAI_BASE_URL": provider.base_url, "OPENAI_API_KEY": "key-of-a-test"}
    with DevServer(world.data_dir, **variables) as started:
        yield started


@pytest.fixture(autouse=True)
def clean(server: DevServer) -> Iterator[None]:
    """No test leaves a complaint in the log."""
    yield
    assert server.complaints == []


async def new_thread(client: LangGraphClient) -> str:
    return str((await client.threads.create())["thread_id"])


async def run(
    client: LangGraphClient, thread: str, question: str, world: World, **context: Any
) -> dict[str, Any]:
    given = {"space": world.space, **context}
    return dict(await client.runs.wait(thread, "report", input=asked(question), context=given))


async def test_a_report_of_its_own_that_is_asked_for_next_is_written(
    server: DevServer, world: World
) -> None:
    client = server.client
    thread = await new_thread(client)
    first = await run(client, thread, QUESTION, world)
    wanted = "A new report on HNSW limits"
    second = await run(client, thread, wanted, world)
    assert len(second["messages"]) == len(first["messages"]) + 2 == 4
    assert second["question"]["asked"] == wanted
    assert len(second["sections"]) == 1
    assert second["report"]["id"] != first["report"]["id"]


async def test_a_run_that_is_cancelled_stops_its_model_calls_and_nothing_else(
    server: DevServer, world: World, provider: FakeOpenAI
) -> None:
    def hang(request: ChatRequest) -> float:
        return 60.0 if task_of(request) == "write_section" else 0.0

    client = server.client
    thread, other = await new_thread(client), await new_thread(client)
    provider.hang = hang
    started = await client.runs.create(
        thread, "report", input=asked(QUESTION), context={"space": world.space}
    )
    async with asyncio.timeout(60):
        while not (provider.in_flight and task_of(provider.requests[-1]) == "write_section"):
            await asyncio.sleep(0.05)
        await client.runs.cancel(thread, started["run_id"], wait=True)
        while provider.in_flight:
            await asyncio.sleep(0.05)
    provider.hang = lambda _: 0.0
    assert (await client.runs.get(thread, started["run_id"]))["status"] == "interrupted"
    for place in (other, thread):
        assert (await run(client, place, QUESTION, world))["report"]["citations"]


async def test_an_outline_is_approved_as_it_was_edited(server: DevServer, world: World) -> None:
    client = server.client
    thread = await new_thread(client)
    context = {"space": world.space, "approve_outline": True, "research_mode": "deep"}
    kinds = []
    async for part in client.runs.stream(
        thread,
        "report",
        input=asked(QUESTION),
        context=context,
        stream_mode=["updates", "events", "custom"],
    ):
        kinds.append(part.event)
        assert part.event != "error", part.data
    [waiting] = (await client.threads.get_state(thread))["interrupts"]
    outline = waiting["value"]["outline"]
    outline["sections"] = outline["sections"][:2]
    outline["sections"][0]["title"] = "Chosen by the reader"
    state: Any = await client.runs.wait(
        thread, "report", command={"resume": {"outline": outline}}, context=context
    )
    assert [one["title"] for one in state["report"]["sections"]] == [
        "Summary",
        "Chosen by the reader",
        outline["sections"][1]["title"],
    ]


async def test_ten_runs_at_once_all_end_with_a_report(
    server: DevServer, world: World, provider: FakeOpenAI
) -> None:
    client = server.client
    threads = await asyncio.gather(*(new_thread(client) for _ in range(10)))
    states = await asyncio.gather(
        *(run(client, one, f"{QUESTION} {n}", world) for n, one in enumerate(threads))
    )
    assert len({state["report"]["id"] for state in states}) == 10
    assert all(state["report"]["citations"] for state in states)
    assert [state["question"]["asked"][-1] for state in states] == list("0123456789")
    assert provider.peak <= 8


@pytest.mark.parametrize(
    "question",
    [
        "HNSW",
        "pgvector HNSW ef_search recall",
        "Wie hängen BM25, dichte Vektoren und Reranking zusammen?",
        "Quelles limites pour BM25 et HNSW ?",
        "BM25 和稠密向量有什么区别？",
    ],
)
async def test_a_question_may_have_no_english_function_word(
    server: DevServer, world: World, question: str
) -> None:
    client = server.client
    state = await run(client, await new_thread(client), question, world)
    assert state["report"]["citations"]
