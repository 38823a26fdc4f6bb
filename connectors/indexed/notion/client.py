"""Asking Notion's API through Notion's own client: tries, limits and failures as elsewhere."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

import httpx

from connectors.http import client as http
from connectors.http.client import base_url
from connectors.http.errors import bad_response_error, to_connector_error
from connectors.http.retries import call_with_retries
from connectors.json_fields import get_fields, get_records, get_string
from connectors.protocol import Limits
from schema.concurrency import get_semaphore
from schema.errors import ConnectorError
from schema.settings import read_variable

if TYPE_CHECKING:
    from notion_client import AsyncClient

KEY = "NOTION_TOKEN"
VERSION = "2025-09-03"
"""Of the API: the first in which a database has sources, whose rows its pages are."""
PAGE_SIZE = 100
"""Records of one answer, the most that Notion gives."""
MAX_DEPTH = 12
"""Blocks inside of each other that are still read; people's pages stay below six."""

_NOT_SHOWN = {"connector_absent", "connector_refused"}
_EDITED_ASCENDING = {"timestamp": "last_edited_time", "direction": "ascending"}
_EDITED_DESCENDING = {"timestamp": "last_edited_time", "direction": "descending"}
_CREATED_ASCENDING = {"timestamp": "created_time", "direction": "ascending"}


class CutOffError(Exception):
    """A listing was longer than the 10,000 records that Notion gives of one."""


class NotionClient:
    """Notion's API, while the context is open."""

    client: "AsyncClient"
    """Its methods are given to `ask` and `all`."""

    def __init__(self, limits: Limits) -> None:
        """Args: limits: of the connector."""
        self._limits = limits
        self._users = dict[str, str]()

    async def __aenter__(self) -> Self:
        from notion_client import AsyncClient  # noqa: PLC0415  (an extra)

        self._http = http.make_raising_client("Notion", KEY)
        self.client = AsyncClient(
            client=self._http,
            auth=read_variable(KEY),
            base_url=base_url("notion", "https://api.notion.com"),
            notion_version=VERSION,
            timeout_ms=int(http.SECONDS * 2000),  # the shorter deadline below is the one that ends
            retry=False,
            logger=logging.Logger("notion"),
            log_level=logging.CRITICAL,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def list_everything(self) -> AsyncIterator[dict[str, Any]]:
        """The sources of all databases, then all pages.

        Raises:
            CutOffError: after 20,000 pages, where there are more.
        """
        for kind in ("data_source", "page"):
            only, newest = {"property": "object", "value": kind}, ""
            try:
                async for thing in self.iterate_records(
                    self.client.search, filter=only, sort=_EDITED_ASCENDING
                ):
                    newest = max(newest, get_string(thing, "last_edited_time"))
                    yield thing
            except CutOffError:  # the rest from the other end
                async for thing in self.iterate_records(
                    self.client.search, filter=only, sort=_EDITED_DESCENDING
                ):
                    if get_string(thing, "last_edited_time") < newest:
                        break
                    yield thing

    async def list_rows(self, source: str) -> AsyncIterator[dict[str, Any]]:
        """All rows of a database's source: what is cut off goes on from the last row."""
        query, first = self.client.data_sources.query, ""
        while True:
            begin = {"timestamp": "created_time", "created_time": {"on_or_after": first}}
            last, given = first, {"filter": begin} if first else {}
            try:
                async for row in self.iterate_records(
                    query, data_source_id=source, sorts=[_CREATED_ASCENDING], **given
                ):
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
        try:
            page = await self.request(self.client.pages.retrieve, page_id=id_)
        except ConnectorError as error:
            if error.code != "connector_absent":
                raise
            return None
        return None if is_trashed(page) else page

    async def get_blocks(self, id_: str, depth: int = 0) -> list[dict[str, Any]]:
        """What a page or a block holds; pages and databases below it are not entered."""
        found = list[dict[str, Any]]()
        with suppress(CutOffError):
            async for block in self.iterate_records(self.client.blocks.children.list, block_id=id_):
                found.append(block)
        for block in found:
            opened = get_string(block, "type") not in ("child_page", "child_database")
            if block.get("has_children") is True and opened and depth < MAX_DEPTH:
                block["children"] = await self._get_children(get_string(block, "id"), depth + 1)
        return found

    async def _get_children(self, id_: str, depth: int) -> list[dict[str, Any]]:
        """Blocks inside of a block; none where Notion does not show them, as of some copies."""
        try:
            return await self.get_blocks(id_, depth)
        except ConnectorError as error:
            if not is_not_shown(error):
                raise
            return []

    async def get_user_name(self, id_: str) -> str:
        """The name of a user; "" where Notion does not tell it."""
        if id_ and id_ not in self._users:
            try:
                found = await self.request(self.client.users.retrieve, user_id=id_)
            except ConnectorError as error:
                if not is_not_shown(error):
                    raise
                found = {}
            self._users[id_] = get_string(found, "name")
        return self._users.get(id_, "")

    async def iterate_records(
        self, call: Callable[..., Any], **given: Any
    ) -> AsyncIterator[dict[str, Any]]:
        """The records of a listing, over all pages.

        Raises:
            CutOffError: after the last that Notion gives, where there are more.
        """
        cursor, cut = "", False
        while True:
            answer = await self.request(
                call, page_size=PAGE_SIZE, start_cursor=cursor or None, **given
            )
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

    async def request(self, call: Callable[..., Any], **given: Any) -> dict[str, Any]:
        """What a method answers.

        Raises:
            ConnectorError: it refused, or did not answer, after all tries.
        """
        return await call_with_retries(
            lambda _: self._request_once(call, given), self._limits.attempts
        )

    async def _request_once(
        self, call: Callable[..., Any], given: dict[str, Any]
    ) -> dict[str, Any]:
        from notion_client.errors import NotionClientErrorBase  # noqa: PLC0415

        try:
            async with get_semaphore("requests of Notion", self._limits.concurrency):
                async with asyncio.timeout(http.SECONDS):
                    answer = await call(**given)
        except (
            ConnectorError,
            NotionClientErrorBase,
            httpx.HTTPError,
            httpx.InvalidURL,
            OSError,
            RecursionError,
            ValueError,
        ) as error:
            raise to_connector_error("Notion", KEY, error) from None
        if not isinstance(answer, dict):
            raise bad_response_error("Notion")
        return answer


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
    return error.code in _NOT_SHOWN or error.status == 400
