"""Zotero's API: zotero.org/support/dev/web_api/v3, and that of the desktop app."""

from pathlib import Path
from typing import Any

import pytest
from conformance import SyncConformance, items, list_changes
from fakes.provider import KEY, Item, Provider
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tiny_documents import SENTENCE, pdf

from connectors.registry import make_syncing_connector
from library.library import Library
from schema.documents import Checkpoint, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError

ME = "users/475425"
TOP, DEEP = "COLLTOP2", "COLLDEEP"


def key_of(number: int) -> str:
    return f"IT{number:06d}"


class ZoteroServer(Provider):
    """The library of one user, and a group. Items are journal articles with an abstract.

    Attributes:
        version: Of the library; every change counts one up.
        records: What is held beside the items, by key: notes, attachments, annotations, ...
        changed: Laid over the fields of a record, by key.
        files: Bytes by key of the attachment.
        fulltexts: What Zotero itself read of an attachment.
        moves: Times that the version counts up while a listing is read.
        backoff: Sent with every answer, in seconds; "" for none.
        tells_deleted: Whether it tells what was deleted, as the desktop app does not.
        leads: Where a file is said to be; "" for on this server.
    """

    backoff = ""
    leads = ""
    tells_deleted = True
    moves = 0

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.version = len(held)
        self.versions = {key_of(item.number): at for at, item in enumerate(held, start=1)}
        self.records: dict[str, dict[str, Any]] = {}
        self.changed: dict[str, dict[str, Any]] = {}
        self.files: dict[str, bytes] = {}
        self.fulltexts: dict[str, str] = {}
        self.deleted: dict[str, int] = {}
        self.collections = {TOP: ("Energy/Wind", False), DEEP: ("Offshore", TOP)}

    def put(self, *held: Item) -> None:
        super().put(*held)
        self.bump(*(key_of(one.number) for one in held))

    def remove(self, number: int) -> None:
        super().remove(number)
        self.drop(key_of(number))

    def add(self, key: str, kind: str, **fields: Any) -> None:
        """Adds a record, or changes fields of one."""
        before = self.records.get(key, {"key": key, "itemType": kind, "tags": []})
        self.records[key] = {**before, **fields}
        self.bump(key)

    def alter(self, key: str, **fields: Any) -> None:
        self.changed[key] = {**self.changed.get(key, {}), **fields}
        self.bump(key)

    def drop(self, *keys: str) -> None:
        for key in keys:
            self.records.pop(key, None)
            self.versions.pop(key)
            self.version += 1
            self.deleted[key] = self.version

    def bump(self, *keys: str) -> None:
        for key in keys:
            self.version += 1
            self.versions[key] = self.version

    def api(self) -> list[Any]:
        library = "/{kind}/{id:int}"
        return [
            Route("/keys/current", self.current_key),
            Route("/users/475425/groups", self.list_groups),
            Route(library + "/items", self.list_items),
            Route(library + "/items/{key}/children", self.list_children),
            Route(library + "/items/{key}/file", self.get_file),
            Route(library + "/items/{key}/fulltext", self.get_fulltext),
            Route(library + "/collections", self.list_collections),
            Route(library + "/collections/{key}", self.get_collection),
            Route(library + "/deleted", self.list_deleted),
            Route("/groups/{id:int}", self.get_group),
            Route("/storage/{key}", self.get_stored),
        ]

    def allowed(self, request: Request) -> bool:
        if request.url.path.startswith("/storage/"):
            return True  # the address itself lets in
        return request.headers.get("authorization") == f"Bearer {KEY}"

    def failure(self, status: int) -> Response:
        return PlainTextResponse("Something went wrong", status)

    def answer(self, content: Any, request: Request, **headers: str) -> Response:
        assert request.headers["zotero-api-version"] == "3"
        told = {"Last-Modified-Version": str(self.version), **headers}
        if self.backoff:
            told["Backoff"] = self.backoff
        known = int(request.headers.get("if-modified-since-version", "-1"))
        if known >= self.version:
            return Response(status_code=304, headers=told)
        return JSONResponse(content, headers=told)

    async def current_key(self, request: Request) -> Response:
        access = {"user": {"library": True, "files": True, "notes": True}}
        content = {"key": KEY[:24], "userID": 475425, "username": "ada", "access": access}
        return self.answer(content, request)

    async def list_groups(self, request: Request) -> Response:
        return self.answer([{"id": 12, "version": 1, "data": {"id": 12, "name": "Wind"}}], request)

    async def get_group(self, request: Request) -> Response:
        if request.path_params["id"] != 12:
            return self.failure(404)
        return self.answer({"id": 12, "data": {"id": 12, "name": "Wind/lab"}}, request)

    def library_is_there(self, request: Request) -> bool:
        here = f"{request.path_params['kind']}/{request.path_params['id']}"
        return here in (ME, "groups/12", "users/0")

    async def list_items(self, request: Request) -> Response:
        if not self.library_is_there(request):
            return self.failure(404)
        asked = request.query_params
        if asked.get("format") == "keys":
            return PlainTextResponse("\n".join(self.versions))
        keys = [key for key, at in self.versions.items() if at > int(asked.get("since", "-1"))]
        if "itemKey" in asked:
            wanted = asked["itemKey"].split(",")
            assert len(wanted) <= 50
            keys = [key for key in keys if key in wanted]
        if asked.get("includeTrashed") != "1":
            keys = [key for key in keys if not self.in_bin(key)]
        return self.page(keys, request)

    async def list_children(self, request: Request) -> Response:
        above = request.path_params["key"]
        if above not in self.versions:
            return self.failure(404)
        keys = [key for key in self.versions if self.fields(key).get("parentItem") == above]
        return self.page(keys, request)

    def page(self, keys: list[str], request: Request) -> Response:
        asked = request.query_params
        start, limit = int(asked["start"]), int(asked["limit"])
        assert 1 <= limit <= 100
        shown = keys[start : start + limit]
        if self.moves and start:
            self.moves -= 1
            self.version += 1
        answer = self.answer(
            [self.record(key) for key in shown], request, **{"Total-Results": str(len(keys))}
        )
        if answer.status_code == 200:
            numbers = [int(key[2:]) for key in shown if key.startswith("IT")]
            self.sent += [number for number in numbers if number not in self.sent]
        return answer

    def in_bin(self, key: str) -> bool:
        above = self.fields(key).get("parentItem")
        return bool(self.fields(key).get("deleted")) or bool(above and self.in_bin(above))

    def fields(self, key: str) -> dict[str, Any]:
        if key in self.records:
            return {**self.records[key], **self.changed.get(key, {})}
        item = self.items[int(key[2:])]
        first, _, last = item.author.partition(" ")
        return {
            "key": key,
            "version": self.versions[key],
            "itemType": "journalArticle",
            "title": item.title,
            "creators": [{"creatorType": "author", "firstName": first, "lastName": last}],
            "abstractNote": item.text,
            "publicationTitle": "Journal of Wind",
            "date": item.iso[:10],
            "DOI": f"10.1234/wind.{item.number}",
            "tags": [{"tag": "wind"}],
            "collections": [DEEP] if item.number % 2 else [],
            "relations": {},
            "dateModified": item.iso,
            **self.changed.get(key, {}),
        }

    def record(self, key: str) -> dict[str, Any]:
        below = [one for one in self.versions if self.below(one) == key]
        page = {"href": f"https://www.zotero.org/ada/items/{key}", "type": "text/html"}
        return {
            "key": key,
            "version": self.versions[key],
            "library": {"type": "user", "id": 475425, "name": "ada"},
            "links": {"alternate": page},
            "meta": {"numChildren": len(below)},
            "data": self.fields(key),
        }

    def below(self, key: str) -> str:
        return str(self.records.get(key, {}).get("parentItem", ""))

    async def list_collections(self, request: Request) -> Response:
        found = [
            {
                "key": key,
                "version": 1,
                "data": {"key": key, "name": name, "parentCollection": above},
            }
            for key, (name, above) in self.collections.items()
        ]
        return self.answer(found, request, **{"Total-Results": str(len(found))})

    async def get_collection(self, request: Request) -> Response:
        key = request.path_params["key"]
        return self.answer({"key": key}, request) if key in self.collections else self.failure(404)

    async def list_deleted(self, request: Request) -> Response:
        if not self.tells_deleted:
            return self.failure(404)
        since = int(request.query_params["since"])
        keys = [key for key, at in self.deleted.items() if at > since]
        nothing: dict[str, list[str]] = {"collections": [], "searches": [], "tags": []}
        return self.answer({**nothing, "items": keys}, request)

    async def get_file(self, request: Request) -> Response:
        key = request.path_params["key"]
        if key not in self.files:
            return self.failure(404)
        where = self.leads or f"{self.url}/storage/{key}"
        return Response(status_code=302, headers={"Location": where})

    async def get_stored(self, request: Request) -> Response:
        return Response(self.files[request.path_params["key"]])

    async def get_fulltext(self, request: Request) -> Response:
        key = request.path_params["key"]
        if key not in self.fulltexts:
            return self.failure(404)
        content = {"content": self.fulltexts[key], "indexedPages": 1, "totalPages": 1}
        return self.answer(content, request)


