"""A stand-in for Google Drive's API: a folder with folders in it."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.provider import KEY, Item, Provider

OWN = "application/vnd.google-apps."
TOP, REPORTS, DEEP, MINE = "1Wind_top-A", "1Reports", "1Deep", "0AMine"
ROOT = f"drive://{TOP}"
NAMES = {TOP: "Energy/Wind", REPORTS: "Reports", DEEP: "2024", MINE: "My Drive"}
EXPORTS = {"document": "text/markdown", "spreadsheet": "text/csv", "presentation": "text/plain"}


class DriveServer(Provider):
    """The folder `Energy/Wind` with a folder in it and one in that; items lie in all three.

    Those with an even number are Google documents, the others files of Markdown.

    Attributes:
        kinds: Name, type and content of what is something else, by number.
        parents: Of what lies elsewhere, by number.
        changed: Laid over the record of a file, by number.
        bin: Numbers of files that were thrown away.
        shared: Id of the shared drive that all is in; "" for My Drive.
        refused: Reason why the content of a file is not given, by number.
        limited: Reasons with which the next requests are refused.
        lives: Seconds that a token is said to last.
        end: Laid over every page of a listing.
    """

    shared = ""
    lives = 3599

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.kinds: dict[int, tuple[str, str, bytes]] = {}
        self.parents: dict[int, list[str]] = {}
        self.changed: dict[int, dict[str, Any]] = {}
        self.bin: set[int] = set()
        self.refused: dict[int, str] = {}
        self.limited: list[str] = []
        self.end: dict[str, Any] = {}
        self.tokens = 0
        self.folders = [(REPORTS, TOP), (DEEP, REPORTS)]

    def api(self) -> list[Any]:
        return [
            Route("/token", self.token, methods=["POST"]),
            Route("/drive/v3/files", self.list_files),
            Route("/drive/v3/files/{id}", self.get_file),
            Route("/drive/v3/files/{id}/export", self.export_file),
        ]

    def allowed(self, request: Request) -> bool:
        mine = f"Bearer ya29.{KEY}.{self.tokens}"
        return request.url.path == "/token" or request.headers.get("authorization") == mine

    def failure(self, status: int, reason: str = "") -> Response:
        reasons = {401: "authError", 403: "insufficientFilePermissions", 404: "notFound"}
        reason = reason or reasons.get(status, "backendError")
        errors = [{"domain": "global", "reason": reason, "message": "It went wrong."}]
        error = {"code": status, "message": "It went wrong.", "errors": errors}
        return JSONResponse({"error": error}, status)

    async def token(self, request: Request) -> Response:
        async with request.form() as form:
            given = dict(form)
        if given != {
            "grant_type": "refresh_token",
            "client_id": "1.apps.googleusercontent.com",
            "client_secret": "GOCSPX-1",
            "refresh_token": KEY,
        }:
            return JSONResponse({"error": "invalid_grant", "error_description": "Revoked."}, 400)
        self.tokens += 1
        token = f"ya29.{KEY}.{self.tokens}"
        body = {"access_token": token, "expires_in": self.lives, "token_type": "Bearer"}
        return JSONResponse(body)

    async def list_files(self, request: Request) -> Response:
        asked = request.query_params
        assert 1 <= int(asked["pageSize"]) <= 1000
        assert (asked.get("driveId", "") != "") == (asked["corpora"] == "drive")
        assert asked["supportsAllDrives"] == "true" or "includeItemsFromAllDrives" not in asked
        if self.limited:
            return self.failure(403, self.limited.pop(0))
        fields = re.fullmatch(r"(.*)files\((.*)\)", asked["fields"])
        assert fields
        shown = {name.partition("(")[0] for name in fields[2].split(",")}
        found = [one for one in self.records() if self.matches(one, asked)]
        start = int(asked.get("pageToken", "~!!~0").removeprefix("~!!~"))
        end = start + min(int(asked["pageSize"]), 100)  # pages may be smaller than asked for
        page = [{name: one[name] for name in one if name in shown} for one in found[start:end]]
        token = {"nextPageToken": f"~!!~{end}"} if end < len(found) else {}
        body = {"kind": "drive#fileList", "incompleteSearch": False, "files": page}
        return JSONResponse({**body, **token, **self.end})

    def matches(self, record: dict[str, Any], asked: Any) -> bool:
        """Whether a file is in the corpus that is searched, and answers the query."""
        query, kind = asked["q"], record["mimeType"]
        assert query.endswith(" and trashed = false")
        if asked.get("driveId", "") != self.shared or record["trashed"]:
            return False
        if typed := re.match(r"mimeType (!?=) '([^']+)' and", query):
            return (kind == typed[2]) == (typed[1] == "=")
        inside = re.fullmatch(r"\(('[\w-]+' in parents(?: or )?)+\) and trashed = false", query)
        assert inside
        assert query.count(" in parents") <= 50
        return bool({*record.get("parents", ())} & {*re.findall("'([^']+)'", query)})

    def records(self) -> list[dict[str, Any]]:
        """Files first: their folders may well come later."""
        files = [self.record(item) for item in self.items.values()]
        return files + [
            {**folder(one), "parents": [parent], "modifiedTime": "2024-05-01T10:00:00.000Z"}
            for one, parent in self.folders
        ]

    def record(self, item: Item) -> dict[str, Any]:
        name, kind, data = self.kind(item)
        location = [TOP, REPORTS, DEEP][item.number % 3]
        own = kind.startswith(OWN)
        link = f"docs.google.com/document/d/id-{item.number}/edit" if own else "drive.google.com"
        record = {
            "id": f"id-{item.number}",
            "name": name,
            "mimeType": kind,
            "parents": self.parents.get(item.number, [location]),
            "trashed": item.number in self.bin,
            "createdTime": "2024-05-01T10:00:00.000Z",
            "modifiedTime": item.when.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "webViewLink": f"https://{link}?usp=drivesdk",
        }
        if not self.shared:
            record["owners"] = [{"kind": "drive#user", "displayName": item.author}]
        if not own:
            record |= {"md5Checksum": f"{hash(data):032x}", "size": str(len(data))}
        return {**record, **self.changed.get(item.number, {})}

    def kind(self, item: Item) -> tuple[str, str, bytes]:
        if found := self.kinds.get(item.number):
            return found
        if item.number % 2:
            return f"{item.title}.md", "text/markdown", item.text.encode()
        return item.title, f"{OWN}document", item.text.encode()

    async def get_file(self, request: Request) -> Response:
        identity = request.path_params["id"]
        if request.query_params.get("alt") == "media":
            return self.content(identity, own=False)
        identity = MINE if identity == "root" else identity
        files = {record["id"]: record for record in self.records()}
        found = folder(identity) if identity in NAMES else files.get(identity)
        if not found:
            return self.failure(404)
        shown = request.query_params["fields"].split(",")
        drive = {"driveId": self.shared} if self.shared else {}
        return JSONResponse(
            {name: value for name, value in (found | drive).items() if name in shown}
        )

    async def export_file(self, request: Request) -> Response:
        identity = request.path_params["id"]
        _, kind, _ = self.kind(self.items[int(identity.removeprefix("id-"))])
        assert EXPORTS[kind.removeprefix(OWN)] == request.query_params["mimeType"]
        return self.content(identity, own=True)

    def content(self, identity: str, *, own: bool) -> Response:
        number = int(identity.removeprefix("id-"))
        if reason := self.refused.get(number):
            return self.failure(404 if reason == "notFound" else 403, reason)
        _, kind, data = self.kind(self.items[number])
        assert kind.startswith(OWN) == own, "fileNotDownloadable"
        self.sent.append(number)
        return Response(data, media_type="application/octet-stream")


def folder(identity: str) -> dict[str, Any]:
    found = {"id": identity, "name": NAMES[identity], "mimeType": f"{OWN}folder"}
    return {**found, "trashed": False}
