"""Many files of a commit at once: GitHub's archive, read without unpacking it to disk."""

import asyncio
import logging
import tarfile
import tempfile
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import IO

import httpx

from connectors.http.client import Api, make_client, web_host
from connectors.http.errors import bad_response_error, http_error, to_connector_error
from connectors.http.retries import call_with_retries
from connectors.indexed.github.tree import MAX_FILE_BYTES, compute_blob_sha
from schema.errors import ConnectorError

LARGEST_ARCHIVE = 2 * 2**30
"""Bytes of its download."""

LARGEST_UNPACKED = 16 * 2**30
"""Bytes of all that it holds, read or not: each of them is unpacked on the way."""

SECONDS = 1800.0
"""Longest that its download may take."""

_TOO_LARGE = "GitHub's archive of the repository is too large"
_BROKEN = (tarfile.TarError, zlib.error, EOFError, OSError, ValueError)


async def read_archive(
    api: Api, repository: str, commit: str, wanted: Mapping[str, str], attempts: int
) -> AsyncIterator[tuple[str, bytes]]:
    """Path and content of wanted files, each once, in the order of the archive.

    It may lack some: attributes of the repository can leave files out of its archives, or have
    them changed. What is handed over has the very sha that was asked for.

    Args:
        api: GitHub's.
        repository: `/repos/owner/name`.
        commit: its sha.
        wanted: sha by path.
        attempts: tries of the download.
    """
    answer = await api.request("GET", f"{repository}/tarball/{commit}")
    url = answer.headers.get("location", "")
    if not web_host(url):
        raise bad_response_error("GitHub")
    with tempfile.TemporaryFile() as file:
        await call_with_retries(lambda _: _download(url, file), attempts)
        members = _iterate_members(file, dict(wanted))
        while found := await asyncio.to_thread(_read_next, members):
            yield found


async def _download(url: str, file: IO[bytes]) -> None:
    """Bring the archive into a file. Its server is another one, so it is not shown the key."""
    file.seek(0)
    file.truncate()
    try:
        async with (
            _hide_from_log(url),
            asyncio.timeout(SECONDS),
            make_client("GitHub", "") as http,
            http.stream("GET", url) as answer,
        ):
            if answer.status_code >= 400:
                raise http_error("GitHub", "", answer.status_code, answer.headers)
            async for part in answer.aiter_bytes():
                file.write(part)
                if file.tell() > LARGEST_ARCHIVE:
                    break
    except (ConnectorError, httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
        raise to_connector_error("GitHub", "", error) from None
    if file.tell() > LARGEST_ARCHIVE:
        raise ConnectorError(_TOO_LARGE)
    file.seek(0)


@asynccontextmanager
async def _hide_from_log(url: str) -> AsyncIterator[None]:
    """Keep httpx from logging an address that lets everybody in for five minutes."""

    def harmless(record: logging.LogRecord) -> bool:
        return url not in record.getMessage()

    logger = logging.getLogger("httpx")
    logger.addFilter(harmless)
    try:
        yield
    finally:
        logger.removeFilter(harmless)


def _read_next(members: Iterator[tuple[str, bytes]]) -> tuple[str, bytes] | None:
    try:
        return next(members, None)
    except _BROKEN:
        raise bad_response_error("GitHub") from None


def _iterate_members(file: IO[bytes], wanted: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """Only plain files whose path was asked for: names and links in it can lead nowhere."""
    unpacked = 0
    with tarfile.open(fileobj=file, mode="r|gz") as tar:
        while member := tar.next():
            tar.members.clear()  # type: ignore[attr-defined]  # it would keep them all
            unpacked += member.size
            if unpacked > LARGEST_UNPACKED:
                raise ConnectorError(_TOO_LARGE)
            path = member.name.partition("/")[2]  # below a folder named after the commit
            if not member.isreg() or member.size > MAX_FILE_BYTES or path not in wanted:
                continue
            content = tar.extractfile(member)
            data = content.read() if content else b""
            if compute_blob_sha(data) == wanted[path]:
                del wanted[path]
                yield path, data
