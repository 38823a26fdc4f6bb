"""`quire mcp` as an agent starts it: a process that speaks over its standard input and output."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import ROOT
from graph_runs import CONCEPTS
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client

from connectors.registry import make_connector

pytestmark = pytest.mark.slow


@pytest.fixture
def environment_of_process(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@asynccontextmanager
async def connected(environment: dict[str, str]) -> AsyncIterator[ClientSession]:
    process = StdioServerParameters(
        command=sys.executable, args=["-m", "cli", "mcp"], env=environment
    )
    async with (
        stdio_client(process) as (given, told),
        ClientSession(given, told) as session,
    ):
        await session.initialize()
        yield session


async def test_an_agent_ingests_searches_and_writes(
    environment_of_process: dict[str, str], space: str
) -> None:
    told: list[str] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with connected(environment_of_process) as session:
        done = await session.call_tool("ingest", {"source": str(CONCEPTS), "space": space})
        assert done.structuredContent == {"documents": {"added": 10}, "skipped": []}
        found = await session.call_tool("search", {"query": "rank fusion", "space": space})
        assert found.structuredContent
        assert found.structuredContent["results"]
        report = await session.call_tool(
            "report", {"question": "What is BM25?", "space": space}, progress_callback=note
        )
        [block] = report.content
        assert isinstance(block, types.TextContent)
        assert "## References" in block.text
        outside = await session.call_tool("ingest", {"source": "/etc/passwd", "space": space})
        assert outside.isError
    assert any(line.startswith("Wrote") for line in told)


async def test_our_own_connector_searches_through_it(
    environment_of_process: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(environment_of_process) as session:
        await session.call_tool("ingest", {"source": str(CONCEPTS)})
    kept = {name: environment_of_process[name] for name in ("PATH", "PYTHONPATH", "QUIRE_DATA_DIR")}
    described = {
        "transport": "stdio",
        "command": sys.executable,
        "args": ["-m", "cli", "mcp"],
        "env": kept,
    }
    monkeypatch.setenv("QUIRE_MCP_SERVERS", json.dumps({"quire": described}))
    monkeypatch.setenv("QUIRE_CONNECTOR_SECONDS", "60")
    connector: Any = make_connector("mcp")
    found = await connector.search("reciprocal rank fusion", limit=3)
    assert any(document.uri.endswith("rank-fusion.md") for document in found)


def _say(*messages: dict[str, Any]) -> str:
    return "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in messages)


HELLO = {
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": types.LATEST_PROTOCOL_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "probe", "version": "1"},
    },
}


@contextmanager
def process() -> Iterator["subprocess.Popen[str]"]:
    """The server, once it has answered the first message."""
    with subprocess.Popen(
        [sys.executable, "-m", "cli", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "always"},
    ) as started:
        assert started.stdin
        assert started.stdout
        started.stdin.write(_say(HELLO, {"method": "notifications/initialized"}))
        assert json.loads(started.stdout.readline())["id"] == 0
        yield started


def test_standard_output_holds_messages_alone_and_ends_with_the_input() -> None:
    with process() as started:
        assert started.stdin
        assert started.stdout
        started.stdin.write(_say({"id": 1, "method": "tools/list"}))
        assert json.loads(started.stdout.readline())["id"] == 1
        out, said = started.communicate("this is no message\n", timeout=60)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
    assert started.returncode == 0
    assert "Traceback" not in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_one_line(number: int) -> None:
    with process() as started:
        started.send_signal(number)
        _, said = started.communicate(timeout=30)
    assert started.returncode == 130
    assert said.splitlines()[-1] == "quire: stopped"
    assert "Traceback" not in said
