"""Reading one page of the web that a search found: within bounds, by its robots.txt, once.

It asks public addresses only, whatever a page or a redirect says, unless `QUIRE_ALLOWED_HOSTS`
names the host. With `QUIRE_PAGE_FETCHER=jina` Jina Reader reads the pages of public hosts, and
what it cannot read is read here. Where a work is behind a paywall, or its page holds an abstract
only, an open copy is read in its place, if the installation looks for such (`open_access`).
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from pydantic import TypeAdapter

from connectors.files.file_text import FileText, UnreadableError
from connectors.http.client import web_host
from connectors.http.redact import redact_url
from connectors.http.safe_client import is_allowed
from connectors.indexed.web.pages import extract_page_text, parse_page, read_body
from connectors.indexed.web.site import SiteResponse, WebsiteClient, to_request_url
from connectors.jina_reader import fetch_by_jina
from connectors.open_access.copies import OpenCopy, find_copies, is_enabled
from connectors.open_access.identifiers import Work, find_stated_doi, find_work
from connectors.protocol import Limits
from library.journal import Journal
from retrieval.web.canonical_url import normalise_url
from retrieval.web.last_modified import find_last_modified
from schema.documents import Document
from schema.errors import ConnectorError
from schema.settings import get_settings

CONNECTOR_NAME = "reader"
"""The `connector` of what was read."""

LIMITS = Limits(attempts=2)
JINA_SHARE = 0.6
"""Of the deadline that Jina has; the rest is for reading the page here."""
FATAL_CODES = ("connector_key", "connector_refused")
"""Of Jina's errors those that somebody has to mend: they are reported, not worked around."""

ABSTRACT_CHARACTERS = 6_000
"""Characters of a work's page from which on it is taken for more than its abstract."""
MIN_COPY_CHARACTERS = 2_000
"""Characters of an open copy; what is shorter is no text of a work."""
MAX_COPIES = 4
"""Open copies of one work that are tried."""


@dataclass(frozen=True)
class FetchedDocument:
    """A page that was read.

    `links` are the words of each link by its address. `updated` is the date of the page's last
    change with a confidence in 0..1, where something says it; `doi` is what it says its own is.
    """

    document: Document
    links: Mapping[str, str]
    updated: tuple[date, float] | None
    doi: str = ""


_FETCHED_DOCUMENT = TypeAdapter(FetchedDocument)


async def fetch_page(
    url: str, *, seconds: float, searched: str = "", journal: Journal | None = None
) -> FetchedDocument:
    """Read a page; one that the run has read, or that is not there, is not asked for again.

    Args:
        url: its address.
        seconds: deadline for all of it, robots.txt and redirects included.
        searched: the date that a search engine gave it, ISO 8601.
        journal: the run's record.

    Raises:
        ConnectorError: it may not be read, cannot be, or holds no text; or Jina refuses the key.
    """
    address = to_request_url(url)
    if not address:
        raise ConnectorError(
            f"{redact_url(url)} is no address of the web", code="connector_refused"
        )
    if journal is None:
        return await _fetch_in_time(address, searched, seconds)

    async def make() -> Any:
        try:
            found = await _fetch_in_time(address, searched, seconds)
        except ConnectorError as error:
            if error.retryable or error.code == "connector_timeout":
                raise
            return {"error": str(error), "code": error.code}
        return _FETCHED_DOCUMENT.dump_python(found, mode="json")

    recorded = await journal.once(f"page {normalise_url(address)}", make)
    if "error" in recorded:
        raise ConnectorError(recorded["error"], code=recorded["code"])
    return _FETCHED_DOCUMENT.validate_python(recorded)


async def _fetch_in_time(address: str, searched: str, seconds: float) -> FetchedDocument:
    try:
        async with asyncio.timeout(seconds) as deadline:
            return await _fetch_or_copy(address, searched, seconds, deadline)
    except TimeoutError:
        message = f"{web_host(address)} did not answer within {seconds:g} s"
        raise ConnectorError(message, code="connector_timeout") from None


