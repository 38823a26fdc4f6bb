"""MCP servers as the official SDK makes them: over HTTP, over SSE and as a program."""

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import Any

import pytest
from conformance import LiveConformance, _settled, _until, items
from fakes.mcp_servers import Answering, ManyTools, McpServer, Turbines, TurbinesInJson, text
from fakes.provider import KEY, Item
from mcp.types import (
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextResourceContents,
)
from pydantic import AnyUrl

from connectors.live.mcp import TEXT_CHARACTERS
from connectors.registry import make_connector
from schema.documents import Document
from schema.errors import ConnectorError

SCRIPT = """
import asyncio, os, sys
from pathlib import Path
from mcp.server.fastmcp import FastMCP

server = FastMCP("notes")
Path(sys.argv[1]).write_text(str(os.getpid()))

@server.tool()
async def search_notes(words: str) -> list[dict[str, str]]:
    if words == "slowly":
        Path(sys.argv[1]).with_name("busy").touch()
        await asyncio.sleep(30)
    return [{"title": words, "text": f"Found by {os.environ['NOTES_KEY'][:3]}."}]

server.run()
"""


class TestMcp(LiveConformance[TurbinesInJson]):
    name = "mcp"
    key = "TURBINES_TOKEN"
    provider = TurbinesInJson

    def environment(self, url: str) -> dict[str, str]:
        described = {
            "transport": "streamable_http",
            "url": f"{url}/mcp",
            "headers": {"Authorization": "Bearer ${TURBINES_TOKEN}"},
        }
        return {"QUIRE_MCP_SERVERS": json.dumps({"turbines": described}), "TURBINES_TOKEN": KEY}

    def expected(self, item: Item) -> dict[str, Any]:
        return super().expected(item) | {"author": item.author, "excerpt": False}


def configure(monkeypatch: pytest.MonkeyPatch, servers: dict[str, Any]) -> None:
    """Write servers, or what describes them, into the variable."""
    described = {
        name: one.described if isinstance(one, McpServer) else one for name, one in servers.items()
    }
    monkeypatch.setenv("QUIRE_MCP_SERVERS", json.dumps(described))
    monkeypatch.setenv("TURBINES_TOKEN", KEY)


async def search(query: str = "wind", limit: int = 5) -> list[Document]:
    found: list[Document] = await make_connector("mcp").search(query, limit=limit)  # type: ignore[union-attr]
    return found


async def failure() -> ConnectorError:
    with pytest.raises(ConnectorError) as caught:
        await search()
    return caught.value


@pytest.mark.parametrize("sse", [True, False], ids=["sse", "streamable_http"])
async def test_servers_may_answer_in_streams(monkeypatch: pytest.MonkeyPatch, sse: bool) -> None:
    with Turbines(items(2), sse=sse) as server:
        configure(monkeypatch, {"turbines": server})
        assert [one.title for one in await search()] == ["Wind turbine 1", "Wind turbine 2"]
        for fault, code in ((500, "connector_failed"), (429, "connector_limit")):
            server.faults = [fault]
            error = await failure()
            assert (error.code, error.retryable) == (code, True)
            assert "MCP server turbines" in str(error)
        if not sse:  # there an answer does not come with its message
            server.faults = ["malformed"]
            assert (await failure()).code == "connector_failed"
            server.faults = ["cut"]
            assert (await failure()).retryable


