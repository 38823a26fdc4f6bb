"""`confluence`: the pages of a space, through Confluence Cloud's REST API."""

import json
from collections.abc import AsyncIterator
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qs, urlsplit

from connectors.net.ahead import ahead
from connectors.net.http import web_host
from connectors.net.refusals import unreadable
from connectors.protocol import Limits, Since
from connectors.providers.atlassian import EMAIL, TOKEN, Site, none_such, site
from connectors.providers.atlassian_text import atlassian_text
from connectors.reading.dates import iso_date
from connectors.reading.places import tree_place
from connectors.reading.records import word
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError

PAGE = 250
"""Pages of one page of the listing, the most that Confluence gives."""
PART = 25
"""Pages whose text is read at once."""
DEEPEST = 50
"""Pages and folders above each other that are named in a path."""


class _Place(NamedTuple):
    title: str
    parent: str
    kind: str
    """Of the parent: page, folder, whiteboard, ..."""


class Confluence:
    """A space's current pages. Archived, trashed and deleted ones are removed here."""

    name = "confluence"
    kind: Literal["indexed"] = "indexed"
    reads = "pages of a Confluence space"
    document = (
        "a page: `confluence://SITE/SPACE/ID`, its title, author, address and day of creation, at "
        "space/pages above it/page"
    )
    needs = ("QUIRE_CONFLUENCE_BASE_URL", EMAIL, TOKEN)
    package = ""
    languages = ()
    limits = Limits(concurrency=4)

    async def root(self, place: str) -> str:
        """The space of this key, as in `ENG`."""
        url = site(self.name)
        async with Site("Confluence", url, self.limits) as confluence:
            await _space(confluence, place)
        return f"confluence://{web_host(url)}/{place}"

    async def sync(self, since: Since) -> AsyncIterator[Change]:
        """List all pages with their versions, and read those that are new."""
        url = site(self.name)
        async with Site("Confluence", url, self.limits) as confluence:
            space = await _space(confluence, since.place)
            wanted, seen, places = list[str](), set[str](), dict[str, _Place]()
            async for page in _listed(confluence, word(space, "id")):
                uri = f"{since.root}/{page['id']}"
                if uri in seen:  # it moved from one part of the listing to the next
                    continue
                seen.add(uri)
                places[page["id"]] = _place(page)
                if since.versions.get(uri) == _version(page):
                    yield Unchanged(uri=uri)
                else:
                    wanted.append(page["id"])
            reader = _Reader(confluence, url, since.root, word(space, "name"), places)
            parts = [wanted[start : start + PART] for start in range(0, len(wanted), PART)]
            async for changes in ahead(parts, reader.read, self.limits.concurrency):
                for change in changes:
                    yield change
        for uri in since.versions.keys() - seen:
            yield Gone(uri=uri)


