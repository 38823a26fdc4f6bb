"""`web`: the pages of a website, by following its links or by its sitemap."""

import json
from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

from connectors.http.prefetch import prefetch
from connectors.http.redact import redact_url
from connectors.indexed.web.crawl import Target, Visit, Visitor
from connectors.indexed.web.site import CONCURRENCY, WebsiteClient, to_request_url
from connectors.indexed.web.sitemaps import is_sitemap, list_entries
from connectors.protocol import Limits, SyncingConnector, SyncState
from retrieval.web.canonical_url import normalise_url
from schema.documents import Change, Checkpoint, Gone, Skipped
from schema.errors import InputError

MAX_PAGES = 500
"""Addresses that a crawl asks for at most; a larger site is read by its sitemap."""
MAX_DEPTH = 5
"""Links that a crawl follows one after the other."""
MAX_FAILURES = 10
"""Pages in a row without an answer that stand for a site that is down."""
SITEMAP_READ = "listed"
"""Cursor once a sitemap was gone through: from then on its `lastmod` is believed."""


class Web(SyncingConnector):
    """Pages at or below an address, or those of a sitemap.

    A crawl asks again for every address that the last one reached, so that it finds what only an
    unchanged page links to. A page is gone where its server says so, where the sitemap no longer
    names it, or where a crawl from anew (`--full`) no longer comes to it.
    """

    name = "web"
    description = "pages of a website, by their links or a sitemap"
    document_description = "a page: its address, title, author, site and date of publication"
    limits = Limits(concurrency=CONCURRENCY)

    async def find_root(self, location: str) -> str:
        """The page, for a sitemap the start of its site. Nothing is asked."""
        if not (url := to_request_url(location)):
            raise InputError(
                f"'{redact_url(location)}' is no public page: write its address, as "
                "https://example.org/docs/, or that of a sitemap, as "
                "https://example.org/sitemap.xml."
            )
        parts = urlsplit(url)
        return normalise_url(f"{parts.scheme}://{parts.netloc}" if is_sitemap(parts.path) else url)

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """Ask for every page, for known ones whether they changed."""
        async with WebsiteClient(self.limits) as site:
            run = _WebSync(site, since)
            by_sitemap = is_sitemap(urlsplit(run.start).path)
            async for change in run.read_sitemap() if by_sitemap else run.crawl():
                yield change


class _WebSync:
    """One sync."""

    def __init__(self, site: WebsiteClient, since: SyncState) -> None:
        self.start = to_request_url(since.location)
        self._site = site
        self._since = since
        self._visitor = Visitor(site, since)
        self._seen: set[str] = set()
        self._absent: set[str] = set()
        self._failed = 0
        self._has_failures = False

    async def crawl(self) -> AsyncIterator[Change]:
        """Breadth first from the start page, and again to all that the last crawl reached.

        The cursor holds what that was: an address is only asked whether it changed if its links
        were followed, in the very version that the library holds.
        """
        levels: list[list[Target]] = [[] for _ in range(MAX_DEPTH + 1)]
        met: set[str] = set()

        def add(target: Target) -> None:
            uri = normalise_url(target.url)
            if uri not in met and len(met) < MAX_PAGES and target.depth <= MAX_DEPTH:
                met.add(uri)
                levels[target.depth].append(target)

        last: dict[str, tuple[int, str, str]] = json.loads(self._since.cursor or "{}")
        first = {self.start: (0, self._since.root, "")}
        for url, (depth, uri, validator) in {**first, **last}.items():
            followed = validator == self._visitor.get_version(uri).validator
            add(Target(url, uri, validator if followed else "", depth))
        reached: dict[str, tuple[int, str, str]] = {}
        for targets in levels:
            targets.sort(key=lambda target: "?" in target.url)  # variants of a page come last
            async for visit in prefetch(targets, self._visitor.visit, CONCURRENCY):
                depth = visit.target.depth
                if visit.error and depth == 0:
                    raise visit.error
                for change in self._handle_visit(visit):
                    yield change
                if not visit.is_absent:
                    reached[visit.target.url] = (depth, visit.uri, visit.validator)
                for link in visit.links:
                    add(Target(link, normalise_url(link), depth=depth + 1))
        if len(met) == MAX_PAGES:
            limit = f"only {MAX_PAGES} pages are read; name the sitemap of a larger site"
            reason = f"{redact_url(self.start)}: {limit}"
            yield Skipped(uri=self._since.root, reason=reason)
        for uri in self._find_gone(all_met=not self._has_failures):
            yield Gone(uri=uri)
        yield Checkpoint(cursor=json.dumps(reached))

    async def read_sitemap(self) -> AsyncIterator[Change]:
        """Every page that the sitemap names, unless its `lastmod` is what it was."""
        async for visit in prefetch(self._list_targets(), self._visitor.visit, CONCURRENCY):
            for change in self._handle_visit(visit):
                yield change
        for uri in self._find_gone(all_met=True):
            yield Gone(uri=uri)
        yield Checkpoint(cursor=SITEMAP_READ)

    async def _list_targets(self) -> AsyncIterator[Target]:
        met: set[str] = set()
        async for entry in list_entries(self._site, self.start):
            uri = normalise_url(entry.url)
            if uri in met:
                continue
            met.add(uri)
            held = self._visitor.get_version(uri)
            believed = bool(entry.lastmod) and self._since.cursor == SITEMAP_READ
            known = believed and entry.lastmod == held.lastmod
            yield Target(entry.url, uri, held.validator, 0, entry.lastmod, known)

    def _handle_visit(self, visit: Visit) -> Iterator[Change]:
        """What a visit means for the library.

        Raises:
            ConnectorError: it is one failure too many: the site is down.
        """
        error = visit.error
        is_retryable = error and (error.retryable or error.code == "connector_timeout")
        self._has_failures |= bool(is_retryable or (error and error.code == "connector_refused"))
        self._failed = self._failed + 1 if is_retryable else 0
        if error and self._failed == MAX_FAILURES:
            raise error
        if error and not visit.is_absent:
            self._seen.add(visit.uri)
            yield Skipped(uri=visit.uri, reason=str(error))
        elif not visit.change:
            self._absent.add(visit.uri)
        elif visit.uri not in self._seen:  # a page may have several addresses
            self._seen.add(visit.uri)
            yield visit.change

    def _find_gone(self, *, all_met: bool) -> Iterator[str]:
        """Documents that this location had and no longer has.

        Args:
            all_met: whether what was not met is gone too.
        """
        for uri in self._since.versions.keys() - self._seen:
            mine = self._visitor.get_version(uri).source_id == self._visitor.source_id
            if mine and (all_met or uri in self._absent):
                yield uri
