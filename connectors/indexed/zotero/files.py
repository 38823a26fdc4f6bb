"""The files that Zotero keeps beside its items."""

import asyncio
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import httpx

from connectors.files.extract import read_bytes, read_file
from connectors.files.file_text import FileText, UnreadableError
from connectors.http.client import read_start
from connectors.http.errors import HIDDEN, find_or_none, http_error, to_connector_error
from connectors.http.safe_client import make_safe_client
from connectors.indexed.zotero.client import MAX_BYTES, PROVIDER, ZoteroApi
from connectors.json_fields import get_string

_SUFFIXES = {"application/pdf": ".pdf", "text/html": ".html", "text/plain": ".txt",
             "application/epub+zip": ".epub"}  # fmt: skip
SECONDS = 120.0
"""Deadline of one file."""


async def read_attachment(api: ZoteroApi, prefix: str, data: Mapping[str, Any]) -> FileText:
    """The text of an attachment: of its file, or as Zotero itself read it where there is none.

    Args:
        api: to ask.
        prefix: of the library.
        data: the fields of the attachment.

    Raises:
        UnreadableError: neither can be had.
        ConnectorError: Zotero did not answer.
    """
    path = f"/{prefix}/items/{get_string(data, 'key')}"
    name = get_string(data, "filename")
    suffix = PurePosixPath(name).suffix or _SUFFIXES.get(get_string(data, "contentType"), "")
    if get_string(data, "contentType").startswith(("image/", "video/", "audio/")):
        raise UnreadableError("there is no reader for this format")
    try:
        return await _read_answer(
            api, await find_or_none(api.request("GET", f"{path}/file"), HIDDEN), suffix
        )
    except UnreadableError as error:
        told = await find_or_none(api.get(f"{path}/fulltext"), HIDDEN)
        if text := get_string(told, "content").strip():
            return FileText(text)
        raise error from None


async def _read_answer(api: ZoteroApi, answer: httpx.Response | None, suffix: str) -> FileText:
    """A file that was sent, or that the answer leads to."""
    if answer is None:
        raise UnreadableError("Zotero does not hold the file")
    leads = answer.headers.get("location", "") if answer.is_redirect else ""
    if leads.startswith("file:"):
        return await _read_local(api, leads)
    data = await _download(api, urljoin(f"{api.url}/", leads)) if leads else answer.content
    if data.startswith(b"PK\x03\x04") and suffix in (".html", ".htm"):
        raise UnreadableError("it is a packed snapshot of a page")
    return await read_bytes(data, suffix)


async def _read_local(api: ZoteroApi, url: str) -> FileText:
    """A file of this machine, which the desktop app names; nobody else may name one."""
    if not (api.is_desktop and api.is_local):
        raise UnreadableError("a server may not name files of this machine")
    path = Path(unquote(urlsplit(url).path))
    if not await asyncio.to_thread(path.is_file):
        raise UnreadableError("the file is not there")
    return await read_file(path)


async def _download(api: ZoteroApi, url: str) -> bytes:
    """A file from where Zotero keeps it: without the key, as the address itself lets in."""
    if urlsplit(url).netloc == urlsplit(api.url).netloc:
        return (await api.request("GET", url)).content
    try:
        async with make_safe_client(SECONDS) as client, client.stream("GET", url) as answer:
            if answer.status_code in (403, 404, 410):
                raise UnreadableError("Zotero does not hold the file")
            if answer.status_code >= 400:
                raise http_error(PROVIDER, "", answer.status_code, answer.headers)
            data = await read_start(answer, MAX_BYTES + 1)
    except httpx.HTTPError as error:
        raise to_connector_error(PROVIDER, "", error) from None
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"it is larger than {MAX_BYTES // 2**20} MB")
    return data
