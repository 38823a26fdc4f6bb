"""What speaks to `langgraph dev` besides its SDK: A2A clients, MCP clients, chat front ends."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from dev_server import DevServer
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from graph_runs import CONCEPTS, QUESTION, asked
from mcp import ClientSession, types
from mcp.client.streamable_http import streamable_http_client

pytestmark = pytest.mark.slow

SPACE = "tools"


@pytest.fixture(scope="module")
def server(data_dir: Path) -> Iterator[DevServer]:
    with (
        FakeOpenAI(Writer()) as api,
        DevServer(data_dir, OPENAI_BASE_URL=api.base_url, OPENAI_API_KEY="key") as started,
    ):
        yield started


@pytest.fixture(scope="module")
async def space(server: DevServer) -> str:
    """A space of the server's with the sample pages in it."""
    given = {"sources": [str(CONCEPTS)]}
    await server.client.runs.wait(None, "ingest", input=given, context={"space": SPACE})
    return SPACE


def message_to(space: str, method: str) -> dict[str, Any]:
    """What an A2A client sends; the settings of the run are its `context`."""
    said = {"role": "user", "messageId": "1", "parts": [{"kind": "text", "text": QUESTION}]}
    params = {"message": said, "context": {"space": space}}
    return {"jsonrpc": "2.0", "id": "1", "method": method, "params": params}


async def test_an_a2a_client_finds_the_agent_and_gets_a_report(
    server: DevServer, space: str
) -> None:
    [assistant] = await server.client.assistants.search(graph_id="report")
    async with httpx.AsyncClient(base_url=server.url, timeout=120) as http:
        query = {"assistant_id": assistant["assistant_id"]}
        card = (await http.get("/.well-known/agent-card.json", params=query)).json()
        assert card["name"] == "report"
        assert card["capabilities"]["streaming"]
        answer = await http.post(card["url"], json=message_to(space, "message/send"))
        task = answer.json()["result"]
    assert task["status"]["state"] == "completed"
    [artifact] = task["artifacts"]
    text = artifact["parts"][0]["text"]
    assert "[1]" in text
    assert "## References" in text


async def test_an_a2a_client_sees_the_report_arrive(server: DevServer, space: str) -> None:
    [assistant] = await server.client.assistants.search(graph_id="report")
    async with (
        httpx.AsyncClient(base_url=server.url, timeout=120) as http,
        http.stream(
            "POST",
            f"/a2a/{assistant['assistant_id']}",
            json=message_to(space, "message/stream"),
            headers={"accept": "text/event-stream"},
        ) as answer,
    ):
        lines = [line async for line in answer.aiter_lines() if line.startswith("data:")]
    events = [json.loads(line[5:])["result"] for line in lines]
    states = [one["status"]["state"] for one in events if "status" in one]
    assert states[-1] == "completed"
    assert len(states) > 5
    assert "## References" in json.dumps(events)


async def test_an_mcp_client_of_the_server_gets_a_report(server: DevServer) -> None:
    given = {"sources": [str(CONCEPTS)]}
    await server.client.runs.wait(None, "ingest", input=given)
    async with (
        streamable_http_client(f"{server.url}/mcp") as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        names = {tool.name for tool in (await session.list_tools()).tools}
        assert {"report", "deep_search", "ingest"} <= names
        result = await session.call_tool("report", {"messages": QUESTION})
    assert not result.isError
    [block] = result.content
    assert isinstance(block, types.TextContent)
    assert "## References" in block.text


async def test_a_chat_front_end_sees_tokens_without_asking_for_subgraphs(
    server: DevServer, space: str
) -> None:
    """As agent-chat-ui asks: `values` and the tokens of messages, on a thread."""
    thread = (await server.client.threads.create())["thread_id"]
    pieces: dict[str, list[str]] = {}
    values: list[dict[str, Any]] = []
    async for part in server.client.runs.stream(
        thread,
        "report",
        input=asked(QUESTION),
        context={"space": space, "research_mode": "deep"},
        stream_mode=["values", "messages-tuple"],
    ):
        assert part.event != "error", part.data
        if part.event == "messages":
            chunk, _ = part.data
            pieces.setdefault(chunk["id"], []).append(str(chunk["content"]))
        elif part.event == "values":
            values.append(part.data)
    streamed = [one for one in pieces.values() if len(one) > 10]
    assert len(streamed) == 3  # the sections, token by token; no plan, no check
    assert not any("{" in "".join(one)[:5] for one in streamed)
    *_, last = values[-1]["messages"]
    assert last["type"] == "ai"
    assert "## References" in last["content"]
    assert pieces[last["id"]] == [last["content"]]
    assert "blocking call" not in server.log.lower()
