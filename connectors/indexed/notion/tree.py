"""Where Notion's pages stand: which the location holds, and by which titles the way leads there."""

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from connectors.files.tree_path import join_tree_path
from connectors.indexed.notion.client import NotionClient, find_parent, is_not_shown, is_trashed
from connectors.indexed.notion.text import get_title
from connectors.json_fields import get_string
from schema.errors import ConnectorError

ID_PATTERN = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}(?![0-9a-f])")
UNTITLED = "Untitled"
MAX_ANCESTORS = 100
"""Steps to the top of the tree: more would be a circle."""


@dataclass(frozen=True, slots=True)
class NotionNode:
    """A page, or what holds pages."""

    title: str
    parent: tuple[str, str]
    """Kind and id of what holds it."""
    version: str = ""
    """Of a page that was listed."""


class NotionTree:
    """Where pages stand. What no listing shows is asked for: blocks that hold pages."""

    def __init__(self, web: NotionClient, top: str) -> None:
        """Args: web: to ask. top: the id of the location; "" for all of the workspace."""
        self._web = web
        self._top = top
        self.nodes = dict[str, NotionNode]()
        self._sources = dict[str, None]()

    @property
    def is_database(self) -> bool:
        """Whether the location is a database, once it was listed."""
        return self._top in self.nodes and not self.nodes[self._top].version

    def add(self, thing: dict[str, Any]) -> tuple[str, str]:
        """Note a page or a database's source that is listed; its id and version.

        A database has the title of its source, so it counts as a step without one.
        """
        id_, version = get_string(thing, "id"), ""
        if ID_PATTERN.fullmatch(id_) and not is_trashed(thing):
            above = find_parent(thing)
            if get_string(thing, "object") == "data_source":
                self._sources[id_] = None
                if holder := thing.get("database_parent"):
                    above = "database_id", get_string(thing, "parent", "database_id")
                    self.nodes[above[1]] = NotionNode("", find_parent({"parent": holder}))
            else:
                version = get_string(thing, "last_edited_time")
            self.nodes[id_] = NotionNode(get_title(thing), above, version)
        return id_, version

    def get_pages(self) -> dict[str, str]:
        """The versions of the pages that were listed, by id."""
        return {id_: node.version for id_, node in self.nodes.items() if node.version}

    async def list_sources(self) -> AsyncIterator[str]:
        """The sources of databases that the location holds."""
        for id_ in list(self._sources):
            if await self.find_inside(id_):
                yield id_

    async def find_inside(self, id_: str) -> str:
        """The id again, where the location holds it; else ""."""
        return id_ if not self._top or self._top in await self._find_ancestors(id_) else ""

    async def build_path(self, id_: str) -> str:
        """The titles from the top down to a page."""
        titles = [self.nodes[one].title for one in reversed(await self._find_ancestors(id_))]
        return join_tree_path(*(one for one in titles[:-1] if one), titles[-1] or UNTITLED)

    async def _find_ancestors(self, id_: str) -> list[str]:
        """The ids from a page up to the top."""
        way = [id_]
        while len(way) < MAX_ANCESTORS:
            kind, above = self.nodes[way[-1]].parent
            if not above:
                break
            if above not in self.nodes:
                self.nodes[above] = await self._fetch_node(kind, above)
            way.append(above)
        return way

    async def _fetch_node(self, kind: str, id_: str) -> NotionNode:
        """What a listing did not show; the end of the way, where it is not shared with us."""
        client = self._web.client
        calls: dict[str, Callable[..., Any]] = {
            "page_id": client.pages.retrieve,
            "block_id": client.blocks.retrieve,
            "data_source_id": client.data_sources.retrieve,
            "database_id": client.databases.retrieve,
        }
        try:
            found = await self._web.request(calls[kind], **{kind: id_})
        except ConnectorError as error:
            if not is_not_shown(error):
                raise
            found = {}
        return NotionNode("" if kind == "database_id" else get_title(found), find_parent(found))
