"""`confluence`: the pages of a space, through Confluence Cloud's REST API."""

import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from connectors.files.dates import iso_date
from connectors.files.tree_path import join_tree_path
from connectors.http.client import web_host
from connectors.http.errors import HIDDEN, bad_response_error, find_or_none
from connectors.indexed.atlassian.client import (
    EMAIL,
    TOKEN,
    AtlassianApi,
    unknown_name_error,
)
from connectors.indexed.atlassian.restrictions import list_readers
from connectors.indexed.atlassian.text import convert_adf
from connectors.indexed.listing import sync_listing
from connectors.json_fields import get_string
from connectors.protocol import Limits, SyncingConnector, SyncState, name_readers
from schema.documents import Change, Document, Skipped

PAGE_SIZE = 250
"""Pages of one page of the listing, the most that Confluence gives."""
BATCH_SIZE = 25
"""Pages whose text is read at once."""
MAX_DEPTH = 50
"""Pages and folders above each other that are named in a path."""


class _PageNode(NamedTuple):
    title: str
    parent: str
    kind: str
    """Of the parent: page, folder, whiteboard, ..."""


class Confluence(SyncingConnector):
    """A space's current pages. Archived, trashed and deleted ones are removed here."""

    name = "confluence"
    description = "pages of a Confluence space"
    document_description = (
        "a page: `confluence://SITE/SPACE/ID`, its title, author, address and date of creation, at "
        "space/pages above it/page"
    )
    tells_readers = True
    required_variables = ("QUIRE_CONFLUENCE_BASE_URL", EMAIL, TOKEN)
    limits = Limits(concurrency=4)

    async def find_root(self, location: str) -> str:
        """The space of this key, as in `ENG`."""
        async with AtlassianApi("Confluence", self.limits) as confluence:
            await _find_space(confluence, location)
        return f"confluence://{web_host(confluence.url)}/{location}"

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """List all pages with their versions, and read those that are new."""
        async with AtlassianApi("Confluence", self.limits) as confluence:
            space = await _find_space(confluence, since.location)
            nodes = dict[str, _PageNode]()
            fetcher = _PageFetcher(confluence, since.root, get_string(space, "name"), nodes)

            readers = await list_readers(confluence, since.location) if since.acl else {}

            async def list_pages() -> AsyncIterator[tuple[str, str, str]]:
                async for page in _list_pages(confluence, get_string(space, "id")):
                    nodes.setdefault(page["id"], _parse_node(page))
                    yield f"{since.root}/{page['id']}", _get_version(page), page["id"]

            def find_readers(page: str) -> tuple[str, ...]:
                return readers.get(page, ())  # what the search does not know yet is nobody's

            async def fetch(ids: list[str]) -> list[Change]:
                changes = await fetcher.fetch(ids)
                told = [find_readers(page) if since.acl else None for page in ids]
                return [name_readers(*one) for one in zip(changes, told, strict=True)]

            async for change in sync_listing(
                since, list_pages(), fetch, BATCH_SIZE, self.limits.concurrency, find_readers
            ):
                yield change


