"""Reading the cited pages of the web once more."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from connectors.http.redact import redact_url
from connectors.page_fetcher import FetchedDocument, fetch_page
from connectors.web_cache import save_pages
from library.library import Library
from schema.concurrency import get_semaphore
from schema.error_text import end_sentence
from schema.errors import ConnectorError
from schema.gather import run_concurrently
from schema.report import Report

SECONDS, CONCURRENCY = 20.0, 8
"""Deadline of a page, and how many are read at once."""

GONE_CODES = ("connector_absent",)
"""What says that a page is not there any more, and not only that it cannot be read now."""


@dataclass(frozen=True)
class UnreadPage:
    """A page that could not be read again, and why."""

    uri: str
    reason: str


async def refetch_pages(
    library: Library, report: Report, uris: Sequence[str]
) -> tuple[set[str], list[UnreadPage]]:
    """Read the cited pages of the web, and store them as they stand now.

    Pages that a sync keeps up to date are left to it.

    Returns:
        The uris of pages that are gone, and the pages that could not be read.
    """
    web = await library.open_part("web").find_stored(uris)
    urls = {reference["number"]: reference["url"] for reference in report["references"]}
    wanted = {
        one["document"]: urls[one["number"]]
        for one in report["citations"]
        if one["document"] in web
    }
    began = datetime.now(UTC)
    readings = await run_concurrently(_read(uri, url) for uri, url in wanted.items())
    pages = [one.document for one in readings if isinstance(one, FetchedDocument)]
    await save_pages(library, pages, began)
    gone = {one for one in readings if isinstance(one, str)}
    return gone, [one for one in readings if isinstance(one, UnreadPage)]


async def _read(uri: str, url: str) -> FetchedDocument | UnreadPage | str:
    """The page; its uri where it is gone; or why it could not be read."""
    try:
        async with get_semaphore("pages", CONCURRENCY):
            return await fetch_page(url, seconds=SECONDS)
    except ConnectorError as error:
        if error.code in GONE_CODES:
            return uri
        reason = end_sentence(f"{redact_url(url)} could not be read again: {error}")
        return UnreadPage(uri, reason)