def fill(server: ZoteroServer) -> None:
    """Item 1 gets a note and a PDF with two annotations."""
    one = key_of(1)
    note = "<h1>Reading notes</h1><p>Wear&amp;tear is <b>not</b> modelled.</p><script>x</script>"
    server.add("NOTE0001", "note", parentItem=one, note=note)
    stored = {"linkMode": "imported_file", "filename": "wind.pdf", "contentType": "application/pdf"}
    server.add("FILE0001", "attachment", parentItem=one, title="Full Text", md5="a1", **stored)
    server.files["FILE0001"] = pdf()
    mark = {"annotationType": "highlight", "annotationPageLabel": "7"}
    for key, text, place in (("MARK0001", "Blades wear.", "2"), ("MARK0002", "Gears too.", "1")):
        server.add(
            key,
            "annotation",
            parentItem="FILE0001",
            annotationText=text,
            annotationComment="",
            annotationSortIndex=place,
            **mark,
        )
    server.alter("MARK0001", annotationComment="Check this.")


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


class DesktopServer(ZoteroServer):
    """The app on this machine: no key, one version for all that was never synced."""

    tells_deleted = False

    def allowed(self, request: Request) -> bool:
        return "authorization" not in request.headers

    def bump(self, *keys: str) -> None:
        self.versions |= dict.fromkeys(keys, 0)


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
