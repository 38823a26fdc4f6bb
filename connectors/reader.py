"""Reading one page of the web that a search found: within bounds, by its robots.txt, once.

It asks public addresses only, whatever a page or a redirect says, unless `QUIRE_ALLOWED_HOSTS`
names the host. With `QUIRE_READER=jina` Jina Reader reads the pages of public hosts, and what it
cannot read is read here.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from pydantic import TypeAdapter

from connectors.net.addresses import shown
from connectors.net.http import web_host
from connectors.net.safe_http import is_allowed
from connectors.protocol import Limits
from connectors.providers.jina_reader import read_by_jina
from connectors.providers.web_pages import page_body, page_text, read_page
from connectors.providers.web_site import Site, web_address
from connectors.reading.file_text import FileText, UnreadableError
from library.journal import Journal
from retrieval.last_update import last_update
from retrieval.pages import page_uri
from schema.documents import Document
from schema.errors import ConnectorError
from schema.settings import settings

NAME = "reader"
"""The `connector` of what was read."""

LIMITS = Limits(attempts=2)
JINA_SHARE = 0.6
"""Of the deadline that Jina has; the rest is for reading the page here."""
REFUSED = ("connector_key", "connector_refused")
"""Of Jina's errors those that somebody has to mend: they are told, not worked around."""


@dataclass(frozen=True)
class Reading:
    """A page that was read.

    `links` are the words of each link by its address. `updated` is the day of the page's last
    change with a confidence in 0..1, where something says it.
    """

    document: Document
    links: Mapping[str, str]
    updated: tuple[date, float] | None


_READING = TypeAdapter(Reading)


async def read(
    url: str, *, seconds: float, searched: str = "", journal: Journal | None = None
) -> Reading:
    """Read a page; one that the run has read, or that is not there, is not asked for again.

    Args:
        url: its address.
        seconds: deadline for all of it, robots.txt and redirects included.
        searched: the date that a search engine gave it, ISO 8601.
        journal: the run's record.

    Raises:
        ConnectorError: it may not be read, cannot be, or holds no text; or Jina refuses the key.
    """
    address = web_address(url)
    if not address:
        raise ConnectorError(f"{shown(url)} is no address of the web", code="connector_refused")
    if journal is None:
        return await _in_time(address, searched, seconds)

    async def make() -> Any:
        try:
            found = await _in_time(address, searched, seconds)
        except ConnectorError as error:
            if error.passing or error.code == "connector_timeout":
                raise
            return {"error": str(error), "code": error.code}
        return _READING.dump_python(found, mode="json")

    recorded = await journal.once(f"page {page_uri(address)}", make)
    if "error" in recorded:
        raise ConnectorError(recorded["error"], code=recorded["code"])
    return _READING.validate_python(recorded)


async def _in_time(address: str, searched: str, seconds: float) -> Reading:
    try:
        async with asyncio.timeout(seconds):
            return await _read(address, searched, seconds)
    except TimeoutError:
        message = f"{web_host(address)} did not answer within {seconds:g} s"
        raise ConnectorError(message, code="connector_timeout") from None


async def _read(address: str, searched: str, seconds: float) -> Reading:
    async with Site(LIMITS) as site:
        if settings().reader == "jina" and not is_allowed(web_host(address)):
            await site.check(address)  # no address inside our network leaves it
            if reading := await _by_jina(address, searched, seconds * JINA_SHARE):
                return reading
        return await _by_ourselves(site, address, searched)


async def _by_jina(address: str, searched: str, seconds: float) -> Reading | None:
    """The page as Jina read it; None where it did not, so that the page is still to be read."""
    try:
        async with asyncio.timeout(seconds):
            page = await read_by_jina(address, seconds)
    except TimeoutError:
        return None
    except ConnectorError as error:
        if error.code in REFUSED:
            raise
        return None
    now = datetime.now(UTC)
    updated = last_update("", {}, now.date(), searched=searched or page.found.published)
    return Reading(_document(address, page_uri(address), page.found, now), page.links, updated)


async def _by_ourselves(site: Site, address: str, searched: str) -> Reading:
    answer = await site.get(address, page_body)
    try:
        page = await read_page(answer, "")
        found = await page_text(page)
    except UnreadableError as error:
        raise ConnectorError(f"{shown(answer.url)}: {error}") from None
    now = datetime.now(UTC)
    html = page.body.decode(errors="replace") if page.suffix == ".html" else ""
    updated = await asyncio.to_thread(
        last_update, html, answer.headers, now.date(), searched=searched
    )
    return Reading(_document(answer.url, page.uri, found, now), page.links, updated)


def _document(url: str, uri: str, found: FileText, now: datetime) -> Document:
    return Document(
        uri=uri,
        url=url,
        text=found.text,
        connector=NAME,
        title=found.title or page_uri(url),
        author=found.author,
        site=found.site or web_host(url),
        published=found.published,
        fetched=now,
    )