async def test_a_fault_in_the_midst_of_a_session_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also at a notification, of which the client expects nothing."""
    with Turbines(items(2)) as server:
        configure(monkeypatch, {"turbines": server})
        await search()
        for good in range(1, len(server.calls)):
            server.good, server.always = good, 503
            error = await failure()
            assert (str(error), error.retryable) == ("MCP server turbines answered HTTP 503", True)


async def test_sessions_are_ended_also_when_a_search_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = asyncio.all_tasks()
    with Turbines(items(1)) as server:
        configure(monkeypatch, {"turbines": server})
        await search()
        assert server.ended == 1
        messages = len(server.calls)
        server.good, server.always = 2, 4.0
        running = asyncio.create_task(search())
        await _until(lambda: len(server.calls) == messages + 3)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert server.ended == 2
        await _settled(before)


@pytest.mark.slow
async def test_a_server_that_does_not_end_a_session_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Turbines(items(1)) as server:
        configure(monkeypatch, {"turbines": server})
        server.farewell = 20.0
        async with asyncio.timeout(15):
            assert await search()


@pytest.mark.slow
async def test_one_server_that_fails_loses_nothing_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QUIRE_CONNECTOR_SECONDS", "2")
    with Turbines(items(3)) as good, Answering() as bad:
        configure(monkeypatch, {"bad": bad, "good": good})
        for fault in (401, 500, "malformed", 4.0):
            bad.always = fault
            async with asyncio.timeout(4):
                found = [one.title for one in await search(limit=2)]
            assert found == ["Wind turbine 1", "Wind turbine 2"]
        good.always, bad.always = 401, 503
        error = await failure()
    said = "MCP server bad answered HTTP 503; MCP server good refused the key: check TURBINES_TOKEN"
    assert str(error) == said
    assert error.retryable


async def test_servers_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    with Turbines(items(9)) as many, Answering() as one:
        configure(monkeypatch, {"many": many, "one": one})
        found = [document.title for document in await search(limit=3)]
    assert found == ["Wind turbine 1", "Wind turns.", "Wind turbine 2"]


RESULT = {"title": "Wind", "url": "https://wind.test/a", "text": "It turns.", "date": "2024-05-01"}


async def test_structured_answers_and_their_like_in_text(monkeypatch: pytest.MonkeyPatch) -> None:
    forms: list[Any] = [
        [RESULT],
        {"results": [RESULT]},
        {"query": "wind", "items": [RESULT]},
        {"documents": [RESULT, {"title": "No text"}, None, 7]},
        {"organic": [{**RESULT, "link": RESULT["url"], "url": None}]},
        {"data": {"web": {"results": [{**RESULT, "text": "", "content": "It turns."}]}}},
        RESULT,
    ]
    with Answering() as server:
        configure(monkeypatch, {"turbines": server})
        for form in forms:
            structured = {"result": form} if isinstance(form, list) else form
            for server.answer in (
                CallToolResult(content=[text("See beside.")], structuredContent=structured),
                CallToolResult(content=[text("Found:"), text(json.dumps(form))]),
            ):
                (one,) = await search()
                assert (one.uri, one.url, one.title) == (RESULT["url"], RESULT["url"], "Wind")
                assert (one.text, one.published) == ("It turns.", "2024-05-01")
                assert (one.site, one.excerpt) == ("wind.test", False)


async def test_an_empty_list_is_no_document(monkeypatch: pytest.MonkeyPatch) -> None:
    with Answering() as server:
        configure(monkeypatch, {"turbines": server})
        for told in ({"results": []}, {"items": None}, {"results": [{"title": "Wind"}]}, []):
            server.answer = CallToolResult(content=[text(json.dumps(told))])
            assert await search() == []


async def test_plain_text_is_one_document_with_a_stable_uri(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = f"Wind turns.\n{'It blows. ' * 20_000}"
    picture = ImageContent(type="image", data="AA==", mimeType="image/png")
    with Answering(CallToolResult(content=[text(long), picture])) as server:
        configure(monkeypatch, {"my turbines": server})
        (one,), (again,) = await search("wind"), await search("power")
        server.answer = CallToolResult(content=[text("Wind stops.")])
        (other,) = await search()
    assert one.uri.startswith("mcp://my%20turbines/search/")
    assert (one.uri, one.title, one.url) == (again.uri, "Wind turns.", "")
    assert (len(one.text), one.site) == (TEXT_CHARACTERS, "my turbines")
    assert other.uri != one.uri


async def test_snippets_are_excerpts_and_odd_addresses_stay_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    results = [
        {"title": "A", "url": "https://wind.test/a", "snippet": "It turns."},
        {"title": "B", "url": "notion://page/1", "text": "It turns."},
        {"title": "C", "url": f"https://wind.test/{'a' * 5000}", "text": "It turns."},
        {"title": 7, "url": ["x"], "text": "It turns.", "date": 3, "author": None},
    ]
    answer = CallToolResult(content=[], structuredContent={"results": results})
    with Answering(answer) as server:
        configure(monkeypatch, {"turbines": server})
        a, b, c, d = await search()
    assert (a.excerpt, b.excerpt) == (True, False)
    assert (b.uri, b.url) == ("mcp://turbines/notion://page/1", "")
    assert c.uri.startswith("mcp://turbines/search/")
    assert len(c.uri) < 80
    assert (d.title, d.published, d.author) == ("It turns.", "", "")


async def test_resources_and_links_to_them_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "<p>It rains, and the wind turns on and on for all of the day.</p>"
    note = TextResourceContents(
        uri=AnyUrl("note://rain"),
        text=f"<html><body><nav>Menu</nav><article>{sentence * 3}</article></body></html>",
        mimeType="text/html",
    )
    links = {
        "note://wind": "Of the wind",
        "note://gone": "What it says of itself",
        "https://wind.test/a": "A page",
    }
    blocks = [
        EmbeddedResource(type="resource", resource=note),
        *(
            ResourceLink(type="resource_link", uri=AnyUrl(uri), name=uri, description=words)
            for uri, words in links.items()
        ),
    ]
    with Answering(CallToolResult(content=blocks)) as server:
        configure(monkeypatch, {"turbines": server})
        page, *found = await search()
    assert (page.uri, page.excerpt) == ("mcp://turbines/note://rain", False)
    assert page.text.startswith("It rains, and the wind")
    assert "<" not in page.text
    assert [(one.uri, one.text, one.excerpt) for one in found] == [
        ("mcp://turbines/note://wind", "The whole note.", False),
        ("mcp://turbines/note://gone", "What it says of itself", True),
        ("https://wind.test/a", "A page", True),
    ]


async def test_an_error_of_the_tool_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    with Answering(CallToolResult(content=[text(f"not {KEY}")], isError=True)) as server:
        configure(monkeypatch, {"turbines": server})
        error = await failure()
    assert str(error) == "MCP server turbines failed: its tool 'search' reported an error"
    assert not error.retryable


async def test_the_tool_and_its_argument_are_found_or_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unclear = {
        "": "has 2 search tools: name one as .* (search_pages, web_search)",
        "find": "has no tool 'find': name one as .* (search_pages, web_search, recall)",
        "recall": "'recall' of MCP server turbines has 0 required texts: name the one",
        "web_search": "'web_search' of MCP server turbines has 2 required texts: name the one",
    }
    with ManyTools() as server:
        for tool, said in unclear.items():
            configure(monkeypatch, {"turbines": server.described | {"tool": tool}})
            begin, _, end = said.partition(".*")
            assert begin in str(error := await failure())
            assert end in str(error)
        for chosen, said in (
            ({"tool": "search_pages"}, "pages on wind"),
            ({"tool": "recall", "argument": "about"}, "a memory of wind"),
        ):
            configure(monkeypatch, {"turbines": server.described | chosen})
            assert [one.text for one in await search()] == [said]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("{", "QUIRE_MCP_SERVERS cannot be used: Invalid JSON: EOF"),
        ("{}", "QUIRE_MCP_SERVERS cannot be used: Dictionary should have at least 1 item"),
        ('{"a": {}}', "QUIRE_MCP_SERVERS cannot be used: a: transport: Field required"),
        ('{"a": {"transport": "fax"}}', "a: transport: Input should be 'streamable_http', 'sse'"),
        ('{"a": {"transport": "sse", "key": "x"}}', "a: key: Extra inputs are not permitted"),
        ('{"a": {"transport": "sse"}}', "MCP server a has no web address: write its url"),
        ('{"a": {"transport": "sse", "url": "${NO_SUCH}"}}', "names the variable NO_SUCH: set it"),
        ('{"a": {"transport": "stdio", "command": "no-such-command"}}', "could not be started"),
        ("no/such/file.json", "names no file that can be read"),
        ("/", "names no file that can be read"),
    ],
)
async def test_a_wrong_variable_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, told: str, said: str
) -> None:
    monkeypatch.setenv("QUIRE_MCP_SERVERS", told)
    error = await failure()
    assert said in str(error)
    assert "\n" not in str(error)


async def test_the_variable_may_name_a_file_and_a_url_may_hold_a_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with Answering() as server:
        url = f"{server.address}?key=${{TURBINES_TOKEN}}"
        described = {"turbines": {"transport": "streamable_http", "url": url}}
        (tmp_path / "servers.json").write_text(json.dumps(described))
        monkeypatch.setenv("QUIRE_MCP_SERVERS", str(tmp_path / "servers.json"))
        monkeypatch.setenv("TURBINES_TOKEN", KEY)
        assert [one.text for one in await search()] == ["Wind turns."]
        server.always = 404
        assert str(await failure()) == "MCP server turbines has no such thing"
        assert f"POST {server.address} " in caplog.text
    assert KEY not in caplog.text


@pytest.fixture
def notes(tmp_path: Path) -> dict[str, Any]:
    """A server that is a program; it writes down its process."""
    (tmp_path / "notes.py").write_text(SCRIPT)
    return {
        "transport": "stdio",
        "command": sys.executable,
        "args": [str(tmp_path / "notes.py"), str(tmp_path / "process")],
        "env": {"NOTES_KEY": "${TURBINES_TOKEN}"},
    }


def _alive(process: Path) -> bool:
    return Path(f"/proc/{process.read_text()}").exists()


@pytest.mark.slow
async def test_a_program_is_started_asked_and_stopped(
    monkeypatch: pytest.MonkeyPatch, notes: dict[str, Any], tmp_path: Path
) -> None:
    configure(monkeypatch, {"notes": notes})
    (one,) = await search("of wind")
    assert (one.title, one.text, one.site) == ("of wind", "Found by sk-.", "notes")
    assert not _alive(tmp_path / "process")
    running = asyncio.create_task(search("slowly"))
    await _until((tmp_path / "busy").exists)
    assert _alive(tmp_path / "process")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not _alive(tmp_path / "process")


async def test_a_program_that_breaks_is_named(
    monkeypatch: pytest.MonkeyPatch, notes: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "notes.py").write_text("raise SystemExit(3)")
    configure(monkeypatch, {"notes": notes})
    assert str(await failure()) == "MCP server notes ended before it answered"
