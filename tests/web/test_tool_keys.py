"""Keys of a team's server in the hands of an OpenAI client and an MCP client; limits and audit."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import openai
import pytest
from graph_runs import CONCEPTS, QUESTION
from loopback import served
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from schema.access import Member
from schema.context import Context
from serving.runs import run_ingest
from team.accounts import make_account
from team.api_keys import create_key, list_keys, revoke_key
from team.audit import list_records
from team.limits import set_limit
from team.store import TeamStore, open_team

OPERATOR = Member(identity="op", operator=True)
ASKED: Any = {"messages": [{"role": "user", "content": QUESTION}]}


@pytest.fixture
async def team() -> TeamStore:
    return await open_team()


@pytest.fixture
async def member(team: TeamStore, monkeypatch: pytest.MonkeyPatch) -> Member:
    """Someone with an account, whose own space holds the sample pages."""
    identity = f"ada-{uuid4().hex[:8]}"
    await make_account(team, identity)
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    made = Member(identity=identity)
    await run_ingest([str(CONCEPTS)], Context(), lambda _: None, member=made)
    return made


@pytest.fixture
async def url(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    monkeypatch.setenv("QUIRE_REQUIRE_SIGN_IN", "true")
    async with served() as (address, _):
        yield address


def client_of(url: str, key: str) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)


async def test_a_key_is_good_for_its_scope_until_it_is_revoked(
    url: str, team: TeamStore, member: Member
) -> None:
    for key in ("", "any", "qk_unknown"):
        async with client_of(url, key or "none") as nobody:
            with pytest.raises(openai.AuthenticationError, match=r"Sign in first|unknown"):
                await nobody.models.list()
    reading = await create_key(team, member.identity, "reading", "read")
    async with client_of(url, reading) as reader:
        assert (await reader.models.list()).data
        for model in ("quire-general", "quire-ask"):
            with pytest.raises(openai.PermissionDeniedError, match="needs a writer"):
                await reader.chat.completions.create(model=model, **ASKED)
    writing = await create_key(team, member.identity, "writing", "write")
    async with client_of(url, writing) as writer:
        answer = await writer.chat.completions.create(model="quire-ask", **ASKED)
        assert "[1]" in (answer.choices[0].message.content or "")
        [_, identifier] = [one.id for one in await list_keys(team, member.identity)][::-1]
        await revoke_key(team, identifier)
        with pytest.raises(openai.AuthenticationError):
            await writer.chat.completions.create(model="quire-ask", **ASKED)


async def test_an_agent_with_a_reader_s_key_searches_and_no_more(
    url: str, team: TeamStore, member: Member
) -> None:
    key = await create_key(team, member.identity, "agent", "read")
    async with (
        create_mcp_http_client({"authorization": f"Bearer {key}"}) as http,
        streamable_http_client(f"{url}/mcp", http_client=http) as (given, told, _),
        ClientSession(given, told) as session,
    ):
        await session.initialize()
        found = await session.call_tool("search", {"query": "rank fusion"})
        assert found.structuredContent
        assert found.structuredContent["results"]
        for tool, arguments in {
            "report": {"question": QUESTION},
            "ask": {"question": QUESTION},
            "ingest": {"source": str(CONCEPTS)},
        }.items():
            refused = await session.call_tool(tool, arguments)
            assert refused.isError
            assert "needs a" in str(refused.content[0])


@pytest.mark.parametrize("model", ["quire-general", "quire-ask"])
@pytest.mark.parametrize("stream", [True, False])
async def test_over_the_limit_a_client_is_told_when_to_come_back(
    url: str, team: TeamStore, member: Member, model: str, stream: bool
) -> None:
    await set_limit(team, member.identity, "runs_a_day", 0)
    key = await create_key(team, member.identity, "", "write")
    async with client_of(url, key) as client:
        with pytest.raises(openai.RateLimitError, match="of today") as refused:
            await client.chat.completions.create(model=model, stream=stream, **ASKED)
    assert int(refused.value.response.headers["retry-after"]) > 0


async def test_what_was_asked_is_in_the_audit_and_no_text_of_an_answer(
    url: str, team: TeamStore, member: Member
) -> None:
    key = await create_key(team, member.identity, "", "write")
    async with client_of(url, key) as client:
        answer = await client.chat.completions.create(model="quire-ask", **ASKED)
    held = [one for one in await list_records(team, OPERATOR) if one.identity == member.identity]
    assert {"answer.asked", "answer.finished"} <= {one.action for one in held}
    [asked] = [one for one in held if one.action == "answer.asked"]
    assert asked.detail["question"] == QUESTION
    text = answer.choices[0].message.content or ""
    told = str([one.detail for one in held])
    assert all(line not in told for line in text.splitlines() if len(line) > 60)
    assert key not in told
