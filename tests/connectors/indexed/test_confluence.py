"""Confluence Cloud's REST API: developer.atlassian.com/cloud/confluence/rest/v2."""

import json
from typing import Any

import pytest
from conformance import SyncConformance, items
from fakes.provider import OLD, Item
from fakes.sites.atlassian import AtlassianSite, document, environment, paragraph
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from connectors.registry import make_syncing_connector
from library.library import Library
from schema.documents import Document, Skipped, Unchanged
from schema.errors import ConnectorError, InputError

ROOT = "confluence://127.0.0.1/ENG"
NEXT = "/wiki/api/v2/spaces/98/pages?limit=250"
PARENTS = [("folder", "900"), ("whiteboard", "950"), ("page", "101")]


class ConfluenceServer(AtlassianSite):
    """The space ENG, whose items are its pages. The first is its home.

    Of three pages, one lies below the home page, one in a folder, one on a whiteboard.

    Attributes:
        spaces: Keys of the spaces that the account sees.
        changed: Laid over a page, by number.
        hidden: Numbers of pages that are listed and then not handed over.
        closed: Paths that are answered with 403.
        people: Name by account.
        end: Laid over the links of every page of the listing.
    """

    spaces = ("ENG", "OPS", "~5b10")

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.changed: dict[int, dict[str, Any]] = {}
        self.hidden: set[int] = set()
        self.closed: set[str] = set()
        self.people = {"5b10": "Ada Lovelace"}
        self.end: dict[str, Any] = {}

    def api(self) -> list[Any]:
        return [
            Route("/wiki/api/v2/spaces", self.list_spaces),
            Route("/wiki/api/v2/spaces/98/pages", self.list_pages),
            Route("/wiki/api/v2/pages", self.read),
            Route("/wiki/api/v2/folders/{id}", self.folder),
            Route("/wiki/api/v2/users-bulk", self.users, methods=["POST"]),
        ]

    def failure(self, status: int) -> Response:
        error = {"status": status, "code": "ERROR", "title": "It went wrong.", "detail": None}
        return JSONResponse({"errors": [error]}, status)

    async def list_spaces(self, request: Request) -> Response:
        assert 1 <= int(request.query_params.get("limit", "25")) <= 250
        wanted = request.query_params.get("keys", ",".join(self.spaces)).split(",")
        ids = {"ENG": "98", "OPS": "99", "~5b10": "97"}
        found = [
            {"id": ids[key], "key": key, "name": "Engineering", "status": "current"}
            for key in self.spaces
            if key in wanted
        ]
        return self.answer({"results": found, "_links": {"base": f"{self.url}/wiki"}})

    async def list_pages(self, request: Request) -> Response:
        limit = int(request.query_params.get("limit", "25"))
        assert 1 <= limit <= 250
        assert request.query_params["status"] == "current"
        start = int(request.query_params.get("cursor", "at=0").removeprefix("at="))
        held = list(self.items.values())
        page = held[start : start + limit]
        end = start + len(page)
        links = {"next": f"{NEXT}&cursor=at%3D{end}"} if end < len(held) else {}
        links = {"base": f"{self.url}/wiki", **links, **self.end}
        return self.answer({"results": [self.page(one) for one in page], "_links": links})

    async def read(self, request: Request) -> Response:
        ids = request.query_params["id"].split(",")
        limit = int(request.query_params.get("limit", "25"))
        assert 1 <= limit <= 250
        assert request.query_params["body-format"] in ("storage", "atlas_doc_format")
        numbers = sorted({int(one) - 100 for one in ids} & self.items.keys() - self.hidden)
        self.sent += numbers
        pages = [self.page(self.items[one], body=True) for one in numbers[:limit]]
        return self.answer({"results": pages, "_links": {"base": f"{self.url}/wiki"}})

    def page(self, item: Item, *, body: bool = False) -> dict[str, Any]:
        kind, parent = PARENTS[item.number % 3] if item.number > 1 else (None, None)
        text = json.dumps(document(paragraph(item.text)))
        full = {"atlas_doc_format": {"value": text, "representation": "atlas_doc_format"}}
        number = round((item.when - OLD).total_seconds()) + 1
        page = {
            "id": str(100 + item.number),
            "status": "current",
            "title": item.title,
            "spaceId": "98",
            "parentId": parent,
            "parentType": kind,
            "authorId": "5b10",
            "createdAt": OLD.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "version": {"number": number, "message": "", "minorEdit": False, "authorId": "5b11"},
            "body": full if body else {},
            "_links": {"webui": f"/spaces/ENG/pages/{100 + item.number}/Wind"},
        }
        return {**page, **self.changed.get(item.number, {})}

    async def folder(self, request: Request) -> Response:
        if "folder" in self.closed:
            return self.failure(403)
        identity = request.path_params["id"]
        folders = {"900": ("Plans/drafts", "page", "101"), "901": ("Inner", "folder", "900")}
        if identity not in folders:
            return self.failure(404)
        title, kind, parent = folders[identity]
        parents = {"parentId": parent, "parentType": kind}
        return self.answer({"id": identity, "type": "folder", "title": title, **parents})

    async def users(self, request: Request) -> Response:
        if "users" in self.closed:
            return self.failure(403)
        accounts = (await request.json())["accountIds"]
        assert 1 <= len(accounts) <= 250
        found = [
            {"accountId": one, "displayName": self.people[one], "email": ""}
            for one in accounts
            if one in self.people
        ]
        return self.answer({"results": found})


