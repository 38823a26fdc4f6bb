"""`drive`: the files below a folder of Google Drive, and Google's own documents among them."""

import mimetypes
import re
from collections.abc import AsyncIterator
from pathlib import PurePosixPath
from typing import Any, Literal, NamedTuple

from connectors.net.ahead import ahead
from connectors.net.http import base_url
from connectors.net.refusals import unreadable
from connectors.protocol import Limits, Since
from connectors.providers.google import CLIENT, LARGEST, REFRESH, SECRET, TOO_LARGE, Google
from connectors.reading.dates import iso_date
from connectors.reading.file_text import UnreadableError
from connectors.reading.places import tree_place
from connectors.reading.records import word
from connectors.reading.to_text import read_bytes
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError

PROVIDER = "Google Drive"
PAGE = 1000
"""Files of one page of a listing, the most that Google gives."""
FOLDERS = 25
"""Folders whose files one query asks for."""
DEEPEST = 50
"""Folders inside of each other that are named in a path."""
ALL = "drive://all"

_OWN = "application/vnd.google-apps."
_FOLDER, _SHORTCUT = f"{_OWN}folder", f"{_OWN}shortcut"
_EXPORTS = {
    f"{_OWN}document": "text/markdown",
    f"{_OWN}spreadsheet": "text/csv",  # the first sheet: Google gives no more
    f"{_OWN}presentation": "text/plain",
}
_FIELDS = (
    "id,name,mimeType,parents,md5Checksum,modifiedTime,createdTime,size,webViewLink,"
    "owners(displayName)"
)
_IN_LINK = re.compile(r"(?:/folders/|[?&]id=)([\w-]+)", re.ASCII)
_PICTURES = re.compile(r"^\[[^\]\n]+\]: ?<data:image/[^>\n]*>[ \t]*$", re.MULTILINE)
"""A document's pictures, which stand at the end of its Markdown in many letters."""


_Record = dict[str, Any]
"""A file as Google describes it."""


class _Place(NamedTuple):
    """What a sync goes through: all below a folder, or `ALL` that the account owns or was given."""

    root: str
    folder: str
    name: str
    corpus: dict[str, str]


class Drive:
    """Files and documents. What lies in the bin is removed here; shortcuts are passed over."""

    name = "drive"
    kind: Literal["indexed"] = "indexed"
    reads = "files and documents of a Google Drive folder"
    document = (
        "a file or a Google document: `drive://FOLDER/ID`, its name, owner, address and day of "
        "creation, at folder/folder/name"
    )
    needs = (CLIENT, SECRET, REFRESH)
    package = ""
    languages = ()
    limits = Limits(concurrency=4)

    async def root(self, place: str) -> str:
        """A folder or shared drive by its id or link; `*` is My Drive and what others shared."""
        async with self._google() as google:
            return (await _place(google, place)).root

    async def sync(self, since: Since) -> AsyncIterator[Change]:
        """Go through the listing; the files of a page of it that are new are read at once."""
        async with self._google() as google:
            place, seen = await _place(google, since.place), set[str]()
            folders = {place.folder: (place.name, "")}

            async def read(file: _Record) -> Change:
                path = tree_place(*_above(place, folders, file), word(file, "name"))
                return await _change(google, file, f"{since.root}/{file['id']}", path)

            async for files in _pages(google, place, folders):
                wanted = list[_Record]()
                for file in files:
                    uri = f"{since.root}/{file['id']}"
                    if uri in seen:  # it lies in two folders
                        continue
                    seen.add(uri)
                    if since.versions.get(uri) == _version(file):
                        yield Unchanged(uri=uri)
                    else:
                        wanted.append(file)
                async for change in ahead(wanted, read, self.limits.concurrency):
                    yield change
        for uri in since.versions.keys() - seen:
            yield Gone(uri=uri)

    def _google(self) -> Google:
        return Google(PROVIDER, base_url(self.name, "https://www.googleapis.com"), self.limits)


async def _place(google: Google, place: str) -> _Place:
    """What a place means.

    Raises:
        InputError: the account sees no such folder.
    """
    link = _IN_LINK.search(place)
    identity = "root" if place == "*" else link[1] if link else place
    folder: dict[str, Any] = {}
    if re.fullmatch(r"[\w-]+", identity, re.ASCII):
        try:
            folder = await google.get(
                f"/drive/v3/files/{identity}",
                fields="id,name,mimeType,driveId",
                supportsAllDrives="true",
            )
        except ConnectorError as error:
            if error.code != "connector_absent":
                raise
    if word(folder, "mimeType") != _FOLDER or not word(folder, "id"):
        raise InputError(
            f"{PROVIDER} shows this account no folder '{place}': give the id or link of a folder, "
            "or * for all files."
        )
    identity, corpus = word(folder, "id"), {"corpora": "user"}
    if shared := word(folder, "driveId"):
        corpus = {"corpora": "drive", "driveId": shared, "includeItemsFromAllDrives": "true"}
    root = ALL if place == "*" else f"drive://{identity}"
    return _Place(root, identity, word(folder, "name"), corpus)


