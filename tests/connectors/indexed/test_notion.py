"""Notion's API, in its version 2025-09-03: developers.notion.com/reference."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from conformance import SyncConformance, items
from fakes.notion_api import (
    DATABASE,
    GRACE,
    ROW,
    SOURCE,
    WORKSPACE,
    NotionServer,
    below,
    block,
    id_of,
    rich,
)
from fakes.provider import KEY, Item
from starlette.responses import JSONResponse, Response

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
