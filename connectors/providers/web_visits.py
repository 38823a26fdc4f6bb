"""Asking for one page of a place, and what it means for the library that holds the place."""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from connectors.net.addresses import shown
from connectors.net.http import web_host
from connectors.protocol import Since
from connectors.providers.web_pages import Page, page_body, page_text, read_page, version_of
from connectors.providers.web_site import Site
from connectors.reading.file_text import FileText, UnreadableError
from schema.documents import Document, Skipped, Unchanged
from schema.errors import ConnectorError


@dataclass(frozen=True)
class Target:
    """An address to ask for, and what is known of it."""

    url: str
    uri: str
    """Of its document; that of the address where it is not known."""
    validator: str = ""
    """Of the version that is known, if nothing but the body is wanted from it."""
    depth: int = 0
    lastmod: str = ""
    known: bool = False
    """Whether it need not be asked for."""


@dataclass(frozen=True)
class Visit:
    """What came of it."""

    target: Target
    uri: str
    change: Document | Unchanged | Skipped | None = None
    """None where there is an error, or the page does not want to be held."""
    validator: str = ""
    """Of the version that was read or met again."""
    links: tuple[str, ...] = ()
    error: ConnectorError | None = None

    @property
    def absent(self) -> bool:
        """Whether there is no such page any more."""
        return self.error is not None and self.error.code == "connector_absent"


@dataclass(frozen=True)
class Version:
    """What a document's version is made of."""

    mark: str = ""
    """Of the place: two places on one site must not take each other's pages for gone."""
    lastmod: str = ""
    """By the sitemap, if there is one."""
    validator: str = ""

    def __str__(self) -> str:
        return f"{self.mark} {self.lastmod} {self.validator}"


class Visitor:
    """Visits the pages of one place.

    Attributes:
        mark: of the place.
    """

    def __init__(self, site: Site, since: Since) -> None:
        """Args: site: where to ask. since: what is known."""
        self.mark = blake2b(since.place.encode(), digest_size=4).hexdigest()
        self._site = site
        self._since = since

    def held(self, uri: str) -> Version:
        """The version that the library holds of a document, empty if it has none."""
        parts = self._since.versions.get(uri, "").split(" ", 2)
        return Version(*parts) if len(parts) == 3 else Version()

    async def visit(self, target: Target) -> Visit:
        """Ask for a page, and read it if it changed."""
        unchanged = Unchanged(uri=target.uri)
        if target.known:
            return Visit(target, target.uri, unchanged)
        root = self._since.root
        try:
            answer = await self._site.get(
                target.url, page_body, within=root, validator=target.validator
            )
        except ConnectorError as error:
            return Visit(target, target.uri, error=error)
        if answer.body is None:
            return Visit(target, target.uri, unchanged, target.validator)
        validator = version_of(answer)
        known = self.held(target.uri).validator == validator
        try:
            page = await read_page(answer, root, text=not known)
            if not page.held:
                return Visit(target, page.uri, links=tuple(page.links))
            change = await self._change(page, validator, target.lastmod)
        except UnreadableError as error:
            reason = f"{shown(answer.url)}: {error}"
            return Visit(target, target.uri, Skipped(uri=target.uri, reason=reason))
        except Exception as error:  # noqa: BLE001  (what a page does to its readers costs that page)
            reason = f"{shown(answer.url)}: it could not be read ({type(error).__name__})"
            return Visit(target, target.uri, Skipped(uri=target.uri, reason=reason))
        return Visit(target, page.uri, change, validator, tuple(page.links))

    async def _change(
        self, page: Page, validator: str, lastmod: str
    ) -> Document | Unchanged | Skipped:
        version = str(Version(self.mark, lastmod, validator))
        if self._since.versions.get(page.uri) == version:
            return Unchanged(uri=page.uri)
        root = self._since.root
        if page.uri != root and not page.uri.startswith(f"{root}/"):
            reason = f"{shown(page.url)} is a variant of {shown(root)} and not below it"
            return Skipped(uri=page.uri, reason=reason)
        try:
            found = await page_text(page)
        except UnreadableError as error:
            return Skipped(uri=page.uri, reason=f"{shown(page.url)}: {error}")
        return _document(page, version, found)


def _document(page: Page, version: str, found: FileText) -> Document:
    name = PurePosixPath(unquote(urlsplit(page.url).path)).name
    return Document(
        uri=page.uri,
        url=page.url,
        text=found.text,
        connector="web",
        title=found.title or name or web_host(page.url),
        author=found.author,
        site=found.site or web_host(page.url),
        published=found.published,
        fetched=datetime.now(UTC),
        version=version,
        aliases=found.aliases,
        superseded=found.superseded,
    )