class _PageFetcher:
    """Reads pages, and saves what it learns of folders and people on the way."""

    def __init__(
        self,
        confluence: AtlassianApi,
        root: str,
        space: str,
        nodes: dict[str, _PageNode],
    ) -> None:
        self._confluence = confluence
        self._root = root
        self._space = space
        self._nodes = nodes
        self._names: dict[str, str] = {}

    async def fetch(self, ids: list[str]) -> list[Change]:
        """What became of listed pages. Confluence leaves out what vanished meanwhile."""
        answer = await self._confluence.get(
            "/wiki/api/v2/pages",
            id=",".join(ids),
            status="current",
            limit=len(ids),
            **{"body-format": "atlas_doc_format"},
        )
        pages = {
            get_string(page, "id"): page for page in self._confluence.get_records(answer, "results")
        }
        await self._learn_names({get_string(page, "authorId") for page in pages.values()})
        return [await self._build_change(one, pages.get(one)) for one in ids]

    async def _build_change(self, identity: str, page: dict[str, Any] | None) -> Change:
        uri, title = f"{self._root}/{identity}", self._nodes[identity].title
        text = _parse_text(page)
        if page is None or text is None or not _get_version(page):
            reason = f"{title or identity}: Confluence lists it, but did not hand it over"
            return Skipped(uri=uri, reason=reason)
        above = await self._find_ancestors(_parse_node(page))
        title = get_string(page, "title") or title
        return Document(
            uri=uri,
            url=f"{self._confluence.url}/wiki{get_string(page, '_links', 'webui')}",
            title=title,
            author=self._names.get(get_string(page, "authorId"), ""),
            site="Confluence",
            text=text,
            connector=Confluence.name,
            published=iso_date(get_string(page, "createdAt")),
            version=_get_version(page),
            path=join_tree_path(self._space, *above, title),
        )

    async def _find_ancestors(self, node: _PageNode) -> list[str]:
        """Titles of the pages and folders above a page, the highest first."""
        titles = list[str]()
        while node.parent and len(titles) < MAX_DEPTH:
            if node.parent not in self._nodes:
                self._nodes[node.parent] = await self._fetch_parent(node)
            node = self._nodes[node.parent]
            titles.append(node.title)
        return [title for title in reversed(titles) if title]

    async def _fetch_parent(self, node: _PageNode) -> _PageNode:
        """A parent that is no page of the listing; only folders are asked for."""
        found = None
        if node.kind == "folder":
            call = self._confluence.get(f"/wiki/api/v2/folders/{node.parent}")
            found = await find_or_none(call, HIDDEN)
        return _parse_node(found or {})

    async def _learn_names(self, people: set[str]) -> None:
        """Names of accounts; an account that must not ask for them reads pages without authors."""
        unknown = sorted(people - self._names.keys() - {""})
        if not unknown:
            return
        call = self._confluence.post("/wiki/api/v2/users-bulk", {"accountIds": unknown})
        answer = await find_or_none(call, HIDDEN)
        found = self._confluence.get_records(answer, "results") if answer is not None else []
        self._names |= dict.fromkeys(unknown, "")
        self._names |= {
            get_string(one, "accountId"): get_string(one, "displayName") for one in found
        }


async def _find_space(confluence: AtlassianApi, key: str) -> dict[str, Any]:
    """The space of this key.

    Raises:
        InputError: there is none; names those that there are, but for people's own.
    """
    path = "/wiki/api/v2/spaces"
    if key:
        answer = await confluence.get(path, keys=key)
        for space in confluence.get_records(answer, "results"):
            if get_string(space, "key") == key and get_string(space, "id"):
                return space
    answer = await confluence.get(path, limit=PAGE_SIZE, status="current")
    there_are = [get_string(space, "key") for space in confluence.get_records(answer, "results")]
    raise unknown_name_error(
        "Confluence", "space", key, [one for one in there_are if one[:1] != "~"]
    )


async def _list_pages(confluence: AtlassianApi, space: str) -> AsyncIterator[dict[str, Any]]:
    """Pages without their texts."""
    cursor, last = None, ""
    while True:
        answer = await confluence.get(
            f"/wiki/api/v2/spaces/{space}/pages", status="current", limit=PAGE_SIZE, cursor=cursor
        )
        for page in confluence.get_records(answer, "results"):
            if not get_string(page, "id") or not _get_version(page):
                raise bad_response_error("Confluence")
            yield page
        if not (following := get_string(answer, "_links", "next")):
            return
        cursor = parse_qs(urlsplit(following).query).get("cursor", [""])[0]
        if not cursor or cursor == last:  # it would never end
            raise bad_response_error("Confluence")
        last = cursor


def _parse_node(record: dict[str, Any]) -> _PageNode:
    return _PageNode(
        get_string(record, "title"),
        get_string(record, "parentId"),
        get_string(record, "parentType"),
    )


def _get_version(page: dict[str, Any]) -> str:
    """Its number and its parent: a page that is moved keeps its number. "" where there is none."""
    version = page.get("version")
    number = version.get("number") if isinstance(version, dict) else None
    return f"{number} {get_string(page, 'parentId')}".strip() if isinstance(number, int) else ""


def _parse_text(page: dict[str, Any] | None) -> str | None:
    """A page's text, which is JSON inside of JSON; None where it did not come."""
    try:
        return convert_adf(json.loads(get_string(page, "body", "atlas_doc_format", "value")))
    except (ValueError, RecursionError):
        return None
