"""Notion's API, in its version 2025-09-03: developers.notion.com/reference."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from conformance import OLD, SyncConformance, items
from fakes.provider import KEY, Item, Provider
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from connectors.indexed.notion.text import (
    convert_blocks,
    find_linked_ids,
    format_properties,
    get_title,
)
from connectors.protocol import SyncState
from connectors.registry import make_syncing_connector
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError

CODES = {401: "unauthorized", 403: "restricted_resource", 404: "object_not_found"}
ADA, GRACE = "00000000-0000-4000-9000-00000000000a", "00000000-0000-4000-9000-00000000000b"
DATABASE, SOURCE = (f"00000000-0000-4000-a000-00000000000{number}" for number in (1, 2))
WORKSPACE = {"type": "workspace", "workspace": True}
ROW = {"type": "data_source_id", "data_source_id": SOURCE, "database_id": DATABASE}


def id_of(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def rich(text: str, **more: Any) -> list[dict[str, Any]]:
    part = {"type": "text", "text": {"content": text, "link": None}, "href": None}
    return [part | {"annotations": {}, "plain_text": text} | more]


def block(kind: str, text: str = "", **body: Any) -> dict[str, Any]:
    """A block; what stands inside of it is given as `children`, as `convert_blocks` takes it."""
    children = body.pop("children", [])
    given = {"rich_text": rich(text)} | body if text else body
    made = {"object": "block", "id": id_of(0), "type": kind, kind: given}
    return made | {"has_children": bool(children), "children": children}


def below(id_: str) -> dict[str, str]:
    return {"type": "page_id", "page_id": id_}


class NotionServer(Provider):
    """The items, the odd ones rows of the database Turbines, and what a test adds."""

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.things = dict[str, dict[str, Any]]()
        """Further pages and blocks that are above pages, by id."""
        self.hidden = set[str]()
        """Ids that a search passes over."""
        self.refused = set[str]()
        """Ids of pages and blocks whose blocks Notion cannot show."""
        self.blocks = dict[str, list[dict[str, Any]]]()
        """What stands in further pages."""
        self.most = 10_000
        """Records that a listing gives at most."""

    def api(self) -> list[Any]:
        return [
            Route("/v1/search", self.search, methods=["POST"]),
            Route("/v1/users/me", self.me),
            Route("/v1/users/{id}", self.user),
            Route("/v1/blocks/{id}/children", self.children),
            Route("/v1/data_sources/{id}/query", self.query, methods=["POST"]),
            Route("/v1/{kind}/{id}", self.one),
        ]

    def allowed(self, request: Request) -> bool:
        assert request.headers["notion-version"] == "2025-09-03"
        return super().allowed(request)

    def failure(self, status: int, code: str = "") -> Response:
        code = code or CODES.get(status, "internal_server_error")
        error = {"object": "error", "status": status, "code": code, "message": "It went wrong."}
        return JSONResponse(error | {"request_id": "1"}, status)

    def add(self, number: int, name: str, *blocks: dict[str, Any], **more: Any) -> str:
        """Add a page of the workspace, with another `parent` or `properties` where given."""
        held = {"Name": {"id": "title", "type": "title", "title": rich(name)}}
        held |= more.pop("properties", {})
        page = {
            "object": "page",
            "id": id_of(number),
            "created_time": (OLD + timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:00.000Z"),
            "last_edited_time": "2024-05-02T10:00:00.000Z",
            "created_by": {"object": "user", "id": ADA},
            "archived": False,
            "in_trash": False,
            "url": f"https://www.notion.so/{name.replace(' ', '-')}-{id_of(number)}",
            "parent": WORKSPACE,
            "properties": held,
        }
        self.things[id_of(number)] = page | more
        self.blocks[id_of(number)] = list(blocks)
        return id_of(number)

    def page(self, item: Item) -> dict[str, Any]:
        name = "Name" if item.number % 2 else "title"
        edited = item.when.strftime("%Y-%m-%dT%H:%M:00.000Z")
        return {
            "object": "page",
            "id": id_of(item.number),
            "created_time": (OLD + timedelta(minutes=item.number)).strftime("%Y-%m-%dT%H:%M:00Z"),
            "last_edited_time": edited,
            "created_by": {"object": "user", "id": ADA},
            "in_trash": False,
            "url": f"https://www.notion.so/{item.number}",
            "parent": ROW if item.number % 2 else WORKSPACE,
            "properties": {name: {"id": "title", "type": "title", "title": rich(item.title)}},
        }

    @property
    def source(self) -> dict[str, Any]:
        return {
            "object": "data_source",
            "id": SOURCE,
            "title": rich("Turbines"),
            "parent": {"type": "database_id", "database_id": DATABASE},
            "database_parent": self.things.get(DATABASE, {}).get("parent", WORKSPACE),
            "properties": {"Name": {"id": "title", "name": "Name", "type": "title", "title": {}}},
            "last_edited_time": "2024-05-01T10:00:00.000Z",
        }

    def found(self, id_: str) -> dict[str, Any] | None:
        """A page by its id."""
        item = self.items.get(int(id_[:8], 16)) if id_.endswith("-000000000000") else None
        return self.page(item) if item else self.things.get(id_)

    async def search(self, request: Request) -> Response:
        body = await request.json()
        assert body["filter"]["property"] == "object"
        assert body["sort"]["timestamp"] == "last_edited_time"
        if body["filter"]["value"] == "data_source":
            return self.listed(body, [self.source])
        held: list[Any] = [*self.items.values()]
        held += [one for one in self.things.values() if one.get("object") == "page"]
        held = [one for one in held if isinstance(one, Item) or one["id"] not in self.hidden]
        held = [
            one for one in held if not (isinstance(one, Item) and id_of(one.number) in self.hidden)
        ]
        backwards = body["sort"]["direction"] == "descending"
        held.sort(key=edited, reverse=backwards)
        return self.listed(body, held)

    async def query(self, request: Request) -> Response:
        body = await request.json()
        assert body["sorts"] == [{"timestamp": "created_time", "direction": "ascending"}]
        first = body.get("filter", {}).get("created_time", {}).get("on_or_after", "")
        rows = [one for one in self.items.values() if one.number % 2]
        held = [one for one in map(self.page, rows) if one["created_time"] >= first]
        return self.listed(body, held)

    def listed(self, body: Mapping[str, Any], held: list[Any]) -> Response:
        """A page of a listing; an item stands for its page."""
        size, start = int(body.get("page_size", 100)), int(body.get("start_cursor") or 0)
        assert 1 <= size <= 100
        end = min(start + size, self.most)
        more = end < min(len(held), self.most)
        results = [self.page(one) if isinstance(one, Item) else one for one in held[start:end]]
        answer = {"object": "list", "results": results, "has_more": more}
        if len(held) > self.most:
            reason = "query_result_limit_reached"
            answer["request_status"] = {"type": "incomplete", "incomplete_reason": reason}
        return JSONResponse(answer | {"next_cursor": str(end) if more else None})

    async def me(self, request: Request) -> Response:
        bot = {"owner": WORKSPACE, "workspace_name": "Acme", "workspace_id": "w1"}
        return JSONResponse({"object": "user", "id": GRACE, "type": "bot", "bot": bot})

    async def user(self, request: Request) -> Response:
        if request.path_params["id"] != ADA:
            return self.failure(403)
        return JSONResponse({"object": "user", "id": ADA, "type": "person", "name": "Ada Lovelace"})

    async def one(self, request: Request) -> Response:
        kind, id_ = request.path_params["kind"], request.path_params["id"]
        if id_ in (DATABASE, SOURCE):
            if kind == "pages":  # it says that this is a database
                return self.failure(400, "validation_error")
            database = {"object": "database", "id": DATABASE, "title": rich("Turbines")}
            database |= {"parent": self.source["database_parent"]}
            held = {("databases", DATABASE): database, ("data_sources", SOURCE): self.source}
            return JSONResponse(held[kind, id_]) if (kind, id_) in held else self.failure(404)
        thing = self.found(id_)
        if not thing or {"pages": "page", "blocks": "block"}.get(kind) != thing["object"]:
            return self.failure(404)
        return JSONResponse(thing)

    async def children(self, request: Request) -> Response:
        id_ = request.path_params["id"]
        if id_ in self.refused:
            return self.failure(400, "validation_error")
        item = self.items.get(int(id_[:8], 16)) if id_.endswith("-000000000000") else None
        if item:
            self.sent.append(item.number)
            return self.listed(request.query_params, [block("paragraph", item.text)])
        if id_ not in self.blocks:
            return self.failure(404)
        held = [
            {name: value for name, value in one.items() if name != "children"}
            for one in self.blocks[id_]
        ]
        return self.listed(request.query_params, held)

    def nest(self, id_: str, one: dict[str, Any]) -> dict[str, Any]:
        """Give a block its own id, so that its children are asked for."""
        self.blocks[id_] = one["children"]
        return one | {"id": id_}


def edited(one: Any) -> str:
    when = one.when.strftime("%Y-%m-%dT%H:%M") if isinstance(one, Item) else ""
    return when or str(one.get("last_edited_time") or "")


async def changes(
    location: str = "*",
    versions: Mapping[str, str] | None = None,
    found: list[Change] | None = None,
) -> list[Change]:
    """What a sync yields; it also stands in `found`, if the sync fails."""
    one, found = make_syncing_connector("notion"), [] if found is None else found
    since = SyncState(
        location=location, root=await one.find_root(location), versions=versions or {}
    )
    async for change in one.sync(since):
        found.append(change)
    return found


def documents(found: list[Change]) -> dict[str, Document]:
    return {one.title: one for one in found if isinstance(one, Document)}


def versions(found: list[Change]) -> dict[str, str]:
    return {one.uri: one.version for one in found if isinstance(one, Document)}


class TestNotion(SyncConformance[NotionServer]):
    name = "notion"
    key = "NOTION_TOKEN"
    location = "*"
    batch = 1_500
    """A page is a request, and one beyond the first thousand is two."""
    provider = NotionServer

    def expected(self, item: Item) -> dict[str, Any]:
        return {
            "uri": f"notion://w1/{id_of(item.number)}",
            "url": f"https://www.notion.so/{item.number}",
            "title": item.title,
            "author": "Ada Lovelace",
            "published": "2024-05-01",
            "path": f"Turbines/{item.title}" if item.number % 2 else item.title,
        }

    @pytest.fixture
    def notion(self) -> Any:
        """A workspace whose only pages are those that a test adds."""
        with self.serving([]) as provider:
            yield provider

    async def test_blocks_inside_of_blocks_are_read_and_pages_are_not(
        self, notion: NotionServer
    ) -> None:
        inner = notion.nest(id_of(90), block("toggle", "More", children=[block("code", "x = 1")]))
        below_ = block("child_page", title="Below")
        notion.add(
            1,
            "Top",
            *[block("paragraph", f"Line {number}") for number in range(120)],
            notion.nest(id_of(91), block("bulleted_list_item", "Point", children=[inner])),
            notion.nest(id_of(92), block("paragraph", "Refused", children=[below_])),
            below_ | {"id": id_of(2), "has_children": True},
        )
        notion.add(2, "Below", block("paragraph", "Deep"), parent=below(id_of(1)))
        notion.refused = {id_of(92)}
        found = documents(await changes())
        text = found["Top"].text
        assert text.startswith("Line 0\n\nLine 1\n\n")
        assert "Line 119\n\n- Point\n  - More\n\n    ```\n    x = 1\n    ```\n\nRefused" in text
        assert text.endswith(f"[Below](https://www.notion.so/{id_of(2).replace('-', '')})")
        assert found["Top"].links == (found["Below"].uri,)
        assert (found["Below"].text, found["Below"].path) == ("Deep", "Top/Below")
        assert sum(f"/v1/blocks/{id_of(2)}" in call for call in notion.calls) == 1

    async def test_a_page_is_a_place_with_all_below_it(self, notion: NotionServer) -> None:
        top = notion.add(1, "Top")
        column, list_ = id_of(80), id_of(81)
        notion.things[column] = {
            "object": "block",
            "id": column,
            "parent": {"type": "block_id", "block_id": list_},
        }
        notion.things[list_] = {"object": "block", "id": list_, "parent": below(top)}
        notion.add(2, "In a column", parent={"type": "block_id", "block_id": column})
        notion.add(3, "Beside")
        notion.things[DATABASE] = {"parent": below(top)}
        row = notion.add(4, "Row/1", parent=ROW)
        notion.add(5, "Below a row", parent=below(row))
        notion.add(6, "Lost", parent=below(id_of(99)))
        found = await changes(f"https://www.notion.so/acme/Top-{top.replace('-', '')}?pvs=4")
        assert {one.path for one in documents(found).values()} == {
            "Top",
            "Top/In a column",
            "Top/Turbines/Row∕1",
            "Top/Turbines/Row∕1/Below a row",
        }
        assert documents(found)["Top"].text == "Top"  # it says no more
        assert all(uri.startswith(f"notion://{top}/") for uri in versions(found))
        assert documents(await changes(DATABASE)).keys() == {"Row/1", "Below a row"}
        assert documents(await changes()).keys() >= {"Lost", "Beside"}
        notion.things[id_of(2)]["parent"] = WORKSPACE  # out of the location
        gone = [one for one in await changes(top, versions(found)) if isinstance(one, Gone)]
        assert gone == [Gone(uri=f"notion://{top}/{id_of(2)}")]

    @pytest.mark.parametrize(
        ("location", "top"),
        [
            (id_of(1), id_of(1)),
            (id_of(1).replace("-", "").upper(), id_of(1)),
            (f"https://acme.notion.site/A-page-{id_of(1).replace('-', '')}#part", id_of(1)),
            (f"https://www.notion.so/{DATABASE}?v={id_of(7)}&p={id_of(1)}", id_of(1)),
            (f"https://www.notion.so/acme/{DATABASE.replace('-', '')}?v={id_of(7)}", DATABASE),
            (SOURCE, SOURCE),
        ],
    )
    async def test_a_place_goes_by_its_address_or_id(
        self, notion: NotionServer, location: str, top: str
    ) -> None:
        notion.add(1, "Top")
        assert await make_syncing_connector("notion").find_root(location) == f"notion://{top}"

    @pytest.mark.parametrize("location", ["Handbook", "", id_of(2), id_of(3), "http://[", "x?p=y"])
    async def test_a_wrong_place_is_answered_with_what_to_write(
        self, notion: NotionServer, location: str
    ) -> None:
        notion.add(3, "Trashed", in_trash=True)
        with pytest.raises(InputError, match=r"add the integration .* or \* for all pages\.$"):
            await make_syncing_connector("notion").find_root(location)

    async def test_what_is_in_the_trash_is_gone(self, notion: NotionServer) -> None:
        for number, name in enumerate(("Kept", "Archived", "Trashed", "Deleted"), 1):
            notion.add(number, name)
        before = versions(await changes())
        notion.things[id_of(2)]["archived"] = notion.things[id_of(3)]["in_trash"] = True
        del notion.things[id_of(4)]
        found = await changes(versions=before)
        gone = {one.uri for one in found if isinstance(one, Gone)}
        assert gone == {f"notion://w1/{id_of(number)}" for number in (2, 3, 4)}
        assert [type(one) for one in found].count(Unchanged) == 1

    async def test_what_a_search_passes_over_stays(self, notion: NotionServer) -> None:
        notion.add(1, "One")
        notion.add(2, "Two")
        before = versions(await changes())
        notion.hidden = {id_of(1), id_of(2)}
        notion.things[id_of(2)]["last_edited_time"] = "2024-05-03T10:00:00.000Z"
        found = await changes(versions=before)
        assert {type(one) for one in found} == {Unchanged, Document}
        assert documents(found).keys() == {"Two"}

    async def test_a_long_listing_is_read_from_both_ends(self) -> None:
        held = items(150)
        for item in held[100:120]:  # where both ends meet
            item.when = held[100].when
        with self.serving(held) as provider:
            provider.most = 110
            found = documents(await changes())
        assert len(found) == 150
        assert sum("search" in call for call in provider.calls) == 4  # the last ends at once

    async def test_of_too_long_a_listing_what_comes_is_kept_and_the_sync_fails(self) -> None:
        with self.serving(items(60)) as provider:
            provider.most = 10
            before = {f"notion://w1/{id_of(30)}": "2024-05-01T10:30:00.000Z"}
            found = list[Change]()
            with pytest.raises(ConnectorError, match="ingest its parts one by one"):
                await changes("*", before, found)
            rows = {f"Wind turbine {number}" for number in range(1, 61, 2)}
            ends = {f"Wind turbine {number}" for number in (2, 4, 6, 8, 10, 52, 54, 56, 58, 60)}
            assert documents(found).keys() == rows | ends
            assert not any(isinstance(change, Gone) for change in found)
            assert documents(await changes(DATABASE)).keys() == rows

    async def test_a_page_that_no_listing_reaches_stays(self) -> None:
        with self.serving(items(60)) as provider:
            provider.most = 10
            provider.hidden = {provider.add(100, "Top"), provider.add(101, "Above the database")}
            provider.things[id_of(101)]["parent"] = below(id_of(100))
            provider.things[DATABASE] = {"parent": below(id_of(101))}
            before = {f"notion://{id_of(100)}/{id_of(101)}": "2024-05-02T10:00:00.000Z"}
            found = list[Change]()
            with pytest.raises(ConnectorError, match="ingest its parts one by one"):
                await changes(id_of(100), before, found)
        assert [one for one in found if not isinstance(one, Document)] == [
            Unchanged(uri=f"notion://{id_of(100)}/{id_of(101)}")
        ]
        assert len(documents(found)) == 30

    async def test_a_page_that_cannot_be_shown_is_skipped(self, notion: NotionServer) -> None:
        notion.add(1, "Meeting")
        before = versions(await changes())
        notion.add(2, "Fine")
        notion.things[id_of(1)]["last_edited_time"] = "2024-05-03T10:00:00.000Z"
        notion.refused = {id_of(1)}
        found = await changes(versions=before)
        uri, reason = f"notion://w1/{id_of(1)}", "Notion answered HTTP 400"
        assert Skipped(uri=uri, reason=reason) in found
        assert {type(one) for one in found} == {Skipped, Document}

    async def test_a_page_that_goes_while_it_is_read_is_gone(self, notion: NotionServer) -> None:
        notion.add(1, "One")
        before = versions(await changes())
        notion.things[id_of(1)]["last_edited_time"] = "2024-05-03T10:00:00.000Z"
        del notion.blocks[id_of(1)]
        assert await changes(versions=before) == [Gone(uri=f"notion://w1/{id_of(1)}")]

    async def test_what_was_just_edited_is_read_once_more(self, notion: NotionServer) -> None:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:00.000Z")
        notion.add(1, "One", block("paragraph", "First"), last_edited_time=now)
        before = versions(await changes())
        notion.blocks[id_of(1)] = [block("paragraph", "In the same minute")]
        found = documents(await changes(versions=before))
        assert found["One"].text == "In the same minute"

    async def test_a_way_that_cannot_be_asked_for_is_a_failure(self, notion: NotionServer) -> None:
        """A page whose parents are not known must not be taken for one of another location."""
        notion.add(1, "Top")
        notion.add(2, "Below", parent={"type": "block_id", "block_id": id_of(80)})
        root = f"notion://{id_of(1)}"
        since = SyncState(location=id_of(1), root=root, versions={f"{root}/{id_of(2)}": "1"})
        notion.good, notion.always = 2, "malformed"  # the listing is well
        with pytest.raises(ConnectorError, match="could not be read"):
            _ = [change async for change in make_syncing_connector("notion").sync(since)]
        assert notion.calls[-1] == f"/v1/blocks/{id_of(80)}?"

    async def test_blocks_that_do_not_come_are_a_failure(self, notion: NotionServer) -> None:
        notion.add(1, "Top", notion.nest(id_of(9), block("toggle", "A", children=[block("x")])))
        notion.good, notion.always = 3, "malformed"  # the listing, and the first blocks
        with pytest.raises(ConnectorError, match="could not be read"):
            _ = [
                one
                async for one in make_syncing_connector("notion").sync(
                    SyncState(location="*", root="notion://w1")
                )
            ]
        assert f"/v1/blocks/{id_of(9)}/" in notion.calls[-1]

    async def test_of_a_page_too_long_for_notion_comes_the_beginning(
        self, notion: NotionServer
    ) -> None:
        notion.add(1, "Long", *[block("paragraph", f"Line {number}") for number in range(9)])
        notion.most = 5
        assert documents(await changes())["Long"].text.endswith("Line 4")

    async def test_a_creator_who_is_not_told_is_none(self, notion: NotionServer) -> None:
        notion.add(1, "One", created_by={"object": "user", "id": GRACE})
        notion.add(2, "Two", created_by=None)
        assert {one.author for one in documents(await changes()).values()} == {""}

    async def test_pages_beyond_those_kept_are_asked_for(self, notion: NotionServer) -> None:
        self.monkeypatch.setattr("connectors.indexed.notion.MAX_HELD_PAGES", 1)
        for number in (1, 2, 3):
            notion.add(number, f"Page {number}", block("paragraph", "Text"))
        search = notion.listed

        def listed(*given: Any) -> Response:
            answer = search(*given)
            if given[0].get("filter", {}).get("value") == "page":
                notion.things[id_of(3)] = notion.things[id_of(3)] | {"in_trash": True}
            return answer

        self.monkeypatch.setattr(notion, "listed", listed)
        assert documents(await changes()).keys() == {"Page 1", "Page 2"}
        assert sum("/v1/pages/" in call for call in notion.calls) == 2

    async def test_objects_of_any_form_are_passed_over(self, notion: NotionServer) -> None:
        odd = {"properties": {"a": None, "b": [], "c": {"type": "title", "title": [None, 3]}}}
        notion.add(1, "Odd", last_edited_time="now", created_time=None, url=7, parent=[], **odd)
        notion.things[id_of(1)]["properties"] = odd["properties"]
        notion.blocks[id_of(1)] = [
            block("paragraph", "Fine"),
            {"type": "paragraph", "paragraph": None},
            {"type": None},
            {"type": "code", "code": {"rich_text": "x"}, "has_children": "yes"},
            {"type": "paragraph", "has_children": True, "id": None},
            {"type": "table", "table": 1, "children": 5},
        ]
        notion.things["x"] = {"object": "page", "id": "../users/me", "last_edited_time": "now"}
        notion.add(2, "Ringed", parent=below(id_of(2)))
        notion.add(3, "Timeless", last_edited_time=None)
        found = documents(await changes())
        assert found.keys() == {"Untitled", "Ringed"}
        assert "Fine" in found["Untitled"].text
        assert found["Untitled"].path == "Untitled"
        assert found["Untitled"].url == f"https://www.notion.so/{id_of(1).replace('-', '')}"

    async def test_a_listing_without_its_next_page_is_a_failure(self, notion: NotionServer) -> None:
        endless = {"object": "list", "results": [], "has_more": True, "next_cursor": None}
        self.monkeypatch.setattr(notion, "listed", lambda *_: JSONResponse(endless))
        with pytest.raises(ConnectorError, match="could not be read"):
            await changes()

    async def test_the_key_is_sent_in_the_header_alone(self, notion: NotionServer) -> None:
        await changes()
        assert notion.calls
        assert not any(KEY in call for call in notion.calls)


def test_blocks_become_markdown() -> None:
    table = block(
        "table",
        children=[
            {"type": "table_row", "table_row": {"cells": [rich("A|B"), rich("C")]}},
            {"type": "table_row", "table_row": {"cells": [rich("1"), []]}},
        ],
        has_column_header=True,
    )
    page = [
        block("heading_1", "Title"),
        block("heading_4", "Low"),
        block("paragraph", "Two\nlines"),
        block("numbered_list_item", "One", children=[block("numbered_list_item", "Inner")]),
        block("numbered_list_item", "Two", children=[block("paragraph", "Below")]),
        block("to_do", "Done", checked=True),
        block("to_do", "Open", checked=False),
        block("quote", "Said", children=[block("paragraph", "again")]),
        block("callout", "Watch out", icon={"type": "emoji", "emoji": "⚠️"}),
        block("code", "a\n```\nb", language="python"),
        block("equation", expression="e = mc^2"),
        block("divider"),
        table,
        block("column_list", children=[block("column", children=[block("paragraph", "Left")])]),
        block("synced_block", synced_from=None, children=[block("paragraph", "Shared")]),
        block("bookmark", url="https://a.test/", caption=rich("A page")),
        block("embed", url="https://a.test/e", caption=[]),
        block("image", type="external", external={"url": "https://a.test/i.png"}, caption=[]),
        block("pdf", type="file", file={"url": "https://s3.test/?X-Amz-Signature=1"}, name="a.pdf"),
        block("child_database", title="Tasks"),
        block("link_to_page", type="page_id", page_id=id_of(7)),
        block("breadcrumb"),
        block("unsupported"),
    ]
    hex_ = id_of(0).replace("-", "")
    assert convert_blocks(page) == "\n\n".join(
        [
            "# Title",
            "#### Low",
            "Two\nlines",
            "1. One\n   1. Inner\n2. Two\n\n   Below\n- [x] Done\n- [ ] Open",
            "> Said\n>\n> again",
            "> ⚠️ Watch out",
            "````python\na\n```\nb\n````",
            "$$\ne = mc^2\n$$",
            "---",
            "| A\\|B | C |\n| --- | --- |\n| 1 |  |",
            "Left",
            "Shared",
            "[A page](https://a.test/)",
            "https://a.test/e",
            "https://a.test/i.png",
            "a.pdf",
            f"[Tasks](https://www.notion.so/{hex_})",
            f"https://www.notion.so/{id_of(7).replace('-', '')}",
        ]
    )


def test_rich_text_keeps_its_marks_and_links() -> None:
    parts = [
        *rich("Plain "),
        *rich("bold ", annotations={"bold": True, "italic": True, "color": "red"}),
        *rich("code", annotations={"code": True}),
        *rich(" link", href="https://a.test/x"),
        *rich(", "),
        *rich("gone", annotations={"strikethrough": True}),
        *rich(" page", href="/0123abc", type="mention"),
        *rich("x^2", type="equation", equation={"expression": "x^2"}),
        *rich("bad", href="javascript:alert(1)"),
    ]
    assert convert_blocks([block("paragraph", rich_text=parts)]) == (
        "Plain ***bold*** `code` [link](https://a.test/x), ~~gone~~ "
        "[page](https://www.notion.so/0123abc)$x^2$bad"
    )


def test_properties_are_lines() -> None:
    values: dict[str, Any] = {
        "Name": {"type": "title", "title": rich("Bug  bash")},
        "About": {"type": "rich_text", "rich_text": rich("Why")},
        "Effort": {"type": "number", "number": 0.5},
        "Status": {"type": "status", "status": {"name": "Done"}},
        "Kind": {"type": "select", "select": None},
        "Tags": {"type": "multi_select", "multi_select": [{"name": "a"}, {"name": "b"}, None]},
        "When": {"type": "date", "date": {"start": "2024-05-01", "end": "2024-05-03"}},
        "Who": {"type": "people", "people": [{"object": "user", "name": "Ada"}, {"id": GRACE}]},
        "Files": {"type": "files", "files": [{"name": "a.pdf", "file": {"url": "https://s3"}}]},
        "Urgent": {"type": "checkbox", "checkbox": False},
        "Site": {"type": "url", "url": "https://a.test"},
        "Sum": {"type": "formula", "formula": {"type": "string", "string": "12 h"}},
        "Names": {
            "type": "rollup",
            "rollup": {"type": "array", "array": [{"type": "title", "title": rich("One")}]},
        },
        "Key": {"type": "unique_id", "unique_id": {"prefix": "BUG", "number": 7}},
        "Blocks": {"type": "relation", "relation": [{"id": id_of(7)}], "has_more": False},
        "Made": {"type": "created_time", "created_time": "2024-05-01T10:00:00.000Z"},
    }
    page = {"properties": values}
    assert get_title(page) == "Bug bash"
    assert format_properties(page).splitlines() == [
        "About: Why",
        "Effort: 0.5",
        "Status: Done",
        "Tags: a, b",
        "When: 2024-05-01 to 2024-05-03",
        "Who: Ada",
        "Files: a.pdf",
        "Urgent: no",
        "Site: https://a.test",
        "Sum: 12 h",
        "Names: One",
        "Key: BUG-7",
    ]
    mention = rich("Eight", type="mention", mention={"type": "page", "page": {"id": id_of(8)}})
    inside = block("paragraph", rich_text=mention)
    found = find_linked_ids(page, [block("toggle", "More", children=[inside])])
    assert [one for one in found if one] == [id_of(7), id_of(8)]
