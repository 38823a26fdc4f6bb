"""`langgraph dev`, as Studio and other clients of the API use it: no key, no network."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from dev_server import DevServer
from graph_runs import CONCEPTS, QUESTION, asked
from langgraph_sdk.client import LangGraphClient

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(data_dir: Path) -> Iterator[DevServer]:
    with DevServer(data_dir) as started:
        yield started


@pytest.fixture(scope="module")
def url(server: DevServer) -> str:
    return server.url


@pytest.fixture(scope="module")
def client(server: DevServer) -> LangGraphClient:
    return server.client


@pytest.fixture(scope="module")
async def samples(client: LangGraphClient) -> str:
    """A space of the server's with the sample pages in it."""
    await client.runs.wait(
        None, "ingest", input={"sources": [str(CONCEPTS)]}, context={"space": "server"}
    )
    return "server"


@pytest.mark.parametrize("graph", ["report", "section", "revise_section", "deep_search", "ingest"])
async def test_every_graph_shows_its_forms(client: LangGraphClient, graph: str) -> None:
    [assistant] = await client.assistants.search(graph_id=graph)
    schemas: dict[str, Any] = dict(await client.assistants.get_schemas(assistant["assistant_id"]))
    for form in ("input_schema", "output_schema", "state_schema", "context_schema"):
        assert schemas[form]["properties"], form
    fields = schemas["context_schema"]["properties"]
    assert all("description" in field for field in fields.values())
    assert fields["research_mode"]["enum"] == ["general", "deep", "deeper"]
    drawn = await client.assistants.get_graph(assistant["assistant_id"], xray=True)
    assert len(drawn["nodes"]) >= 4


async def test_a_run_streams_milestones_sections_and_tokens(
    client: LangGraphClient, samples: str
) -> None:
    kinds, names = [], set()
    async for part in client.runs.stream(
        None,
        "report",
        input=asked(QUESTION),
        context={"space": samples, "research_mode": "deep"},
        stream_mode=["custom", "updates", "messages-tuple"],
        stream_subgraphs=True,
    ):
        names.add(part.event.split("|")[0])
        if part.event.startswith("custom"):
            kinds.append(part.data["type"])
        assert part.event != "error", part.data
    assert {"custom", "updates", "messages"} <= names
    assert kinds.count("written") == 3
    assert [k for k in kinds if k in ("question", "outline", "pool", "report")] == [
        "question", "outline", "pool", "report",
    ]  # fmt: skip


async def test_the_outline_is_approved_and_a_second_turn_follows(
    client: LangGraphClient, samples: str
) -> None:
    thread = (await client.threads.create())["thread_id"]
    context = {"space": samples, "approve_outline": True}
    stopped = await client.runs.wait(thread, "report", input=asked(QUESTION), context=context)
    outline = stopped["__interrupt__"][0]["value"]["outline"]
    assert (await client.threads.get(thread))["status"] == "interrupted"
    outline["sections"][0]["title"] = "Chosen by the reader"
    state = await client.runs.wait(
        thread, "report", command={"resume": {"outline": outline}}, context=context
    )
    assert state["report"]["sections"][-1]["title"] == "Chosen by the reader"
    written = state["report"]
    context = {"space": samples}
    state = await client.runs.wait(
        thread, "report", input=asked("And the limits?"), context=context
    )
    assert "BM25" in state["answer"]["question"]
    assert len(state["messages"]) == 4
    assert state["answer"]["citations"]
    state = await client.runs.wait(
        thread, "report", input=asked("Make section 1 shorter"), context=context
    )
    assert (state["report"]["id"], state["report"]["version"]) == (written["id"], 2)
    assert len(state["messages"]) == 6


async def test_a_section_is_revised_on_the_report_s_thread(
    client: LangGraphClient, samples: str
) -> None:
    thread = (await client.threads.create())["thread_id"]
    context = {"space": samples, "research_mode": "deep"}
    before = await client.runs.wait(thread, "report", input=asked(QUESTION), context=context)
    given = {
        "report_id": before["report"]["id"],
        "section_numbers": [2],
        "instruction": "make it shorter",
    }
    after = await client.runs.wait(thread, "revise_section", input=given, context=context)
    assert (after["report"]["id"], after["report"]["version"]) == (before["report"]["id"], 2)
    old, new = (state["report"]["sections"] for state in (before, after))
    assert [one == other for one, other in zip(old, new, strict=True)] == [True, True, False, True]
    state = await client.threads.get_state(thread)
    assert state["values"]["report"] == after["report"]
    assert len(state["values"]["messages"]) == 4


async def test_a_section_can_be_run_alone(client: LangGraphClient, samples: str) -> None:
    given = {"title": "HNSW", "questions": ["What is HNSW?", "What does ef_search do?"]}
    state = await client.runs.wait(None, "section", input=given, context={"space": samples})
    [section] = state["sections"]
    assert "[1]" in section["text"]
    assert section["sources"][0]["number"] == 1


