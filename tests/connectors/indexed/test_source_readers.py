"""Who may read each document: told by its source, kept in the library, and taken back there."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from conformance import items, list_changes
from fakes.provider import KEY, Item
from fakes.sites.atlassian import environment
from fakes.sites.github import GitHubServer
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from test_confluence import ConfluenceServer
from test_drive import TOP, DriveServer
from test_slack import GENERAL, RANDOM, SlackServer, written

from connectors.registry import list_connector_names, make_connector, make_syncing_connector
from connectors.sync import synchronise
from library.library import Library, open_library
from schema.access import KEEPER, Member
from schema.documents import ReadersOf
from schema.errors import ConnectorError, InputError
from serving.sources import add_sources

ADA, BEN = "ada@x.test", "ben@x.test"


@pytest.fixture
async def keeper(space: str) -> Library:
    """The space of a group, as its keeper sees it."""
    return await open_library(space, f"@group-of-{space}", (KEEPER,))


async def bring(keeper: Library, name: str, location: str) -> Counter[str]:
    """Sync a source whose documents are kept for whom it says; returns documents by outcome."""
    await keeper.add_source(name, location, acl=True)
    one = make_syncing_connector(name)
    return Counter(await synchronise(keeper, one, location, lambda *_: None))


async def see(keeper: Library, name: str) -> int:
    """How many of the space's documents somebody of this name sees."""
    return (await (await open_library(keeper.space, keeper.user, (name,))).count())[0]


class SharedDrive(DriveServer):
    """Drive's files with permissions, by number: in the listing, or only when each is asked for."""

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.permissions: dict[int, list[dict[str, Any]]] = {}
        self.listed = True

    def api(self) -> list[Any]:
        return [*super().api(), Route("/drive/v3/files/{id}/permissions", self.list_permissions)]

    def record(self, item: Item) -> dict[str, Any]:
        told = {"permissions": self.permissions.get(item.number, [])} if self.listed else {}
        return super().record(item) | told

    async def list_permissions(self, request: Request) -> Response:
        number = int(request.path_params["id"].removeprefix("id-"))
        if number not in self.permissions:
            return self.failure(403, "insufficientFilePermissions")
        start = int(request.query_params.get("pageToken", "0"))
        found = self.permissions[number]
        more = {"nextPageToken": str(start + 1)} if start + 1 < len(found) else {}
        return JSONResponse({"permissions": found[start : start + 1], **more})


@contextmanager
def drive(
    monkeypatch: pytest.MonkeyPatch, permissions: Mapping[int, list[dict[str, Any]]]
) -> Iterator[SharedDrive]:
    with SharedDrive(items(len(permissions))) as provider:
        provider.permissions = dict(permissions)
        monkeypatch.setenv("QUIRE_DRIVE_BASE_URL", provider.url)
        monkeypatch.setenv("GOOGLE_CLIENT_ID", "1.apps.googleusercontent.com")
        monkeypatch.setenv("GOOGLE_CLIENT_SECRET", "GOCSPX-1")
        monkeypatch.setenv("GOOGLE_REFRESH_TOKEN", KEY)
        yield provider


def user(address: str) -> dict[str, Any]:
    return {"type": "user", "emailAddress": address, "role": "reader"}


FILES = {
    1: [user("Ada@x.test"), user(BEN) | {"deleted": True}],
    2: [{"type": "group", "emailAddress": "Law@x.test"}, {"type": "domain", "domain": "y.test"}],
    3: [user(ADA), {"type": "anyone"}],
    4: [user(ADA), user(BEN)],
}


@pytest.mark.parametrize("listed", [True, False])
async def test_a_file_of_drive_is_for_whom_it_is_shared_with(
    keeper: Library, monkeypatch: pytest.MonkeyPatch, listed: bool
) -> None:
    with drive(monkeypatch, FILES) as provider:
        provider.listed = listed
        await bring(keeper, "drive", TOP)
        for name, count in {
            ADA: 3, BEN: 2, "group:law@x.test": 2, "domain:y.test": 2, "law@x.test": 1,
        }.items():  # fmt: skip
            assert await see(keeper, name) == count, name


