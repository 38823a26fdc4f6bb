"""Asking for one page of a location, and what it means for the library that holds the location."""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from connectors.files.file_text import FileText, UnreadableError
from connectors.http.client import web_host
from connectors.http.redact import redact_url
from connectors.indexed.web.pages import (
    FetchedPage,
    compute_version,
    extract_page_text,
    parse_page,
    read_body,
)
from connectors.indexed.web.site import WebsiteClient
from connectors.protocol import SyncState
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
    def is_absent(self) -> bool:
        """Whether there is no such page any more."""
        return self.error is not None and self.error.code == "connector_absent"


@dataclass(frozen=True)
class PageVersion:
    """What a document's version is made of."""

    source_id: str = ""
    """Of the location: two places on one site must not take each other's pages for gone."""
    lastmod: str = ""
    """By the sitemap, if there is one."""
    validator: str = ""

    def __str__(self) -> str:
        return f"{self.source_id} {self.lastmod} {self.validator}"


class Visitor:
    """Visits the pages of one location.

    Attributes:
        source_id: of the location.
    """

    def __init__(self, site: WebsiteClient, since: SyncState) -> None:
        """Args: site: where to ask. since: what is known."""
        self.source_id = blake2b(since.location.encode(), digest_size=4).hexdigest()
        self._site = site
        self._since = since

    def get_version(self, uri: str) -> PageVersion:
        """The version that the library holds of a document, empty if it has none."""
        parts = self._since.versions.get(uri, "").split(" ", 2)
        return PageVersion(*parts) if len(parts) == 3 else PageVersion()

    async def visit(self, target: Target) -> Visit:
        """Ask for a page, and read it if it changed."""
        unchanged = Unchanged(uri=target.uri)
        if target.known:
            return Visit(target, target.uri, unchanged)
        root = self._since.root
        try:
            answer = await self._site.get(
                target.url, read_body, within=root, validator=target.validator
            )
        except ConnectorError as error:
            return Visit(target, target.uri, error=error)
        if answer.body is None:
            return Visit(target, target.uri, unchanged, target.validator)
        validator = compute_version(answer)
        known = self.get_version(target.uri).validator == validator
        try:
            page = await parse_page(answer, root, text=not known)
            if not page.is_indexable:
                return Visit(target, page.uri, links=tuple(page.links))
            change = await self._read_change(page, validator, target.lastmod)
        except UnreadableError as error:
            reason = f"{redact_url(answer.url)}: {error}"
            return Visit(target, target.uri, Skipped(uri=target.uri, reason=reason))
        except Exception as error:  # noqa: BLE001  (what a page does to its readers costs that page)
            reason = f"{redact_url(answer.url)}: it could not be read ({type(error).__name__})"
            return Visit(target, target.uri, Skipped(uri=target.uri, reason=reason))
        return Visit(target, page.uri, change, validator, tuple(page.links))

    async def _read_change(
        self, page: FetchedPage, validator: str, lastmod: str
    ) -> Document | Unchanged | Skipped:
        version = str(PageVersion(self.source_id, lastmod, validator))
        if self._since.versions.get(page.uri) == version:
            return Unchanged(uri=page.uri)
        root = self._since.root
        if page.uri != root and not page.uri.startswith(f"{root}/"):
            reason = f"{redact_url(page.url)} is a variant of {redact_url(root)} and not below it"
            return Skipped(uri=page.uri, reason=reason)
        try:
            found = await extract_page_text(page)
        except UnreadableError as error:
            return Skipped(uri=page.uri, reason=f"{redact_url(page.url)}: {error}")
        return _build_document(page, version, found)


def _build_document(page: FetchedPage, version: str, found: FileText) -> Document:
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
        links=page.originals,
        superseded=found.superseded,
    )