async def _fetch_or_copy(
    address: str, searched: str, seconds: float, deadline: asyncio.Timeout
) -> FetchedDocument:
    """The page, or an open copy of the work that it is in the way of."""
    if not is_enabled():
        return await _fetch(address, searched, seconds)
    work = find_work(address)
    try:
        found = await _fetch(address, searched, seconds)
    except ConnectorError as error:
        if error.code != "connector_refused" or not work:
            raise
        copy = await _read_copy(work, address, 0, deadline)
        if copy is None:
            raise
        return copy
    work = Work(doi=found.doi) if found.doi else work or find_work(found.document.url)
    length = len(found.document.text)
    if not work or length >= ABSTRACT_CHARACTERS:
        return found
    return await _read_copy(work, address, length, deadline) or found


async def _read_copy(
    work: Work, address: str, length: int, deadline: asyncio.Timeout
) -> FetchedDocument | None:
    """An open copy that says more than a page of this length; None where none is read in time."""
    try:
        async with (
            asyncio.timeout_at((deadline.when() or 0.0) - 0.5),
            WebsiteClient(LIMITS) as site,
        ):
            tried = 0
            async for copy in find_copies(work):
                tried += 1
                if tried > MAX_COPIES:
                    return None
                url = to_request_url(copy.address)
                if not url or normalise_url(url) == normalise_url(address):
                    continue
                try:
                    found = await _fetch_directly(site, url, copy.published)
                except ConnectorError:
                    continue
                if len(found.document.text) >= max(MIN_COPY_CHARACTERS, 2 * length):
                    return replace(found, document=_describe_copy(found.document, copy, address))
    except TimeoutError:
        pass
    return None


def _describe_copy(read: Document, copy: OpenCopy, address: str) -> Document:
    """A copy as what it stands for, which it discloses."""
    return replace(
        read,
        uri=normalise_url(address),
        title=copy.title or read.title,
        author=copy.author or read.author,
        site=copy.site or read.site,
        published=copy.published or read.published,
        copy_of=f"https://doi.org/{copy.doi}" if copy.doi else address,
        copy_version=copy.version,
    )


async def _fetch(address: str, searched: str, seconds: float) -> FetchedDocument:
    async with WebsiteClient(LIMITS) as site:
        if get_settings().page_fetcher == "jina" and not is_allowed(web_host(address)):
            await site.check(address)  # no address inside our network leaves it
            if reading := await _fetch_by_jina(address, searched, seconds * JINA_SHARE):
                return reading
        return await _fetch_directly(site, address, searched)


async def _fetch_by_jina(address: str, searched: str, seconds: float) -> FetchedDocument | None:
    """The page as Jina read it; None where it did not, so that the page is still to be read."""
    try:
        async with asyncio.timeout(seconds):
            page = await fetch_by_jina(address, seconds)
    except TimeoutError:
        return None
    except ConnectorError as error:
        if error.code in FATAL_CODES:
            raise
        return None
    now = datetime.now(UTC)
    updated = find_last_modified("", {}, now.date(), searched=searched or page.content.published)
    return FetchedDocument(
        _build_document(address, normalise_url(address), page.content, now), page.links, updated
    )


async def _fetch_directly(site: WebsiteClient, address: str, searched: str) -> FetchedDocument:
    return await read_answer(await site.get(address, read_body), searched)


async def read_answer(answer: SiteResponse[bytes], searched: str = "") -> FetchedDocument:
    """Read the page that a website answered with.

    Args:
        answer: with its body.
        searched: the date that a search engine gave it, ISO 8601.

    Raises:
        ConnectorError: it holds no text, or cannot be read.
    """
    try:
        page = await parse_page(answer, "")
        found = await extract_page_text(page)
    except UnreadableError as error:
        raise ConnectorError(f"{redact_url(answer.url)}: {error}") from None
    now = datetime.now(UTC)
    html = page.body.decode(errors="replace") if page.suffix == ".html" else ""
    updated = await asyncio.to_thread(
        find_last_modified, html, answer.headers, now.date(), searched=searched
    )
    document = _build_document(answer.url, page.uri, found, now)
    stated = find_stated_doi(html) if html else ""
    return FetchedDocument(replace(document, links=page.originals), page.links, updated, stated)


def _build_document(url: str, uri: str, found: FileText, now: datetime) -> Document:
    return Document(
        uri=uri,
        url=url,
        text=found.text,
        connector=CONNECTOR_NAME,
        title=found.title or normalise_url(url),
        author=found.author,
        site=found.site or web_host(url),
        published=found.published,
        fetched=now,
    )