class _Reader:
    """Reads pages. What it learns on the way of folders and people it keeps."""

    def __init__(
        self, confluence: Site, url: str, root: str, space: str, places: dict[str, _Place]
    ) -> None:
        self._confluence = confluence
        self._url = url
        self._root = root
        self._space = space
        self._places = places
        self._names: dict[str, str] = {}

    async def read(self, ids: list[str]) -> list[Change]:
        """What became of listed pages. Confluence leaves out what vanished meanwhile."""
        answer = await self._confluence.get(
            "/wiki/api/v2/pages",
            id=",".join(ids),
            status="current",
            limit=len(ids),
            **{"body-format": "atlas_doc_format"},
        )
        pages = {word(page, "id"): page for page in self._confluence.records(answer, "results")}
        await self._learn_names({word(page, "authorId") for page in pages.values()})
        return [await self._change(one, pages.get(one)) for one in ids]

    async def _change(self, identity: str, page: dict[str, Any] | None) -> Change:
        uri, title = f"{self._root}/{identity}", self._places[identity].title
        text = _text(page)
        if page is None or text is None or not _version(page):
            reason = f"{title or identity}: Confluence lists it, but did not hand it over"
            return Skipped(uri=uri, reason=reason)
        above = await self._above(_place(page))
        title = word(page, "title") or title
        return Document(
            uri=uri,
            url=f"{self._url}/wiki{word(page, '_links', 'webui')}",
            title=title,
            author=self._names.get(word(page, "authorId"), ""),
            site="Confluence",
            text=text,
            connector=Confluence.name,
            published=iso_date(word(page, "createdAt")),
            version=_version(page),
            path=tree_place(self._space, *above, title),
        )

    async def _above(self, place: _Place) -> list[str]:
        """Titles of the pages and folders above a page, the highest first."""
        titles = list[str]()
        while place.parent and len(titles) < DEEPEST:
            if place.parent not in self._places:
                self._places[place.parent] = await self._unlisted(place)
            place = self._places[place.parent]
            titles.append(place.title)
        return [title for title in reversed(titles) if title]

    async def _unlisted(self, place: _Place) -> _Place:
        """A parent that is no page of the listing; only folders are asked for."""
        try:
            if place.kind == "folder":
                return _place(await self._confluence.get(f"/wiki/api/v2/folders/{place.parent}"))
        except ConnectorError as error:
            if error.code not in ("connector_absent", "connector_refused"):
                raise
        return _Place("", "", "")

    async def _learn_names(self, people: set[str]) -> None:
        """Names of accounts; an account that must not ask for them reads pages without authors."""
        unknown = sorted(people - self._names.keys() - {""})
        found = list[dict[str, Any]]()
        try:
            if unknown:
                answer = await self._confluence.post(
                    "/wiki/api/v2/users-bulk", {"accountIds": unknown}
                )
                found = self._confluence.records(answer, "results")
        except ConnectorError as error:
            if error.code not in ("connector_absent", "connector_refused"):
                raise
        self._names |= dict.fromkeys(unknown, "")
        self._names |= {word(one, "accountId"): word(one, "displayName") for one in found}


async def _space(confluence: Site, key: str) -> dict[str, Any]:
    """The space of this key.

    Raises:
        InputError: there is none; names those that there are, but for people's own.
    """
    path = "/wiki/api/v2/spaces"
    if key:
        answer = await confluence.get(path, keys=key)
        for space in confluence.records(answer, "results"):
            if word(space, "key") == key and word(space, "id"):
                return space
    answer = await confluence.get(path, limit=PAGE, status="current")
    there_are = [word(space, "key") for space in confluence.records(answer, "results")]
    raise none_such("Confluence", "space", key, [one for one in there_are if one[:1] != "~"])


async def _listed(confluence: Site, space: str) -> AsyncIterator[dict[str, Any]]:
    """Pages without their texts."""
    cursor, last = None, ""
    while True:
        answer = await confluence.get(
            f"/wiki/api/v2/spaces/{space}/pages", status="current", limit=PAGE, cursor=cursor
        )
        for page in confluence.records(answer, "results"):
            if not word(page, "id") or not _version(page):
                raise unreadable("Confluence")
            yield page
        if not (following := word(answer, "_links", "next")):
            return
        cursor = parse_qs(urlsplit(following).query).get("cursor", [""])[0]
        if not cursor or cursor == last:  # it would never end
            raise unreadable("Confluence")
        last = cursor


def _place(record: dict[str, Any]) -> _Place:
    return _Place(word(record, "title"), word(record, "parentId"), word(record, "parentType"))


def _version(page: dict[str, Any]) -> str:
    """Its number and its parent: a page that is moved keeps its number. "" where there is none."""
    version = page.get("version")
    number = version.get("number") if isinstance(version, dict) else None
    return f"{number} {word(page, 'parentId')}".strip() if isinstance(number, int) else ""


def _text(page: dict[str, Any] | None) -> str | None:
    """A page's text, which is JSON inside of JSON; None where it did not come."""
    try:
        return atlassian_text(json.loads(word(page, "body", "atlas_doc_format", "value")))
    except (ValueError, RecursionError):
        return None
