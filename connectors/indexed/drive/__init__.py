"""`drive`: the files below a folder of Google Drive, and Google's own documents among them."""

import mimetypes
import re
from collections.abc import AsyncIterator
from pathlib import PurePosixPath
from typing import Any

from connectors.files.dates import iso_date
from connectors.files.extract import read_bytes
from connectors.files.file_text import UnreadableError
from connectors.files.tree_path import join_tree_path
from connectors.http.client import base_url
from connectors.http.errors import TOO_LARGE, bad_response_error
from connectors.indexed.drive.client import (
    CLIENT,
    MAX_BYTES,
    REFRESH,
    SECRET,
    GoogleApi,
)
from connectors.indexed.drive.permissions import READER_FIELDS, add_permissions, find_readers
from connectors.indexed.drive.scope import (
    ALL_ROOT,
    FOLDER,
    GOOGLE_TYPE,
    PROVIDER,
    DriveScope,
    find_scope,
)
from connectors.indexed.listing import sync_listing
from connectors.json_fields import get_string
from connectors.protocol import Limits, SyncingConnector, SyncState, name_readers
from schema.documents import Change, Document, Skipped
from schema.errors import ConnectorError
from schema.gather import run_concurrently

PAGE_SIZE = 1000
"""Files of one page of a listing, the most that Google gives."""
FOLDERS_PER_QUERY = 25
"""Folders whose files one query asks for."""
MAX_DEPTH = 50
"""Folders inside of each other that are named in a path."""

_SHORTCUT = f"{GOOGLE_TYPE}shortcut"
_EXPORTS = {
    f"{GOOGLE_TYPE}document": "text/markdown",
    f"{GOOGLE_TYPE}spreadsheet": "text/csv",  # the first sheet: Google gives no more
    f"{GOOGLE_TYPE}presentation": "text/plain",
}
_FIELDS = (
    "id,name,mimeType,parents,md5Checksum,modifiedTime,createdTime,size,webViewLink,"
    "owners(displayName)"
)
_PICTURES = re.compile(r"^\[[^\]\n]+\]: ?<data:image/[^>\n]*>[ \t]*$", re.MULTILINE)
"""A document's pictures, which stand at the end of its Markdown in many letters."""


_Record = dict[str, Any]
"""A file as Google describes it."""


class Drive(SyncingConnector):
    """Files and documents. What lies in the bin is removed here; shortcuts are passed over."""

    name = "drive"
    description = "files and documents of a Google Drive folder"
    document_description = (
        "a file or a Google document: `drive://FOLDER/ID`, its name, owner, address and date of "
        "creation, at folder/folder/name"
    )
    required_variables = (CLIENT, SECRET, REFRESH)
    tells_readers = True
    limits = Limits(concurrency=4)

    async def find_root(self, location: str) -> str:
        """A folder or shared drive by its id or link; `*` is My Drive and what others shared."""
        async with self._make_api() as google:
            return (await find_scope(google, location)).root

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """List all files with their versions, and read those that are new."""
        async with self._make_api() as google:
            scope = await find_scope(google, since.location)
            folders = {scope.folder: (scope.name, "")}

            async def list_files() -> AsyncIterator[tuple[str, str, _Record]]:
                async for files in _list_pages(google, scope, folders, since.acl):
                    if since.acl:
                        await run_concurrently(add_permissions(google, file) for file in files)
                    for file in files:
                        yield f"{since.root}/{file['id']}", _get_version(file), file

            async def read(files: list[_Record]) -> list[Change]:
                (file,) = files
                above = _find_ancestors(scope, folders, file)
                path = join_tree_path(*above, get_string(file, "name"))
                change = await _read_change(google, file, f"{since.root}/{file['id']}", path)
                return [name_readers(change, find_readers(file) if since.acl else None)]

            async for change in sync_listing(
                since, list_files(), read, 1, self.limits.concurrency, find_readers
            ):
                yield change

    def _make_api(self) -> GoogleApi:
        return GoogleApi(PROVIDER, base_url(self.name, "https://www.googleapis.com"), self.limits)


