"""`web`: the pages of a website, by following its links or by its sitemap."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Literal
from urllib.parse import urlsplit

from connectors.net.addresses import shown
from connectors.net.ahead import ahead
from connectors.protocol import Limits, Since
from connectors.providers.web_site import AT_ONCE, Site, web_address
from connectors.providers.web_sitemaps import is_sitemap, listed
from connectors.providers.web_visits import Target, Visit, Visitor
from retrieval.pages import page_uri
from schema.documents import Change, Checkpoint, Gone, Skipped
from schema.errors import InputError

PAGES = 500
"""Addresses that a crawl asks for at most; a larger site is read by its sitemap."""
DEPTH = 5
"""Links that a crawl follows one after the other."""
FAILURES = 10
"""Pages in a row without an answer that stand for a site that is down."""
LISTED = "listed"
"""Cursor once a sitemap was gone through: from then on its `lastmod` is believed."""


class Web:
    """Pages at or below an address, or those of a sitemap.

    A crawl asks again for every address that the last one reached, so that it finds what only an
    unchanged page links to. A page is gone where its server says so, where the sitemap no longer
    names it, or where a crawl from anew (`--full`) no longer comes to it.
    """

    name = "web"
    kind: Literal["indexed"] = "indexed"
    reads = "pages of a website, by their links or a sitemap"
    document = "a page: its address, title, author, site and day of publication"
    needs = ()
    package = ""
    languages = ()
    limits = Limits(concurrency=AT_ONCE)

    async def root(self, place: str) -> str:
        """The page, for a sitemap the start of its site. Nothing is asked."""
        if not (url := web_address(place)):
            raise InputError(
                f"'{shown(place)}' is no public page: write its address, as "
                "https://example.org/docs/, or that of a sitemap, as "
                "https://example.org/sitemap.xml."
            )
        parts = urlsplit(url)
        return page_uri(f"{parts.scheme}://{parts.netloc}" if is_sitemap(parts.path) else url)

    async def sync(self, since: Since) -> AsyncIterator[Change]:
        """Ask for every page, for known ones whether they changed."""
        async with Site(self.limits) as site:
            run = _Run(site, since)
            by_sitemap = is_sitemap(urlsplit(run.start).path)
            async for change in run.by_sitemap() if by_sitemap else run.by_links():
                yield change


class _Run:
    """One sync."""

    def __init__(self, site: Site, since: Since) -> None:
        self.start = web_address(since.place)
        self._site = site
        self._since = since
        self._visitor = Visitor(site, since)
        self._seen: set[str] = set()
        self._absent: set[str] = set()
        self._failed = 0
        self._lost = False

    async def by_links(self) -> AsyncIterator[Change]:
        """Breadth first from the start page, and again to all that the last crawl reached.

        The cursor holds what that was: an address is only asked whether it changed if its links
        were followed, in the very version that the library holds.
        """
        levels: list[list[Target]] = [[] for _ in range(DEPTH + 1)]
        met: set[str] = set()

        def add(target: Target) -> None:
            uri = page_uri(target.url)
            if uri not in met and len(met) < PAGES and target.depth <= DEPTH:
                met.add(uri)
                levels[target.depth].append(target)

        last: dict[str, tuple[int, str, str]] = json.loads(self._since.cursor or "{}")
        first = {self.start: (0, self._since.root, "")}
        for url, (depth, uri, validator) in {**first, **last}.items():
            followed = validator == self._visitor.held(uri).validator
            add(Target(url, uri, validator if followed else "", depth))
        reached: dict[str, tuple[int, str, str]] = {}
        for targets in levels:
            targets.sort(key=lambda target: "?" in target.url)  # variants of a page come last
            async for visit in ahead(targets, self._visitor.visit, AT_ONCE):
                depth = visit.target.depth
                if visit.error and depth == 0:
                    raise visit.error
                for change in self._taken(visit):
                    yield change
                if not visit.absent:
                    reached[visit.target.url] = (depth, visit.uri, visit.validator)
                for link in visit.links:
                    add(Target(link, page_uri(link), depth=depth + 1))
        if len(met) == PAGES:
            told = f"only {PAGES} pages are read; name the sitemap of a larger site"
            reason = f"{shown(self.start)}: {told}"
            yield Skipped(uri=self._since.root, reason=reason)
        for uri in self._gone(all_met=not self._lost):
            yield Gone(uri=uri)
        yield Checkpoint(cursor=json.dumps(reached))

    async def by_sitemap(self) -> AsyncIterator[Change]:
        """Every page that the sitemap names, unless its `lastmod` is what it was."""
        async for visit in ahead(self._targets(), self._visitor.visit, AT_ONCE):
            for change in self._taken(visit):
                yield change
        for uri in self._gone(all_met=True):
            yield Gone(uri=uri)
        yield Checkpoint(cursor=LISTED)

    async def _targets(self) -> AsyncIterator[Target]:
        met: set[str] = set()
        async for entry in listed(self._site, self.start):
            uri = page_uri(entry.url)
            if uri in met:
                continue
            met.add(uri)
            held = self._visitor.held(uri)
            believed = bool(entry.lastmod) and self._since.cursor == LISTED
            known = believed and entry.lastmod == held.lastmod
            yield Target(entry.url, uri, held.validator, 0, entry.lastmod, known)

    def _taken(self, visit: Visit) -> Iterator[Change]:
        """What a visit means for the library.

        Raises:
            ConnectorError: it is one failure too many: the site is down.
        """
        error = visit.error
        passing = error and (error.passing or error.code == "connector_timeout")
        self._lost |= bool(passing or (error and error.code == "connector_refused"))
        self._failed = self._failed + 1 if passing else 0
        if error and self._failed == FAILURES:
            raise error
        if error and not visit.absent:
            self._seen.add(visit.uri)
            yield Skipped(uri=visit.uri, reason=str(error))
        elif not visit.change:
            self._absent.add(visit.uri)
        elif visit.uri not in self._seen:  # a page may have several addresses
            self._seen.add(visit.uri)
            yield visit.change

    def _gone(self, *, all_met: bool) -> Iterator[str]:
        """Documents that this place brought and no longer has.

        Args:
            all_met: whether what was not met is gone too.
        """
        for uri in self._since.versions.keys() - self._seen:
            mine = self._visitor.held(uri).mark == self._visitor.mark
            if mine and (all_met or uri in self._absent):
                yield uri
