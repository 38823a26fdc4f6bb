"""The cited pages of the web as a WARC file, fetched anew as a run fetches them."""

import asyncio
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from connectors.indexed.web.pages import read_body
from connectors.indexed.web.site import WebsiteClient, to_request_url
from connectors.indexed.web.warc import WarcWriter
from connectors.page_fetcher import LIMITS
from exports.bundle.parts import Member
from schema.concurrency import get_semaphore
from schema.errors import ConnectorError, QuireError
from schema.gather import run_concurrently
from schema.report import Report
from serving.verify import CONCURRENCY, SECONDS


@dataclass(frozen=True)
class SavedPages:
    """A WARC file: its size and digest, how many pages it holds, and why others are not there."""

    archive: Member
    count: int
    missing: dict[str, str]


async def save_pages(report: Report, file: Path) -> SavedPages:
    """Fetch the pages that a report cites, and write them as they are today; whole or not at all.

    By their robots.txt, from public addresses only. Sources that are no web pages are passed over.

    Raises:
        InputError: the package is not installed.
        QuireError: the file could not be written.
    """
    cited = {one["url"] for one in report["references"]}
    urls = sorted(one for one in cited if one.startswith(("http://", "https://")))
    part = file.with_name(f".{file.name}.part")
    named = f"Pages cited by report {report.get('id', '')}, version {report.get('version', 1)}"
    try:
        with WarcWriter(part, named) as warc:
            turn = asyncio.Lock()
            whys = await run_concurrently(_save_page(one, warc, turn) for one in urls)
        part.replace(file)
    except OSError as error:
        raise QuireError(f"{file} could not be written ({error.strerror}).") from error
    finally:
        part.unlink(missing_ok=True)
    missing = {url: why for url, why in zip(urls, whys, strict=True) if why}
    archive = await asyncio.to_thread(describe_archive, file)
    return SavedPages(archive, len(urls) - len(missing), missing)


def describe_archive(file: Path) -> Member:
    """Size and digest of a file, as the manifest names them.

    Raises:
        QuireError: it could not be read.
    """
    try:
        with file.open("rb") as opened:
            digest = file_digest(opened, "sha256").hexdigest()
            return Member(bytes=opened.tell(), sha256=digest)
    except OSError as error:
        raise QuireError(f"{file} could not be read ({error.strerror}).") from error


async def _save_page(url: str, warc: WarcWriter, turn: asyncio.Lock) -> str:
    """Why a page could not be saved; "" where it was."""
    address = to_request_url(url)
    if not address:
        return "it is no address of the web"
    try:
        async with get_semaphore("pages", CONCURRENCY):
            async with asyncio.timeout(SECONDS), WebsiteClient(LIMITS) as site:
                answer = await site.get(address, read_body)
            async with turn:
                await asyncio.to_thread(warc.add, address, answer)
    except TimeoutError:
        return f"it did not answer within {SECONDS:g} s"
    except ConnectorError as error:
        return str(error)
    return ""