async def _list_pages(
    google: GoogleApi, scope: DriveScope, folders: dict[str, tuple[str, str]], acl: bool
) -> AsyncIterator[list[_Record]]:
    """Files, a page at a time; `folders`, name and parent by id, grow before what lies in them."""
    if scope.root == ALL_ROOT:
        async for files in _query_files(google, scope, f"mimeType = '{FOLDER}'", acl):
            folders |= {
                one["id"]: (get_string(one, "name"), get_string(one, "parents", 0)) for one in files
            }
        async for files in _query_files(google, scope, f"mimeType != '{FOLDER}'", acl):
            yield [one for one in files if one["mimeType"] != _SHORTCUT]
        return
    waiting = [scope.folder]
    while waiting:
        some, waiting = waiting[:FOLDERS_PER_QUERY], waiting[FOLDERS_PER_QUERY:]
        query = " or ".join(f"'{folder}' in parents" for folder in some)
        async for files in _query_files(google, scope, f"({query})", acl):
            for one in files:
                if one["mimeType"] == FOLDER and one["id"] not in folders:
                    folders[one["id"]] = (get_string(one, "name"), get_string(one, "parents", 0))
                    waiting.append(one["id"])
            yield [one for one in files if one["mimeType"] not in (FOLDER, _SHORTCUT)]


async def _query_files(
    google: GoogleApi, scope: DriveScope, query: str, acl: bool
) -> AsyncIterator[list[_Record]]:
    fields = f"{_FIELDS},{READER_FIELDS}" if acl else _FIELDS
    how = {
        **scope.corpus,
        "q": f"{query} and trashed = false",
        "pageSize": str(PAGE_SIZE),
        "fields": f"nextPageToken,incompleteSearch,files({fields})",
        "supportsAllDrives": "true",
    }
    while True:
        page = await google.get("/drive/v3/files", **how)
        found = page.get("files")
        if not isinstance(found, list) or page.get("incompleteSearch"):
            raise bad_response_error(PROVIDER)
        if not all(
            get_string(one, "id") and get_string(one, "mimeType") and _get_version(one)
            for one in found
        ):
            raise bad_response_error(PROVIDER)
        yield found
        token = get_string(page, "nextPageToken")
        if not token:
            return
        if token == how.get("pageToken"):  # it would never end
            raise bad_response_error(PROVIDER)
        how["pageToken"] = token


def _get_version(file: _Record) -> str:
    """Its content, folder and name: what is moved or renamed keeps its content."""
    content = get_string(file, "md5Checksum") or get_string(file, "modifiedTime")
    return (
        f"{content} {get_string(file, 'parents', 0)} {get_string(file, 'name')}" if content else ""
    )


def _find_ancestors(
    scope: DriveScope, folders: dict[str, tuple[str, str]], file: _Record
) -> list[str]:
    """Names of the folders that a file lies in, the highest first."""
    names, parent = list[str](), get_string(file, "parents", 0)
    while parent in folders and parent != scope.folder and len(names) < MAX_DEPTH:
        name, parent = folders[parent]
        names.append(name)
    names.append(scope.name if parent == scope.folder else "Shared with me")
    return names[::-1]


async def _read_change(google: GoogleApi, file: _Record, uri: str, path: str) -> Change:
    name = get_string(file, "name")
    try:
        text = await _read_text(google, file, name)
    except UnreadableError as error:
        return Skipped(uri=uri, reason=f"{name}: {error}")
    except ConnectorError as error:
        why = {
            "connector_absent": "it vanished while it was read",
            "connector_refused": f"{PROVIDER} does not let this account download it",
        }
        reason = "it is too large" if error.status == TOO_LARGE else why.get(error.code)
        if reason is None:
            raise
        return Skipped(uri=uri, reason=f"{name}: {reason}")
    return Document(
        uri=uri,
        url=get_string(file, "webViewLink"),
        title=name,
        author=get_string(file, "owners", 0, "displayName"),
        site=PROVIDER,
        text=text,
        connector=Drive.name,
        published=iso_date(get_string(file, "createdTime")),
        version=_get_version(file),
        path=path,
    )


async def _read_text(google: GoogleApi, file: _Record, name: str) -> str:
    path, kind, size = f"/drive/v3/files/{file['id']}", file["mimeType"], get_string(file, "size")
    if export := _EXPORTS.get(kind):
        data = (await google.request("GET", f"{path}/export", params={"mimeType": export})).content
        return _PICTURES.sub("", data.decode("utf-8-sig", errors="replace")).strip()
    if kind.startswith(("image/", "video/", "audio/", GOOGLE_TYPE)):
        raise UnreadableError("there is no reader for this format")
    if size.isdecimal() and (len(size) > 12 or int(size) > MAX_BYTES):
        raise UnreadableError(f"it is larger than {MAX_BYTES // 2**20} MB")
    given = {"alt": "media", "supportsAllDrives": "true"}
    data = (await google.request("GET", path, params=given)).content
    suffix = PurePosixPath(name).suffix
    if not re.fullmatch(r"\.\w{1,12}", suffix, re.ASCII):
        suffix = mimetypes.guess_extension(kind) or ""
    return (await read_bytes(data, suffix)).text
