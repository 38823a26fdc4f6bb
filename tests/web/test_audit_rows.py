"""What leaves the house or changes a right is on record: one row each, and no text or secret."""

import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from fakes.oidc_provider import Person
from graph_runs import CONCEPTS
from loopback import served
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from sign_ins import open_browser, sign_in, team_server
from test_library_page import is_read, upload
from test_report_pages import ARTICLE, write_report
from test_sharing import share
from visitors import said

from schema.access import Member
from team.accounts import make_account
from team.api_keys import create_key
from team.audit import ANYBODY, Record, list_records
from team.store import TeamStore, open_team

OPERATOR = Member(identity="op", operator=True)


@pytest.fixture
async def team() -> TeamStore:
    return await open_team()


async def records_of(team: TeamStore, object_: str) -> list[Record]:
    """What was done with an object, the first first."""
    held = await list_records(team, OPERATOR)
    return [one for one in held[::-1] if one.object == object_]


def told(records: list[Record]) -> str:
    return json.dumps([one.detail for one in records])


@pytest.mark.slow
async def test_a_link_and_an_export_are_on_record_without_token_or_text(
    enter: Any, samples: str, team: TeamStore
) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    link = await share(visitor, path)
    assert (await visitor.get(link)).status_code == 200
    form = (await visitor.read(path)).cssselect("form[action*='/links/']")[0].get("action")
    await visitor.get(f"{path}/export/markdown")
    text = [said(one) for one in (await visitor.read(path)).cssselect(f"{ARTICLE} p")]
    await visitor.post(form)
    assert (await visitor.get(link)).status_code == 404
    held = await records_of(team, path.rsplit("/", 1)[-1])
    actions = [one.action for one in held]
    assert actions == [
        *("report.asked", "report.finished"),
        *("report.shared", "report.opened", "report.exported", "report.unshared"),
    ]
    assert held[3].identity == ANYBODY
    assert link.rsplit("/", 1)[-1] not in told(held)
    assert not any(line in told(held) for line in text if len(line) > 60)


async def test_a_sync_is_on_record_once(enter: Any, space: str, team: TeamStore) -> None:
    visitor, path = enter(), f"/library?space={space}"
    await upload(visitor, space, **{"otters.md": b"# Otters\n\nThey float on their backs."})
    page = await visitor.wait_for(path, is_read)
    source = page.cssselect("form[action='/library/sync'] input[name=source]")[0].get("value")
    held = await records_of(team, source)
    assert [(one.action, one.detail["space"]) for one in held] == [("source.synced", space)]
    await visitor.post("/library/sync", {"space": space, "source": source})
    held = await records_of(team, source)
    assert [one.action for one in held] == ["source.synced"] * 2
    assert "float" not in told(held)


@pytest.fixture
async def url(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    monkeypatch.setenv("QUIRE_REQUIRE_SIGN_IN", "true")
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    async with served() as (address, _):
        yield address


async def test_what_an_agent_reads_is_on_record(url: str, team: TeamStore) -> None:
    identity = f"ada-{uuid4().hex[:8]}"
    await make_account(team, identity)
    key = await create_key(team, identity, "agent", "sources")
    async with (
        create_mcp_http_client({"authorization": f"Bearer {key}"}) as http,
        streamable_http_client(f"{url}/mcp", http_client=http) as (given, taken, _),
        ClientSession(given, taken) as session,
    ):
        await session.initialize()
        await session.call_tool("ingest", {"source": str(CONCEPTS / "bm25.md")})
        found = (await session.call_tool("search", {"query": "bm25"})).structuredContent
        assert found
        passage = found["results"][0]
        await session.call_tool("read_passage", {"passage": passage["passage"]})
    held = (await list_records(team, OPERATOR, identity=identity))[::-1]
    assert [(one.action, one.object) for one in held] == [
        ("source.synced", str(CONCEPTS / "bm25.md")),
        ("library.searched", "default"),
        ("passage.read", str(passage["passage"])),
    ]
    assert passage["text"][:60] not in told(held)
    assert key not in told(held)


async def test_a_sign_in_and_one_that_is_refused_are_on_record(
    monkeypatch: pytest.MonkeyPatch, team: TeamStore
) -> None:
    name = f"ada-{uuid4().hex[:8]}"
    with team_server(monkeypatch) as (address, provider):
        async with open_browser(address) as browser:
            await sign_in(browser, provider, Person(name, groups=["lawyers"]))
        [signed_in] = [
            one
            for one in await list_records(team, OPERATOR)
            if one.action == "account.signed_in" and one.detail["roles"] == ["law: writer"]
        ][:1]
        provider.lies = {"aud": "another"}
        before = len(await _list_refused(team))
        async with open_browser(address) as browser:
            await sign_in(browser, provider, Person(name))
        refused = await _list_refused(team)
    assert len(refused) == before + 1
    assert refused[0].identity == ANYBODY
    assert name not in told(refused) + told([signed_in])


async def _list_refused(team: TeamStore) -> list[Record]:
    held = await list_records(team, OPERATOR, identity=ANYBODY)
    return [one for one in held if one.action == "account.refused"]
