"""Two users at one `langgraph dev`: each with a key, each with what is theirs."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from dev_server import DevServer
from graph_runs import CONCEPTS, QUESTION, asked
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from schema.access import Member
from serving.stored_reports import list_reports
from team.accounts import block_account, make_account
from team.api_keys import create_key
from team.groups import set_role
from team.passes import make_pass
from team.store import open_team

pytestmark = pytest.mark.slow

SECRET = "a secret that all processes of the team know"


@pytest.fixture(scope="module")
def server(data_dir: Path) -> Iterator[DevServer]:
    settings = {"QUIRE_REQUIRE_SIGN_IN": "true", "QUIRE_TEAM_SECRET": SECRET}
    with DevServer(data_dir, **settings) as started:
        yield started


class User:
    """Someone with a key."""

    def __init__(self, server: DevServer, name: str, key: str) -> None:
        self.name = name
        self.headers = {"authorization": f"Bearer {key}"}
        self.client: LangGraphClient = get_client(url=server.url, headers=self.headers)


async def make_user(server: DevServer, role: str = "", scope: str = "sources") -> User:
    team, name = await open_team(), f"user.{uuid4().hex[:8]}"
    await make_account(team, name)
    if role:
        await set_role(team, name, "law", role)
    return User(server, name, await create_key(team, name, "", scope))


@pytest.fixture
async def two(server: DevServer) -> AsyncIterator[tuple[User, User]]:
    pair = await make_user(server, "curator"), await make_user(server)
    yield pair
    for user in pair:
        await user.client.aclose()


_REFUSALS = r"40[34]|(?i:not found)|Conflict|No runs found|Send a key"


async def refused(work: Any) -> str:
    with pytest.raises(
        Exception, match=r"40[34]|(?i:not found)|Conflict|No runs found|Send a key"
    ) as caught:
        await work
    return str(caught.value)


async def ask(user: User, space: str) -> dict[str, Any]:
    """A report of the sample pages in a space, or the error that came of it."""
    given = {"sources": [str(CONCEPTS)]}
    told: Any = await user.client.runs.wait(
        None, "ingest", input=given, context={"space": space}, raise_error=False
    )
    if "__error__" in told:
        return dict(told)
    return dict(  # type: ignore[arg-type]
        await user.client.runs.wait(
            None, "report", input=asked(QUESTION), context={"space": space}, raise_error=False
        )
    )


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer qk_made-up"},
        {"authorization": "Bearer qp_made.up"},
        {"authorization": "Basic bG9jYWw6"},
        {"x-auth-scheme": "langsmith"},
        {"x-auth-scheme": "langsmith", "x-api-key": "x"},
    ],
    ids=str,
)
async def test_nobody_comes_in_without_a_key(server: DevServer, headers: dict[str, str]) -> None:
    async with httpx.AsyncClient(base_url=server.url, headers=headers) as client:
        for method, path in (
            ("POST", "/threads"),
            ("POST", "/threads/search"),
            ("POST", "/assistants/search"),
            ("POST", "/runs/wait"),
            ("POST", "/store/items/search"),
            ("POST", "/captures"),
            ("POST", "/mcp/"),
        ):
            answer = await client.request(method, path, json={})
            assert answer.status_code in (401, 403), path
            assert "qk_made-up" not in answer.text


async def test_the_same_user_reaches_the_library_by_key_and_by_pass(
    server: DevServer, two: tuple[User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = two
    state = await ask(ada, "own")
    assert [one.id for one in await list_reports(Member(identity=ada.name))] == [
        state["report"]["id"]
    ]
    assert await list_reports(Member(identity=bob.name)) == []
    monkeypatch.setenv("QUIRE_TEAM_SECRET", SECRET)
    told = Member(identity=ada.name, groups={"law": "curator"})
    passing = User(server, ada.name, make_pass(told))
    await ask(passing, "own")
    await ask(passing, f"@law/{ada.name}")
    held = [(one.owner, one.space) for one in await list_reports(told)]
    assert held.count((ada.name, "own")) == 2
    assert held.count(("@law", ada.name)) == 1


async def test_a_group_s_space_is_shut_to_others_and_to_lesser_roles(
    server: DevServer, two: tuple[User, User]
) -> None:
    ada, bob = two
    assert (await ask(ada, "@law/cases"))["report"]["citations"]
    assert "You are not in a group law" in str((await ask(bob, "@law/cases"))["__error__"])
    reader = await make_user(server, "reader")
    assert "You are a reader in the group law" in str((await ask(reader, "@law/x"))["__error__"])
    limited = await make_user(server, "curator", scope="read")
    for space in ("own", "@law/cases"):
        assert "This key is a reader's" in str((await ask(limited, space))["__error__"])


async def test_no_thread_run_or_assistant_is_seen_by_another(two: tuple[User, User]) -> None:
    ada, bob = (user.client for user in two)
    thread = (await ada.threads.create(metadata={"owner": two[1].name}))["thread_id"]
    await ada.runs.wait(thread, "report", input=asked("Hi"))
    [run] = await ada.runs.list(thread)
    mine = await ada.assistants.create("report", metadata={"created_by": "system"})
    assistant = mine["assistant_id"]
    assert [one["thread_id"] for one in await bob.threads.search()] == []
    for work in (
        lambda: bob.threads.get(thread),
        lambda: bob.threads.get_state(thread),
        lambda: bob.threads.get_history(thread),
        lambda: bob.threads.update(thread, metadata={"owner": two[1].name}),
        lambda: bob.threads.copy(thread),
        lambda: bob.runs.list(thread),
        lambda: bob.runs.get(thread, run["run_id"]),
        lambda: bob.runs.join(thread, run["run_id"]),
        lambda: bob.runs.cancel(thread, run["run_id"]),
        lambda: bob.runs.wait(thread, "section", input={"title": "x", "questions": ["y?"]}),
        lambda: bob.threads.delete(thread),
        lambda: bob.assistants.get(assistant),
        lambda: bob.assistants.update(assistant, name="mine"),
        lambda: bob.assistants.delete(assistant),
        lambda: bob.runs.wait(None, assistant, input=asked(QUESTION)),
    ):
        await refused(work())
    assert await bob.threads.search() == []
    assert {one["metadata"]["created_by"] for one in await bob.assistants.search()} == {"system"}
    assert assistant in {one["assistant_id"] for one in await ada.assistants.search(limit=100)}
    assert (await ada.threads.get(thread))["metadata"]["owner"] == two[0].name


async def test_nobody_changes_what_the_server_made_for_all(two: tuple[User, User]) -> None:
    ada = two[0].client
    [assistant] = [
        one for one in await ada.assistants.search(graph_id="report")
        if one["metadata"].get("created_by") == "system"
    ]  # fmt: skip
    await refused(ada.assistants.update(assistant["assistant_id"], name="mine"))
    await refused(ada.assistants.delete(assistant["assistant_id"]))


async def test_the_store_and_crons_are_one_s_own(two: tuple[User, User]) -> None:
    ada, bob = (user.client for user in two)
    await ada.store.put_item(["notes"], "a", {"text": "hers"})
    own = await ada.store.get_item(["notes"], "a")
    assert own["value"] == {"text": "hers"}
    assert await bob.store.get_item(["notes"], "a") is None
    for prefix in ([], ["notes"], own["namespace"]):
        assert (await bob.store.search_items(prefix))["items"] == []
        told = (await bob.store.list_namespaces(prefix=prefix))["namespaces"]
        assert own["namespace"] not in told
    cron: Any = await ada.crons.create("report", schedule="0 0 1 1 *", input=asked(QUESTION))
    assert [one["cron_id"] for one in await ada.crons.search()] == [cron["cron_id"]]
    assert await bob.crons.search() == []
    await refused(bob.crons.delete(cron["cron_id"]))
    await ada.crons.delete(cron["cron_id"])


async def test_captures_are_pushed_as_the_key_s_owner(
    server: DevServer, two: tuple[User, User]
) -> None:
    page = {
        "url": "https://www.wind.test/turbine",
        "title": "How a turbine works",
        "captured_at": "2026-05-01T10:00:00+02:00",
        "markdown": "# Turbines\n\nA turbine turns wind into power by means of three blades.",
    }
    async with httpx.AsyncClient(base_url=server.url) as client:
        for user, space, status in (
            (two[0], "captured", 200),
            (two[0], "@law/captured", 200),
            (two[1], "@law/captured", 403),
        ):
            answer = await client.post(
                "/captures", params={"space": space}, json=page, headers=user.headers
            )
            assert answer.status_code == status
        gone = await client.delete(
            "/captures",
            params={"space": "captured", "url": page["url"]},
            headers=two[1].headers,
        )
        assert gone.status_code == 404


async def test_who_is_blocked_is_refused_at_once(two: tuple[User, User]) -> None:
    await two[1].client.threads.create()
    await block_account(await open_team(), two[1].name)
    assert "Send a key" in await refused(two[1].client.threads.create())


async def test_the_server_complains_of_nothing(server: DevServer) -> None:
    unwanted = ("BlockingError", "Blocking call", "qk_")
    assert not [line for line in server.log.splitlines() if any(one in line for one in unwanted)]