async def _pages(
    google: Google, place: _Place, folders: dict[str, tuple[str, str]]
) -> AsyncIterator[list[_Record]]:
    """Files, a page at a time; `folders`, name and parent by id, grow before what lies in them."""
    if place.root == ALL:
        async for files in _listed(google, place, f"mimeType = '{_FOLDER}'"):
            folders |= {one["id"]: (word(one, "name"), word(one, "parents", 0)) for one in files}
        async for files in _listed(google, place, f"mimeType != '{_FOLDER}'"):
            yield [one for one in files if one["mimeType"] != _SHORTCUT]
        return
    waiting = [place.folder]
    while waiting:
        some, waiting = waiting[:FOLDERS], waiting[FOLDERS:]
        query = " or ".join(f"'{folder}' in parents" for folder in some)
        async for files in _listed(google, place, f"({query})"):
            for one in files:
                if one["mimeType"] == _FOLDER and one["id"] not in folders:
                    folders[one["id"]] = (word(one, "name"), word(one, "parents", 0))
                    waiting.append(one["id"])
            yield [one for one in files if one["mimeType"] not in (_FOLDER, _SHORTCUT)]


async def _listed(google: Google, place: _Place, query: str) -> AsyncIterator[list[_Record]]:
    how = {
        **place.corpus,
        "q": f"{query} and trashed = false",
        "pageSize": str(PAGE),
        "fields": f"nextPageToken,incompleteSearch,files({_FIELDS})",
        "supportsAllDrives": "true",
    }
    while True:
        page = await google.get("/drive/v3/files", **how)
        found = page.get("files")
        if not isinstance(found, list) or page.get("incompleteSearch"):
            raise unreadable(PROVIDER)
        if not all(word(one, "id") and word(one, "mimeType") and _version(one) for one in found):
            raise unreadable(PROVIDER)
        yield found
        token = word(page, "nextPageToken")
        if not token:
            return
        if token == how.get("pageToken"):  # it would never end
            raise unreadable(PROVIDER)
        how["pageToken"] = token


def _version(file: _Record) -> str:
    """Its content, place and name: what is moved or renamed keeps its content."""
    content = word(file, "md5Checksum") or word(file, "modifiedTime")
    return f"{content} {word(file, 'parents', 0)} {word(file, 'name')}" if content else ""


def _above(place: _Place, folders: dict[str, tuple[str, str]], file: _Record) -> list[str]:
    """Names of the folders that a file lies in, the highest first."""
    names, parent = list[str](), word(file, "parents", 0)
    while parent in folders and parent != place.folder and len(names) < DEEPEST:
        name, parent = folders[parent]
        names.append(name)
    names.append(place.name if parent == place.folder else "Shared with me")
    return names[::-1]


async def _change(google: Google, file: _Record, uri: str, path: str) -> Change:
    name = word(file, "name")
    try:
        text = await _text(google, file, name)
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
        url=word(file, "webViewLink"),
        title=name,
        author=word(file, "owners", 0, "displayName"),
        site=PROVIDER,
        text=text,
        connector=Drive.name,
        published=iso_date(word(file, "createdTime")),
        version=_version(file),
        path=path,
    )


async def _text(google: Google, file: _Record, name: str) -> str:
    path, kind, size = f"/drive/v3/files/{file['id']}", file["mimeType"], word(file, "size")
    if export := _EXPORTS.get(kind):
        data = await google.content(f"{path}/export", mimeType=export)
        return _PICTURES.sub("", data.decode("utf-8-sig", errors="replace")).strip()
    if kind.startswith(("image/", "video/", "audio/", _OWN)):
        raise UnreadableError("there is no reader for this format")
    if size.isdecimal() and (len(size) > 12 or int(size) > LARGEST):
        raise UnreadableError(f"it is larger than {LARGEST // 2**20} MB")
    data = await google.content(path, alt="media", supportsAllDrives="true")
    suffix = PurePosixPath(name).suffix
    if not re.fullmatch(r"\.\w{1,12}", suffix, re.ASCII):
        suffix = mimetypes.guess_extension(kind) or ""
    return (await read_bytes(data, suffix)).text