class TestConfluence(SyncConformance[ConfluenceServer]):
    name = "confluence"
    key = "ATLASSIAN_API_TOKEN"
    location = "ENG"
    provider = ConfluenceServer

    def environment(self, url: str) -> dict[str, str]:
        self.url = url
        return environment(self.name, url)

    def expected(self, item: Item) -> dict[str, Any]:
        number = 100 + item.number
        above = ["", "Wind turbine 1/", "Wind turbine 1/Plans∕drafts/"][item.number - 1 :][:1]
        return {
            "uri": f"{ROOT}/{number}",
            "url": f"{self.url}/wiki/spaces/ENG/pages/{number}/Wind",
            "title": item.title,
            "author": "Ada Lovelace",
            "published": "2024-05-01",
            "path": f"Engineering/{''.join(above)}{item.title}",
        }

    @pytest.mark.parametrize("location", ["XYZ", "eng", "ENG,OPS", ""])
    async def test_an_unknown_space_is_answered_with_those_that_there_are(
        self, location: str
    ) -> None:
        with (
            self.serving(items(1)),
            pytest.raises(InputError, match=f"no space '{location}': use one of ENG, OPS\\.$"),
        ):
            await make_syncing_connector("confluence").find_root(location)

    async def test_an_account_that_sees_no_space_is_told_so(self) -> None:
        self.monkeypatch.setattr(ConfluenceServer, "spaces", ())
        with (
            self.serving(items(1)),
            pytest.raises(ConnectorError, match="no space: check ATLASSIAN_EMAIL and"),
        ):
            await make_syncing_connector("confluence").find_root("ENG")

    async def test_the_address_may_be_that_of_the_wiki(self) -> None:
        with self.serving(items(1)) as server:
            self.monkeypatch.setenv("QUIRE_CONFLUENCE_BASE_URL", f"{server.url}/wiki/")
            assert (
                await make_syncing_connector("confluence").find_root("~5b10")
                == "confluence://127.0.0.1/~5b10"
            )

    async def test_a_token_that_is_passed_over_removes_nothing(self, library: Library) -> None:
        """The site then answers 200 with what everybody may see: here, nothing."""
        with self.serving(items(5)) as server:
            await self.sync(library)
            server.anonymous = True
            server.items.clear()
            error = await self.refused(library)
            assert "check ATLASSIAN_API_TOKEN" in str(error)
            server.anonymous = False
            assert len(await self.held(library)) == 5

    async def test_a_page_that_moved_is_read_again(self) -> None:
        """Its number stays the same."""
        server = self.provider(items(3))
        before = await self.synced(server)
        server.changed[3] = {"parentId": "901", "parentType": "folder"}
        first, second, third = await self.synced(server, *before)
        assert (type(first), type(second)) == (Unchanged, Unchanged)
        assert third.path == "Engineering/Wind turbine 1/Plans∕drafts/Inner/Wind turbine 3"

    async def test_pages_above_each_other_in_a_circle_have_a_path(self) -> None:
        server = self.provider(items(1))
        server.changed[1] = {"parentId": "101", "parentType": "page"}
        (page,) = await self.synced(server)
        assert page.path.startswith("Engineering/Wind turbine 1/")
        assert len(page.path) < 1_000

    async def test_without_the_right_to_ask_for_names_pages_are_read(self) -> None:
        server = self.provider(items(3))
        server.closed = {"users", "folder"}
        pages = await self.synced(server)
        assert {page.author for page in pages} == {""}
        assert pages[2].path == "Engineering/Wind turbine 3"

    async def test_every_page_has_its_author_however_many_are_read_at_once(self) -> None:
        server = self.provider(items(120))
        server.pause = 0.01
        server.people = {str(number): f"Person {number}" for number in range(5)}
        server.changed = {one: {"authorId": str(one % 5)} for one in server.items}
        pages = await self.synced(server)
        assert [page.author for page in pages] == [f"Person {one % 5}" for one in server.items]

    async def test_what_is_listed_and_not_handed_over_is_skipped_and_kept(
        self, library: Library
    ) -> None:
        with self.serving(items(3)) as server:
            await self.sync(library)
            server.put(Item(1, "Wind turbine 1", "New.", when=items(9)[8].when))
            server.hidden = {1}
            assert await self.sync(library) == {"skipped": 1, "unchanged": 2}
            assert len(await self.held(library)) == 3

    @pytest.mark.parametrize(
        "odd",
        [
            {"body": None},
            {"body": {"atlas_doc_format": {"value": "{"}}},
            {"body": {"atlas_doc_format": {"value": "[" * 100_000}}},
        ],
        ids=["none", "cut", "deep"],
    )
    async def test_a_page_whose_text_cannot_be_read_is_skipped(self, odd: dict[str, Any]) -> None:
        server = self.provider(items(2))
        server.changed[1] = odd
        first, second = await self.synced(server)
        assert (type(first), first.uri) == (Skipped, f"{ROOT}/101")
        assert first.reason.startswith("Wind turbine 1: ")
        assert isinstance(second, Document)

    @pytest.mark.parametrize("odd", [None, 7, []], ids=repr)
    async def test_odd_fields_are_passed_over(self, odd: Any) -> None:
        server = self.provider(items(1))
        names = ("title", "parentId", "parentType", "authorId", "createdAt", "_links")
        server.changed[1] = dict.fromkeys(names, odd)
        (page,) = await self.synced(server)
        assert (page.title, page.author, page.published) == ("", "", "")
        assert page.path == "Engineering/-"

    @pytest.mark.parametrize("odd", [{"id": 7}, {"version": None}, {"version": {"number": "x"}}])
    async def test_a_listing_that_cannot_be_read_is_a_failure(self, odd: dict[str, Any]) -> None:
        server = self.provider(items(2))
        server.changed[2] = odd
        with pytest.raises(ConnectorError, match="could not be read"):
            await self.synced(server)

    @pytest.mark.parametrize("link", [f"{NEXT}&cursor=at%3D0", NEXT])
    async def test_a_listing_that_never_ends_is_a_failure(self, link: str) -> None:
        server = self.provider(items(2))
        server.end = {"next": link}
        with pytest.raises(ConnectorError, match="could not be read"):
            await self.synced(server)
