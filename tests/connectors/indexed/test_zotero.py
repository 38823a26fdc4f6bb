"""Zotero's API: zotero.org/support/dev/web_api/v3, and that of the desktop app."""

from pathlib import Path
from typing import Any

import pytest
from conformance import SyncConformance, items, list_changes
from fakes.provider import Item
from fakes.sites.zotero_api import ME, TOP, DesktopServer, ZoteroServer, fill, key_of
from starlette.responses import PlainTextResponse
from tiny_documents import SENTENCE, pdf

from connectors.registry import make_syncing_connector
from library.library import Library
from schema.documents import Checkpoint, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError


def uri(place: str, prefix: str = ME) -> str:
    return f"zotero://{prefix}/{place}"


class TestZotero(SyncConformance[ZoteroServer]):
    name = "zotero"
    key = "ZOTERO_API_KEY"
    location = "*"
    provider = ZoteroServer
    first_requests = 3

    def expected(self, item: Item) -> dict[str, Any]:
        below = "Energy∕Wind/Offshore/" if item.number % 2 else ""
        return {
            "uri": uri(key_of(item.number)),
            "url": f"https://doi.org/10.1234/wind.{item.number}",
            "title": item.title,
            "author": "Ada Lovelace",
            "site": "Journal of Wind",
            "published": "2024-05-01",
            "path": f"My library/{below}{item.title}",
            "aliases": (f"10.1234/wind.{item.number}",),
        }

    async def after(self, server: ZoteroServer, known: dict[str, str], version: int) -> list[Any]:
        """What a later sync yields but for what is as it was; and what is as it was."""
        server.calls.clear()
        found = await list_changes(self.name, "*", known, str(version))
        for one in found:
            if isinstance(one, Document):
                known[one.uri] = one.version
            elif isinstance(one, Gone):
                del known[one.uri]
        return sorted(
            (one for one in found if not isinstance(one, Unchanged | Checkpoint)),
            key=lambda one: str(one.uri),
        )

    async def first(self, server: ZoteroServer) -> tuple[dict[str, str], dict[str, Document]]:
        found = [one for one in await self.collected() if isinstance(one, Document)]
        return {one.uri: one.version for one in found}, {one.uri: one for one in found}

    async def test_notes_files_and_annotations_are_documents_with_their_item_s_data(self) -> None:
        with self.serving(items(1)) as server:
            fill(server)
            _, found = await self.first(server)
        item, note = found[uri(key_of(1))], found[uri("NOTE0001")]
        file, marks = found[uri("FILE0001")], found[uri("FILE0001/annotations")]
        assert len(found) == 4
        assert "Tags: wind" in item.text
        assert note.text == "# Reading notes\n\nWear&tear is not modelled."
        assert note.title == "Wind turbine 1: Reading notes"
        assert SENTENCE in file.text
        assert marks.text == "> Gears too. (p. 7)\n\n> Blades wear. (p. 7)\n\nCheck this."
        assert {one.author for one in found.values()} == {"Ada Lovelace"}
        assert {one.url for one in found.values()} == {item.url}
        assert file.path == "My library/Energy∕Wind/Offshore/Wind turbine 1/Full Text"

    async def test_nothing_is_listed_where_the_library_is_as_it_was(self) -> None:
        with self.serving(items(3)) as server:
            fill(server)
            known, _ = await self.first(server)
            server.sent.clear()
            assert await self.after(server, known, server.version) == []
        assert server.sent == []
        assert len([call for call in server.calls if "since" in call]) == 1

    async def test_a_changed_note_costs_its_own_request_and_no_file(self) -> None:
        with self.serving(items(3)) as server:
            fill(server)
            known, _ = await self.first(server)
            version = server.version
            server.alter("NOTE0001", note="<p>It is.</p>")
            (changed,) = await self.after(server, known, version)
        assert (changed.uri, changed.text) == (uri("NOTE0001"), "It is.")
        assert not [call for call in server.calls if "/file" in call]

    async def test_what_an_item_says_anew_is_said_by_all_that_hangs_on_it(self) -> None:
        with self.serving(items(3)) as server:
            fill(server)
            known, _ = await self.first(server)
            version = server.version
            server.alter(key_of(1), title="A new title")
            found = await self.after(server, known, version)
            version = server.version
            server.alter(key_of(1), tags=[{"tag": "read"}])
            (tagged,) = await self.after(server, known, version)
        assert [one.title for one in found] == [
            "A new title",
            "A new title: annotations",
            "A new title",
            "A new title: Reading notes",
        ]
        assert tagged.uri == uri(key_of(1))  # tags are the item's alone: the file is not read again
        assert "Tags: read" in tagged.text

    async def test_an_annotation_that_was_deleted_is_missing_from_then_on(self) -> None:
        with self.serving(items(1)) as server:
            fill(server)
            known, _ = await self.first(server)
            version = server.version
            server.drop("MARK0002")
            (fewer,) = await self.after(server, known, version)
            version = server.version
            server.drop("MARK0001")
            (none,) = await self.after(server, known, version)
        assert fewer.text == "> Blades wear. (p. 7)\n\nCheck this."
        assert none == Gone(uri=uri("FILE0001/annotations"))

    async def test_the_bin_takes_an_item_with_all_that_hangs_on_it_and_gives_it_back(self) -> None:
        with self.serving(items(2)) as server:
            fill(server)
            known, _ = await self.first(server)
            version = server.version
            server.alter(key_of(1), deleted=1)
            gone = await self.after(server, known, version)
            left = set(known)
            version = server.version
            server.alter(key_of(1), deleted=0)
            back = await self.after(server, known, version)
        assert len(gone) == 4
        assert all(isinstance(one, Gone) for one in gone)
        assert left == {uri(key_of(2))}
        assert [one.uri for one in back] == [one.uri for one in gone]

    async def test_a_deleted_item_takes_its_children_along(self) -> None:
        with self.serving(items(2)) as server:
            fill(server)
            known, _ = await self.first(server)
            version = server.version
            server.items.pop(1)
            server.drop(key_of(1), "NOTE0001", "FILE0001", "MARK0001", "MARK0002")
            gone = await self.after(server, known, version)
        assert len(gone) == 4
        assert all(isinstance(one, Gone) for one in gone)

    async def test_a_collection_holds_what_lies_in_those_below_it(self) -> None:
        place = f"{ME}/collections/{TOP}"
        with self.serving(items(4)) as server:
            found = await list_changes("zotero", place)
            known = {one.uri: one.version for one in found if isinstance(one, Document)}
            version = server.version
            server.alter(key_of(3), collections=[])
            later = await list_changes("zotero", place, known, str(version))
        assert set(known) == {uri(f"collections/{TOP}/{key_of(n)}") for n in (1, 3)}
        assert Gone(uri=uri(f"collections/{TOP}/{key_of(3)}")) in later

    async def test_a_group_and_addresses_of_the_site_are_locations(self) -> None:
        roots = {
            "groups/12": "zotero://groups/12",
            "https://www.zotero.org/groups/12/wind_lab/library": "zotero://groups/12",
            f"https://www.zotero.org/groups/12/wind_lab/collections/{TOP}": (
                f"zotero://groups/12/collections/{TOP}"
            ),
            f"https://www.zotero.org/ada/collections/{TOP}/items": f"{uri('collections')}/{TOP}",
        }
        with self.serving(items(1)):
            made = make_syncing_connector("zotero")
            assert {one: await made.find_root(one) for one in roots} == roots
            (found, _) = await list_changes("zotero", "groups/12")
        assert found.path.startswith("Wind∕lab/")

    async def test_what_is_no_library_is_answered_with_those_there_are(self) -> None:
        with self.serving(items(1)):
            for location in (
                "groups/99",
                "",
                "wind",
                "groups/12/collections/NOSUCH22",
                "groups/12/collections/x",
            ):
                with pytest.raises(InputError, match=r"groups/12 \(Wind\)"):
                    await make_syncing_connector("zotero").find_root(location)

    async def test_a_listing_begins_again_where_the_library_changes_under_it(self) -> None:
        with self.serving(items(230)) as server:
            server.moves = 2
            found = await self.collected()
            assert len(found) == 231
            server.moves = 99
            with pytest.raises(ConnectorError, match="changes all the time"):
                await self.collected()

    async def test_a_pause_that_zotero_asks_for_is_made(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slept = list[float]()

        async def sleep(seconds: float) -> None:
            slept.append(seconds)

        monkeypatch.setattr("connectors.indexed.zotero.client.asyncio.sleep", sleep)
        with self.serving(items(1)) as server:
            server.backoff = "17"
            await self.collected()
        assert max(slept) > 16

    async def test_an_unknown_key_is_named(self) -> None:
        with self.serving(items(1)) as server:
            server.always = 403
            server.failure = lambda _: PlainTextResponse("Invalid key", 403)  # type: ignore[method-assign]
            with pytest.raises(ConnectorError, match="check ZOTERO_API_KEY") as told:
                await self.collected()
        assert told.value.code == "connector_key"

    async def test_what_zotero_read_itself_stands_in_for_a_file_that_it_does_not_hold(self) -> None:
        with self.serving(items(1)) as server:
            fill(server)
            server.files.clear()
            server.fulltexts["FILE0001"] = "Read by Zotero."
            _, found = await self.first(server)
            server.fulltexts.clear()
            skipped = [one for one in await self.collected() if isinstance(one, Skipped)]
        assert found[uri("FILE0001")].text == "Read by Zotero."
        reason = "Full Text: Zotero does not hold the file"
        assert skipped == [Skipped(uri=uri("FILE0001"), reason=reason)]

    @pytest.mark.parametrize("where", ["file:///etc/passwd", "http://127.0.0.1:1/secret"])
    async def test_a_file_that_leads_into_the_machine_is_not_read(self, where: str) -> None:
        with self.serving(items(1)) as server:
            fill(server)
            server.leads = where
            if where.startswith("file:"):
                found = await self.collected()
                (skipped,) = [one for one in found if isinstance(one, Skipped)]
                assert "may not name files of this machine" in skipped.reason
            else:
                with pytest.raises(ConnectorError, match="no public host"):
                    await self.collected()

    @pytest.mark.parametrize("odd", [None, 7, [None], {}], ids=repr)
    async def test_odd_fields_are_passed_over(self, odd: Any) -> None:
        with self.serving(items(1)) as server:
            names = ("title", "creators", "date", "DOI", "url", "tags", "collections", "extra")
            server.alter(key_of(1), **dict.fromkeys(names, odd))
            _, found = await self.first(server)
        (one,) = found.values()
        assert (one.title, one.author, one.published) == ("Untitled", "", "")
        assert one.url == f"https://www.zotero.org/ada/items/{key_of(1)}"

    async def test_what_was_deleted_is_found_without_being_told(self, library: Library) -> None:
        with self.serving(items(3)) as server:
            await self.sync(library)
            server.tells_deleted = False
            server.remove(2)
            told = await self.sync(library)
        assert (told["removed"], told["unchanged"]) == (1, 2)


async def test_the_app_on_this_machine_is_read_without_a_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ZOTERO_API_KEY", raising=False)
    stored = tmp_path / "wind farm.pdf"
    stored.write_bytes(pdf())
    with DesktopServer(items(2)) as server:
        monkeypatch.setenv("QUIRE_ZOTERO_BASE_URL", server.url)
        fill(server)
        server.leads = stored.as_uri()
        *found, mark = await list_changes("zotero", "*")
        texts = {one.uri: one.text for one in found}
        known = {one.uri: one.version for one in found}
        server.alter("NOTE0001", note="<p>Changed, and never synced.</p>")
        del server.versions[key_of(2)], server.items[2]
        later = await list_changes("zotero", "*", known, mark.cursor)
    assert SENTENCE in texts[uri("FILE0001", "users/0")]
    kinds = {type(one).__name__: one for one in later if not isinstance(one, Unchanged)}
    assert kinds["Document"].text == "Changed, and never synced."
    assert kinds["Gone"].uri == uri(key_of(2), "users/0")
