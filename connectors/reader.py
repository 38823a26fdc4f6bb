"""Reading one page of the web that a search found: within bounds, by its robots.txt, once.

It asks public addresses only, whatever a page or a redirect says, unless `QUIRE_ALLOWED_HOSTS`
names the host.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

from connectors.net.http import web_host
from connectors.protocol import Limits
from connectors.providers.web_pages import page_body, page_text, read_page
from connectors.providers.web_site import Site, web_address
from connectors.reading.to_text import UnreadableError
from retrieval.last_update import last_update
from retrieval.pages import page_uri
from schema.documents import Document
from schema.errors import ConnectorError

NAME = "reader"
"""The `connector` of what was read."""

LIMITS = Limits(attempts=2)


@dataclass(frozen=True)
class Reading:
    """A page that was read.

    `links` are the words of each link by its address. `updated` is the day of the page's last
    change with a confidence in 0..1, where something says it.
    """

    document: Document
    links: Mapping[str, str]
    updated: tuple[date, float] | None


async def read(url: str, *, seconds: float, searched: str = "") -> Reading:
    """Read a page.

    Args:
        url: its address.
        seconds: deadline for all of it, robots.txt and redirects included.
        searched: the date that a search engine gave it, ISO 8601.

    Raises:
        ConnectorError: it may not be read, cannot be, or holds no text.
    """
    address = web_address(url)
    if not address:
        raise ConnectorError(f"{url[:200]} is no address of the web", code="connector_refused")
    try:
        async with asyncio.timeout(seconds):
            return await _read(address, searched)
    except TimeoutError:
        message = f"{web_host(address)} did not answer within {seconds:g} s"
        raise ConnectorError(message, code="connector_timeout") from None


async def _read(address: str, searched: str) -> Reading:
    async with Site(LIMITS) as site:
        answer = await site.get(address, page_body)
    page = await asyncio.to_thread(read_page, answer, "")
    try:
        found = await page_text(page)
    except UnreadableError as error:
        raise ConnectorError(f"{answer.url}: {error}") from None
    now = datetime.now(UTC)
    html = page.body.decode(errors="replace") if page.suffix == ".html" else ""
    updated = await asyncio.to_thread(
        last_update, html, answer.headers, now.date(), searched=searched
    )
    document = Document(
        uri=page.uri,
        url=answer.url,
        text=found.text,
        connector=NAME,
        title=found.title or page_uri(answer.url),
        author=found.author,
        site=found.site or web_host(answer.url),
        published=found.published,
        fetched=now,
    )
    return Reading(document, page.links, updated)
