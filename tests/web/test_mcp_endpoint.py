"""The real MCP client, LangChain's adapters and our own connector against the real server."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fakes.writer import Writer, task_of
from graph_runs import CONCEPTS, QUESTION, speaking
from langchain_mcp_adapters.client import MultiServerMCPClient
from loopback import build_team_app, served
from mcp import ClientSession, McpError, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from pydantic import AnyUrl
from starlette.applications import Starlette

from connectors.registry import make_connector
from schema.access import Member
from schema.context import Context
from serving.runs import run_ingest
from serving.stored_reports import list_reports


@pytest.fixture
async def samples(space: str) -> str:
    """A space of the local user that holds the sample pages."""
    await run_ingest([str(CONCEPTS)], Context(space=space), lambda _: None)
    return space


@pytest.fixture
async def server() -> AsyncIterator[tuple[str, Starlette]]:
    async with served() as started:
        yield started


@asynccontextmanager
async def connected(url: str, key: str = "any") -> AsyncIterator[ClientSession]:
    async with (
        create_mcp_http_client({"authorization": f"Bearer {key}"}) as http,
        streamable_http_client(f"{url}/mcp", http_client=http) as (given, told, _),
        ClientSession(given, told) as session,
    ):
        await session.initialize()
        yield session


def text_of(result: types.CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, types.TextContent)
    return block.text


async def test_the_tools_say_what_they_take(server: tuple[str, Starlette]) -> None:
    async with connected(server[0]) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert list(tools) == ["report", "ask", "search", "read_passage", "ingest"]
    for tool in tools.values():
        assert tool.description
        fields = tool.inputSchema["properties"]
        assert all("description" in field for field in fields.values()), tool.name
        assert "space" in fields
    annotations = tools["search"].annotations
    assert annotations
    assert annotations.readOnlyHint


@pytest.mark.slow
async def test_a_report_tells_its_progress_and_becomes_a_resource(
    server: tuple[str, Starlette], samples: str
) -> None:
    told: list[tuple[float, str]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message or ""))

    async with connected(server[0]) as session:
        given = {"question": QUESTION, "mode": "general", "space": samples}
        result = await session.call_tool("report", given, progress_callback=note)
        assert not result.isError
        text, _, address = text_of(result).rstrip().rpartition("\n\nSaved as ")
        assert "[1]" in text
        assert "## References" in text
        held = await session.list_resources()
        assert address in {str(one.uri) for one in held.resources}
        [read] = (await session.read_resource(AnyUrl(address))).contents
        assert isinstance(read, types.TextResourceContents)
        assert read.text.strip() == text.strip()
        with pytest.raises(McpError, match=r"^There is no report zzzz2222"):
            await session.read_resource(AnyUrl("quire://reports/zzzz2222"))
    assert [number for number, _ in told] == list(range(1, len(told) + 1))
    assert any(line.startswith("Wrote") for _, line in told)
    assert server[1].state.runs.find(address.rpartition("/")[2])  # and so it is on the page


async def test_what_is_found_can_be_read_and_asked_about(
    server: tuple[str, Starlette], samples: str
) -> None:
    async with connected(server[0]) as session:
        found = await session.call_tool(
            "search", {"query": "reciprocal rank fusion", "limit": 3, "space": samples}
        )
        assert found.structuredContent
        assert json.loads(text_of(found)) == found.structuredContent
        first = found.structuredContent["results"][0]
        assert first["url"].endswith("rank-fusion.md")
        read = await session.call_tool(
            "read_passage", {"passage": first["passage"], "space": samples}
        )
        assert read.structuredContent
        assert first["text"] in read.structuredContent["text"]
        assert len(read.structuredContent["text"]) > len(first["text"])
        answer = await session.call_tool(
            "ask", {"question": "What is reciprocal rank fusion?", "space": samples}
        )
        assert "[1]" in text_of(answer)


async def test_a_source_is_read_where_clients_may(
    server: tuple[str, Starlette], space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(server[0]) as session:
        refused = await session.call_tool("ingest", {"source": str(CONCEPTS), "space": space})
        assert refused.isError
        assert "QUIRE_FILES_ROOTS" in text_of(refused)
        monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
        done = await session.call_tool("ingest", {"source": str(CONCEPTS), "space": space})
        assert done.structuredContent == {"documents": {"added": 10}, "skipped": []}


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("report", {"question": " "}, "There is no question"),
        ("report", {}, "The argument question cannot be used"),
        ("report", {"question": "Why?", "mode": "huge"}, "The argument mode cannot be used"),
        ("report", {"question": "Why?", "words": 3}, "The setting words cannot be 3"),
        ("report", {"question": "Why?", "top_k": 3}, "There is no argument top_k: use question,"),
        ("report", {"question": "Why?", "space": "@law/x"}, "You are not in a group law"),
        ("search", {"query": "x", "space": "@law/x"}, "You are not in a group law"),
        ("read_passage", {"passage": 0}, "There is no passage 0 in default"),
        ("read_passage", {"passage": 10**30}, ""),
        ("ingest", {"source": "fax:1"}, "fax"),
        ("delete", {}, "There is no tool 'delete'"),
    ],
)
async def test_what_cannot_be_done_is_one_sentence(
    server: tuple[str, Starlette], tool: str, given: dict[str, Any], told: str
) -> None:
    async with connected(server[0]) as session:
        result = await session.call_tool(tool, given)
    assert result.isError
    assert text_of(result).startswith(told) or told == "fax"
    assert told in text_of(result)
    assert text_of(result).endswith(".")
    assert "\n" not in text_of(result)
    assert "Traceback" not in text_of(result)


async def _cancel_first(session: ClientSession) -> None:
    """What a client sends that gives up its second request, behind `initialize`."""
    params = types.CancelledNotificationParams(requestId=1, reason="enough")
    notification = types.CancelledNotification(method="notifications/cancelled", params=params)
    await session.send_notification(types.ClientNotification(notification))


@pytest.mark.parametrize("how", ["cancelled", "session ended"])
async def test_a_call_that_is_given_up_stops_the_run(
    server: tuple[str, Starlette], samples: str, how: str
) -> None:
    runs = server[1].state.runs
    with speaking(Writer()) as api:
        api.hang = lambda request: 60 if task_of(request) == "write_section" else 0
        async with connected(server[0]) as session:
            given = {"question": QUESTION, "space": samples}
            calling = asyncio.create_task(session.call_tool("report", given))
            async with asyncio.timeout(60):
                while "write_section" not in map(task_of, api.requests):
                    await asyncio.sleep(0.01)
            [identity] = runs._tasks
            run = runs.find(identity)
            if how == "cancelled":
                await _cancel_first(session)
                with pytest.raises(McpError, match="cancelled"):
                    await calling
                assert (await session.list_tools()).tools  # the session goes on
        async with asyncio.timeout(30):
            while not run.ended:
                await asyncio.sleep(0.01)
        calling.cancel()
        await asyncio.wait([calling])
    assert run.state == "stopped"


@pytest.mark.slow
async def test_langchain_s_adapters_call_the_tools(
    server: tuple[str, Starlette], samples: str
) -> None:
    client = MultiServerMCPClient(
        {"quire": {"transport": "streamable_http", "url": f"{server[0]}/mcp"}}
    )
    tools = {tool.name: tool for tool in await client.get_tools()}
    found = await tools["search"].ainvoke({"query": "HNSW", "space": samples})
    assert "hnsw" in json.dumps(found).lower()
    report = await tools["report"].ainvoke({"question": "What is HNSW?", "space": samples})
    assert "Saved as quire://reports/" in json.dumps(report)


async def test_another_quire_searches_through_it(
    server: tuple[str, Starlette], monkeypatch: pytest.MonkeyPatch
) -> None:
    await run_ingest([str(CONCEPTS)], Context(), lambda _: None)
    described = {"other": {"transport": "streamable_http", "url": f"{server[0]}/mcp"}}
    monkeypatch.setenv("QUIRE_MCP_SERVERS", json.dumps(described))
    connector: Any = make_connector("mcp")
    found = await connector.search("reciprocal rank fusion", limit=3)
    assert any(document.uri.endswith("rank-fusion.md") for document in found)
    assert all(document.text and document.title for document in found)


@pytest.mark.slow
async def test_members_are_kept_apart(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    shared = f"@law/{space}"
    curator = Member(identity="kim", groups={"law": "curator"})
    await run_ingest([str(CONCEPTS)], Context(space=shared), lambda _: None, member=curator)
    async with served(build_team_app()) as (url, _):
        async with connected(url, "ada") as session:
            given = {"question": "What is HNSW?", "space": shared}
            address = text_of(await session.call_tool("report", given)).split()[-1]
            found = await session.call_tool("search", {"query": "HNSW", "space": shared})
            assert found.structuredContent
            passage = found.structuredContent["results"][0]["passage"]
            refused = await session.call_tool("ingest", {"source": str(CONCEPTS), "space": shared})
            assert "needs a curator" in text_of(refused)
        async with connected(url, "rob") as session:  # a reader of the group
            assert address in {str(one.uri) for one in (await session.list_resources()).resources}
            refused = await session.call_tool("report", given)
            assert "needs a writer" in text_of(refused)
        async with connected(url, "eve") as session:
            assert not (await session.list_resources()).resources
            with pytest.raises(McpError, match="There is no report"):
                await session.read_resource(AnyUrl(address))
            for other in ({"space": shared}, {"space": "default"}):
                result = await session.call_tool("read_passage", {"passage": passage, **other})
                assert result.isError
            own = await session.call_tool("search", {"query": "HNSW", "space": space})
            assert own.structuredContent == {"results": []}
    reports = await list_reports(curator)
    assert [one.space for one in reports if address.endswith(one.id)] == [space]
    assert "default" not in {one.space for one in reports}  # where eve asked


async def test_a_session_answers_only_who_opened_it() -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": types.LATEST_PROTOCOL_VERSION,
            "capabilities": {},
            "clientInfo": {"name": "probe", "version": "1"},
        },
    }
    accept = {"accept": "application/json, text/event-stream"}
    async with (
        served(build_team_app()) as (url, _),
        httpx.AsyncClient(base_url=url, headers=accept) as http,
    ):
        nobody = await http.post("/mcp", json=hello)
        assert (nobody.status_code, nobody.headers["www-authenticate"]) == (401, "Bearer")
        ada = {"authorization": "Bearer ada"}
        opened = await http.post("/mcp", json=hello, headers=ada)
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        eve = await http.post(
            "/mcp", json=listing, headers={**session, "authorization": "Bearer eve"}
        )
        assert eve.status_code == 404
        unknown = await http.post("/mcp", json=listing, headers={**ada, "mcp-session-id": "0" * 32})
        assert (unknown.status_code, unknown.json()) == (404, eve.json())
        assert (await http.get("/mcp", headers=session)).status_code == 401
