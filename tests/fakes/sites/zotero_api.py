"""Zotero's Web API, version 3 (zotero.org/support/dev/web_api/v3), and that of the desktop app."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tiny_documents import pdf

from fakes.provider import KEY, Item, Provider

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
        refused: Whether the key may not write.
        meanwhile: Times that somebody else writes before a write arrives.
    """

    backoff = ""
    leads = ""
    tells_deleted = True
    moves = 0
    meanwhile = 0
    refused = False

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
            Route(library + "/items", self.write_items, methods=["POST"]),
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
        if "tag" in asked:
            keys = [key for key in keys if asked["tag"] in self.tags(key)]
        if asked.get("includeTrashed") != "1":
            keys = [key for key in keys if not self.in_bin(key)]
        return self.page(keys, request)

    async def list_children(self, request: Request) -> Response:
        above = request.path_params["key"]
        if above not in self.versions:
            return self.failure(404)
        keys = [key for key in self.versions if self.fields(key).get("parentItem") == above]
        return self.page(keys, request)

    def tags(self, key: str) -> set[str]:
        return {one["tag"] for one in self.fields(key)["tags"]}

    async def write_items(self, request: Request) -> Response:
        assert request.headers["content-type"] == "application/json"
        if self.refused:
            return PlainTextResponse("Write access denied", 403)
        if self.meanwhile:
            self.meanwhile -= 1
            self.version += 1
        if int(request.headers["if-unmodified-since-version"]) != self.version:
            return PlainTextResponse("Library has been modified since specified version", 412)
        (given,) = await request.json()
        above = given.get("parentItem")
        if above and above not in self.versions:
            failed = {"0": {"code": 400, "message": f"Parent item {above} not found"}}
            return self.answer({"successful": {}, "success": {}, "failed": failed}, request)
        key = f"NEW{len(self.records):05d}"
        self.add(key, given.pop("itemType"), **given)
        record = {"key": key, "version": self.version, "data": self.fields(key)}
        told = {"successful": {"0": record}, "success": {"0": key}, "unchanged": {}, "failed": {}}
        return self.answer(told, request)

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
            known = set(self.sent)
            self.sent += [number for number in numbers if number not in known]
        return answer

    def in_bin(self, key: str) -> bool:
        if key not in self.records and key not in self.changed:
            return False
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
        below = [one for one in self.records if self.below(one) == key]
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


class DesktopServer(ZoteroServer):
    """The app on this machine: no key, one version for all that was never synced."""

    tells_deleted = False

    def allowed(self, request: Request) -> bool:
        return "authorization" not in request.headers

    def bump(self, *keys: str) -> None:
        self.versions |= dict.fromkeys(keys, 0)