async def test_a_captured_page_is_cited_until_it_is_deleted(
    client: LangGraphClient, url: str
) -> None:
    pushed = {
        "url": "https://www.wind.test/turbine?utm_source=mail",
        "title": "How a turbine works",
        "captured_at": "2026-05-01T10:00:00+02:00",
        "markdown": "# Turbines\n\nA turbine turns wind into power by means of three blades.",
    }
    question = asked("How does a turbine turn wind into power?")
    context = {"space": "captured", "connectors": ["captures"]}
    async with httpx.AsyncClient(base_url=url, params={"space": "captured"}) as browser:
        answer = await browser.post("/captures", json=[pushed])
        assert [one["outcome"] for one in answer.json()["outcomes"]] == ["added"]
        state = await client.runs.wait(None, "report", input=question, context=context)
        cited = {citation["document"] for citation in state["report"]["citations"]}
        assert cited == {"https://wind.test/turbine"}
        gone = await browser.delete("/captures", params={"url": pushed["url"]})
        assert gone.json()["outcomes"][0]["outcome"] == "removed"
        assert (await browser.post("/captures", json={})).status_code == 422
    state = await client.runs.wait(None, "report", input=question, context=context)
    assert not state.get("report")


@pytest.mark.parametrize("path", ["/captures", "/runs/wait", "/threads"])
def test_of_web_pages_only_studio_may_call_the_server(url: str, path: str) -> None:
    asked = {"access-control-request-method": "POST"}
    for origin, allowed in {
        "https://smith.langchain.com": "https://smith.langchain.com",
        "https://evil.example": None,
        "https://smith.langchain.com.evil.example": None,
        "null": None,
        "http://localhost:3000": None,
    }.items():
        answer = httpx.options(f"{url}{path}", headers={**asked, "origin": origin})
        assert answer.headers.get("access-control-allow-origin") == allowed
        assert (answer.status_code == 200) is (allowed is not None)
        answer = httpx.post(f"{url}{path}", headers={"origin": origin}, json={"oops": 1})
        assert answer.headers.get("access-control-allow-origin") == allowed


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:3000", "null"])
def test_no_other_web_page_is_let_into_the_private_network(url: str, origin: str) -> None:
    answer = httpx.options(
        f"{url}/captures",
        headers={
            "origin": origin,
            "access-control-request-method": "POST",
            "access-control-request-private-network": "true",
        },
    )
    assert answer.status_code == 400
    assert "access-control-allow-origin" not in answer.headers


async def test_a_setting_that_does_not_exist_is_refused(client: LangGraphClient) -> None:
    for given in (
        {"context": {"space": "server", "top_n": 3}},
        {"config": {"configurable": {"space": "server", "top_n": 3}}},
    ):
        with pytest.raises(Exception, match="SettingError: The setting top_n does not exist: use"):
            await client.runs.wait(None, "report", input=asked(QUESTION), **given)
    mine = await client.assistants.create("section", context={"title": "x"})
    with pytest.raises(Exception, match="SettingError: The setting title does not exist: use"):
        await client.runs.wait(
            None, mine["assistant_id"], input={"title": "HNSW", "questions": ["What is it?"]}
        )


@pytest.mark.parametrize("kind", ["ai", "system", "tool"])
async def test_only_the_user_s_last_message_is_the_question(
    client: LangGraphClient, kind: str
) -> None:
    said = {"type": kind, "content": "What is BM25?", "tool_call_id": "1"}
    with pytest.raises(Exception, match=f"InputError: The last message is of type {kind}: "):
        await client.runs.wait(None, "report", input={"messages": [*asked("Hi")["messages"], said]})


async def test_a_bad_context_or_path_is_told_in_words(client: LangGraphClient) -> None:
    refused = await client.runs.wait(None, "ingest", input={"sources": ["/etc"]}, raise_error=False)
    assert "QUIRE_FILES_ROOTS" in refused["__error__"]["message"]
    refused = await client.runs.wait(None, "ingest", input={"sources": [1]}, raise_error=False)
    assert refused["__error__"]["message"].startswith("The input `sources` must be a list of texts")
    with pytest.raises(Exception, match="The setting top_k cannot be 0: it must be greater than"):
        await client.runs.wait(None, "report", input=asked(QUESTION), context={"top_k": 0})
    with pytest.raises(Exception, match="no connector 'fax'"):
        await client.runs.wait(
            None, "report", input=asked(QUESTION), context={"connectors": ["fax"]}
        )


async def test_no_call_blocked_the_event_loop(
    client: LangGraphClient, samples: str, server: DevServer
) -> None:
    await client.runs.wait(
        None, "report", input=asked(QUESTION), context={"space": samples, "research_mode": "deeper"}
    )
    assert "locking" not in server.log  # BlockingError, Blocking call
    assert "unregistered type" not in server.log
