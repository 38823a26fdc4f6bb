"""Asking Notion's API: listings over all pages, and what it does not show."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import quote

from connectors.http.client import Api, base_url
from connectors.http.errors import HIDDEN, bad_response_error, find_or_none
from connectors.json_fields import get_fields, get_records, get_string
from connectors.protocol import Limits
from schema.errors import ConnectorError

KEY = "NOTION_TOKEN"
VERSION = "2025-09-03"
"""Of the API: the first in which a database has sources, whose rows its pages are."""
PAGE_SIZE = 100
"""Records of one answer, the most that Notion gives."""
MAX_DEPTH = 12
"""Blocks inside of each other that are still read; people's pages stay below six."""

_ENDPOINTS = {
    "page_id": "pages",
    "block_id": "blocks",
    "data_source_id": "data_sources",
    "database_id": "databases",
}
_EDITED_ASCENDING = {"timestamp": "last_edited_time", "direction": "ascending"}
_EDITED_DESCENDING = {"timestamp": "last_edited_time", "direction": "descending"}
_CREATED_ASCENDING = {"timestamp": "created_time", "direction": "ascending"}


ResultT = TypeVar("ResultT")


class CutOffError(Exception):
    """A listing was longer than the 10,000 records that Notion gives of one."""


class NotionApi(Api):
    """Notion's API, while the context is open. Names of users are asked for once."""

    def __init__(self, limits: Limits) -> None:
        """Args: limits: of the connector."""
        url, headers = base_url("notion", "https://api.notion.com"), {"Notion-Version": VERSION}
        super().__init__(
            "Notion", f"{url}/v1", key=KEY, bearer=True, headers=headers, limits=limits
        )
        self._users = dict[str, str]()

    async def get_thing(self, kind: str, id_: str) -> dict[str, Any]:
        """What an id stands for, by the kind that a `parent` names it with, as `page_id`."""
        return await self.get(f"/{_ENDPOINTS[kind]}/{quote(id_, safe='')}")

    async def list_everything(self) -> AsyncIterator[dict[str, Any]]:
        """The sources of all databases, then all pages.

        Raises:
            CutOffError: after 20,000 pages, where there are more.
        """
        for kind in ("data_source", "page"):
            asked, newest = {"filter": {"property": "object", "value": kind}}, ""
            try:
                async for thing in self._list("/search", asked | {"sort": _EDITED_ASCENDING}):
                    newest = max(newest, get_string(thing, "last_edited_time"))
                    yield thing
            except CutOffError:  # the rest from the other end
                async for thing in self._list("/search", asked | {"sort": _EDITED_DESCENDING}):
                    if get_string(thing, "last_edited_time") < newest:
                        break
                    yield thing

    async def list_rows(self, source: str) -> AsyncIterator[dict[str, Any]]:
        """All rows of a database's source: what is cut off goes on from the last row."""
        path, first = f"/data_sources/{quote(source, safe='')}/query", ""
        while True:
            begin = {"timestamp": "created_time", "created_time": {"on_or_after": first}}
            last, given = first, {"filter": begin} if first else {}
            try:
                async for row in self._list(path, {"sorts": [_CREATED_ASCENDING], **given}):
                    last = get_string(row, "created_time") or last
                    yield row
            except CutOffError:
                if last == first:
                    raise
                first = last
            else:
                return

    async def get_page(self, id_: str) -> dict[str, Any] | None:
        """A page; None where it went, lies in the trash, or is not shared with us any more."""
        page = await find_or_none(self.get_thing("page_id", id_))
        return None if page is None or is_trashed(page) else page

    async def get_blocks(self, id_: str, depth: int = 0) -> list[dict[str, Any]]:
        """What a page or a block holds; pages and databases below it are not entered."""
        found = list[dict[str, Any]]()
        with suppress(CutOffError):
            async for block in self._list(f"/blocks/{quote(id_, safe='')}/children"):
                found.append(block)
        for block in found:
            opened = get_string(block, "type") not in ("child_page", "child_database")
            if block.get("has_children") is True and opened and depth < MAX_DEPTH:
                inside = self.get_blocks(get_string(block, "id"), depth + 1)
                block["children"] = await find_shown(inside) or []  # of some copies none is shown
        return found

    async def get_user_name(self, id_: str) -> str:
        """The name of a user; "" where Notion does not tell it."""
        if id_ and id_ not in self._users:
            found = await find_shown(self.get(f"/users/{quote(id_, safe='')}"))
            self._users[id_] = get_string(found, "name")
        return self._users.get(id_, "")

    async def _list(
        self, path: str, body: dict[str, Any] | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """The records of a listing, over all pages; one that takes a body is asked with POST.

        Raises:
            CutOffError: after all that Notion gives, where there is more.
        """
        cursor, cut = "", False
        while True:
            page = {"page_size": PAGE_SIZE} | ({"start_cursor": cursor} if cursor else {})
            answer = await (self.post(path, body | page) if body else self.get(path, **page))
            before, cursor = cursor, get_string(answer, "next_cursor")
            more = answer.get("has_more") is True
            if not isinstance(answer.get("results"), list) or (more and cursor in ("", before)):
                raise bad_response_error("Notion")
            cut = cut or get_string(answer, "request_status", "type") == "incomplete"
            for record in get_records(answer["results"]):
                yield record
            if not more:
                break
        if cut:
            raise CutOffError


async def find_shown(call: Awaitable[ResultT]) -> ResultT | None:
    """What a call finds; None where Notion has, or shows, no such thing: it may say HTTP 400."""
    return await find_or_none(call, HIDDEN, 400)


def is_trashed(thing: dict[str, Any]) -> bool:
    """Whether a page or a database's source lies in the trash."""
    return thing.get("in_trash") is True or thing.get("archived") is True


def find_parent(thing: dict[str, Any]) -> tuple[str, str]:
    """Kind and id of what holds a page, a block or a database; empty at the top."""
    holder = get_fields(thing.get("parent"))
    kinds = ("page_id", "block_id", "data_source_id", "database_id")
    return next(((kind, id_) for kind in kinds if (id_ := get_string(holder, kind))), ("", ""))


def is_not_shown(error: ConnectorError) -> bool:
    """Whether Notion answered that it has, or shows, no such thing: it also does so by HTTP 400."""
    return error.code in HIDDEN or error.status == 400