async def test_what_is_taken_back_is_closed_by_the_next_sync_though_no_text_changed(
    keeper: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with drive(monkeypatch, FILES) as provider:
        await bring(keeper, "drive", TOP)
        sent = len(provider.sent)
        provider.permissions = {1: [user(BEN)], 2: [{"type": "anyone"}], 3: [user(ADA)], 4: []}
        told = await bring(keeper, "drive", TOP)
        assert told == {"unchanged": 4}
        assert len(provider.sent) == sent
    assert (await see(keeper, ADA), await see(keeper, BEN), await see(keeper, "")) == (2, 2, 1)


async def test_a_file_whose_permissions_are_hidden_is_for_nobody(
    keeper: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with drive(monkeypatch, {1: [user(ADA)], 2: [user(ADA)]}) as provider:
        provider.listed = False
        del provider.permissions[2]
        await bring(keeper, "drive", TOP)
    assert (await see(keeper, ADA), await see(keeper, "")) == (1, 0)


async def test_without_the_setting_nobody_is_asked_and_all_may_read(
    keeper: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with drive(monkeypatch, FILES) as provider:
        one = make_syncing_connector("drive")
        await synchronise(keeper, one, TOP, lambda *_: None)
        assert not any("permissions" in call for call in provider.calls)
        found = await list_changes("drive", TOP)
    assert await see(keeper, "") == 4
    assert not [one for one in found if isinstance(one, ReadersOf)]


async def test_a_source_is_opened_again_by_its_curator(
    keeper: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_SERVED_SOURCES", "*")
    group = keeper.user.removeprefix("@")
    curator = Member(identity="cur", groups={group: "curator"})
    with drive(monkeypatch, FILES):
        space = f"{keeper.user}/{keeper.space}"
        await add_sources([f"drive:{TOP}"], space, curator, acl=True)
        await bring(keeper, "drive", TOP)
        await add_sources([f"drive:{TOP}"], space, curator)
        assert await see(keeper, "") == 1
        await add_sources([f"drive:{TOP}"], space, curator, acl=False)
    assert await see(keeper, "") == 4


class RestrictedConfluence(ConfluenceServer):
    """Pages with read restrictions, by number, as version 1 of the API tells of them."""

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.restricted: dict[int, list[dict[str, Any]]] = {}
        self.unknown: set[int] = set()
        """Pages that the search does not know yet."""

    def api(self) -> list[Any]:
        return [*super().api(), Route("/wiki/rest/api/content/search", self.search)]

    async def search(self, request: Request) -> Response:
        assert request.query_params["cql"] == 'space = "ENG" and type = page'
        held = [one for one in self.items if one not in self.unknown]
        start = int(request.query_params["start"])
        found = [self.describe(one) for one in held[start : start + 2]]
        links = {"next": "/rest/api/search?next"} if start + 2 < len(held) else {}
        return self.answer({"results": found, "_links": links})

    def describe(self, number: int) -> dict[str, Any]:
        kinds: dict[str, Any] = {"user": [], "group": []}
        for one in self.restricted.get(number, []):
            kinds["group" if "name" in one else "user"].append(one)
        shown = {kind: {"results": held} for kind, held in kinds.items()}
        above = [self.describe(1)] if number > 1 else []
        return {
            "id": str(100 + number),
            "ancestors": above,
            "restrictions": {"read": {"restrictions": shown}},
        }


async def test_a_page_is_for_whom_it_and_the_pages_above_it_name(
    keeper: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RestrictedConfluence(items(4)) as provider:
        for name, value in environment("confluence", provider.url).items():
            monkeypatch.setenv(name, value)
        hidden = {"accountId": "5b10", "email": ""}
        provider.restricted = {2: [{"email": "Ada@x.test"}, {"name": "law"}], 3: [hidden]}
        provider.unknown = {4}
        await bring(keeper, "confluence", "ENG")
        counts = {ADA: 2, "group:law": 2, "atlassian:5b10": 2, "": 1}
        assert {name: await see(keeper, name) for name in counts} == counts
        provider.restricted[1], provider.unknown = [{"email": ADA}], set()
        assert await bring(keeper, "confluence", "ENG") == {"unchanged": 4}
        counts = {ADA: 3, "group:law": 0, "atlassian:5b10": 0, "": 0}
        assert {name: await see(keeper, name) for name in counts} == counts


class OwnedGitHub(GitHubServer):
    """A repository that is private, with collaborators; None: the token may not see them."""

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.private: object = True
        self.collaborators: list[str] | None = []

    def api(self) -> list[Any]:
        route = Route("/repos/{owner}/{name}/collaborators", self.list_collaborators)
        return [*super().api(), route]

    async def repository(self, request: Request) -> Response:
        body = (await super().repository(request)).body
        told = b'{"private": %s, ' % str(self.private).lower().encode()
        return Response(bytes(body).replace(b"{", told, 1), media_type="application/json")

    async def list_collaborators(self, request: Request) -> Response:
        if self.collaborators is None:
            return self.failure(403)
        start = 100 * (int(request.query_params["page"]) - 1)
        return JSONResponse([{"login": one} for one in self.collaborators[start : start + 100]])


async def test_a_private_repository_is_for_its_collaborators(
    keeper: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OwnedGitHub(items(3)) as provider:
        monkeypatch.setenv("QUIRE_GITHUB_BASE_URL", provider.url)
        monkeypatch.setenv("GITHUB_TOKEN", KEY)
        provider.collaborators = [*(f"c{n}" for n in range(120)), "Ada"]
        await bring(keeper, "github", "acme/turbines")
        assert (await see(keeper, "github:ada"), await see(keeper, "github:c119")) == (3, 3)
        assert await see(keeper, "ada") == 0
        provider.collaborators = ["Ben"]
        await bring(keeper, "github", "acme/turbines")  # of the same commit
        assert (await see(keeper, "github:ada"), await see(keeper, "github:ben")) == (0, 3)
        provider.collaborators = None
        with pytest.raises(ConnectorError, match="collaborators of Acme/Turbines"):
            await bring(keeper, "github", "acme/turbines")
        assert await see(keeper, "") == 0
        provider.private = False
        await bring(keeper, "github", "acme/turbines")
        assert await see(keeper, "") == 3


class PrivateSlack(SlackServer):
    """A workspace whose channel `random` is private; members by channel."""

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.members = {RANDOM: ["U1", "U2"]}
        self.emails = {"U1": "Ada@x.test"}

    def api(self) -> list[Any]:
        return [*super().api(), Route("/conversations.members", self.list_members)]

    async def conversations(self, request: Request) -> Response:
        channels = [
            {"id": id_, "name": name, "is_private": id_ in self.members}
            for id_, name in self.channels.items()
        ]
        return self.page(request, "channels", channels, 1)

    async def user(self, request: Request) -> Response:
        id_ = request.query_params["user"]
        shown = {"email": self.emails[id_]} if id_ in self.emails else {}
        return JSONResponse({"ok": True, "user": {"id": id_, "name": id_, "profile": shown}})

    async def list_members(self, request: Request) -> Response:
        held = self.members[request.query_params["channel"]]
        start = int(request.query_params.get("cursor", "0"))
        cursor = str(start + 1) if start + 1 < len(held) else ""
        body = {"ok": True, "members": held[start : start + 1]}
        return JSONResponse(body | {"response_metadata": {"next_cursor": cursor}})


async def test_a_private_channel_is_for_its_members(
    keeper: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PrivateSlack(items(2)) as provider:
        monkeypatch.setenv("QUIRE_SLACK_BASE_URL", provider.url)
        monkeypatch.setenv("SLACK_BOT_TOKEN", KEY)
        provider.written = {RANDOM: [written("The wind is ours alone.", 3)]}
        await bring(keeper, "slack", "*")
        counts = {ADA: 3, "slack:U2": 3, "slack:U1": 2, "": 2}
        assert {name: await see(keeper, name) for name in counts} == counts
        provider.members = {RANDOM: ["U2"], GENERAL: ["U1"]}
        assert (await bring(keeper, "slack", "*")).keys() == {"unchanged"}
        counts = {ADA: 2, "slack:U2": 1, "": 0}
        assert {name: await see(keeper, name) for name in counts} == counts


async def test_a_source_that_tells_no_readers_is_not_taken_for_one_that_does(
    keeper: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_SERVED_SOURCES", "*")
    curator = Member(identity="cur", groups={keeper.user.removeprefix("@"): "curator"})
    space = f"{keeper.user}/{keeper.space}"
    with pytest.raises(InputError, match="cannot tell who may read"):
        await add_sources(["web:https://x.test"], space, curator, acl=True)
    telling = set()
    for name in list_connector_names():
        one = make_connector(name)
        if one.kind == "indexed" and getattr(one, "tells_readers", False):
            telling.add(name)
    assert telling == {"confluence", "drive", "github", "slack"}
