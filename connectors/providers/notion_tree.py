"""Where Notion's pages stand: which the place holds, and by which titles the way leads there."""

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from connectors.providers.notion_text import title, word
from connectors.providers.notion_web import Web, parent, trashed, unshown
from connectors.reading.places import tree_place
from schema.errors import ConnectorError

ID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}(?![0-9a-f])")
UNTITLED = "Untitled"
HIGHEST = 100
"""Steps to the top of the tree: more would be a circle."""


@dataclass(frozen=True, slots=True)
class Node:
    """A page, or what holds pages."""

    title: str
    above: tuple[str, str]
    """Kind and id of what holds it."""
    version: str = ""
    """Of a page that was listed."""


class Tree:
    """Where pages stand. What no listing shows is asked for: blocks that hold pages."""

    def __init__(self, web: Web, top: str) -> None:
        """Args: web: to ask. top: the id of the place; "" for all of the workspace."""
        self._web = web
        self._top = top
        self.nodes = dict[str, Node]()
        self._sources = dict[str, None]()

    @property
    def is_database(self) -> bool:
        """Whether the place is a database, once it was listed."""
        return self._top in self.nodes and not self.nodes[self._top].version

    def add(self, thing: dict[str, Any]) -> tuple[str, str]:
        """Note a page or a database's source that is listed; its id and version.

        A database has the title of its source, so it counts as a step without one.
        """
        id_, version = word(thing, "id"), ""
        if ID.fullmatch(id_) and not trashed(thing):
            above = parent(thing)
            if word(thing, "object") == "data_source":
                self._sources[id_] = None
                if holder := thing.get("database_parent"):
                    above = "database_id", word(thing, "parent", "database_id")
                    self.nodes[above[1]] = Node("", parent({"parent": holder}))
            else:
                version = word(thing, "last_edited_time")
            self.nodes[id_] = Node(title(thing), above, version)
        return id_, version

    def pages(self) -> dict[str, str]:
        """The versions of the pages that were listed, by id."""
        return {id_: node.version for id_, node in self.nodes.items() if node.version}

    async def sources(self) -> AsyncIterator[str]:
        """The sources of databases that the place holds."""
        for id_ in list(self._sources):
            if await self.held(id_):
                yield id_

    async def held(self, id_: str) -> str:
        """The id again, where the place holds it; else ""."""
        return id_ if not self._top or self._top in await self._way(id_) else ""

    async def path(self, id_: str) -> str:
        """The titles from the top down to a page."""
        titles = [self.nodes[one].title for one in reversed(await self._way(id_))]
        return tree_place(*(one for one in titles[:-1] if one), titles[-1] or UNTITLED)

    async def _way(self, id_: str) -> list[str]:
        """The ids from a page up to the top."""
        way = [id_]
        while len(way) < HIGHEST:
            kind, above = self.nodes[way[-1]].above
            if not above:
                break
            if above not in self.nodes:
                self.nodes[above] = await self._asked(kind, above)
            way.append(above)
        return way

    async def _asked(self, kind: str, id_: str) -> Node:
        """What a listing did not show; the end of the way, where it is not shared with us."""
        client = self._web.client
        calls: dict[str, Callable[..., Any]] = {
            "page_id": client.pages.retrieve,
            "block_id": client.blocks.retrieve,
            "data_source_id": client.data_sources.retrieve,
            "database_id": client.databases.retrieve,
        }
        try:
            found = await self._web.ask(calls[kind], **{kind: id_})
        except ConnectorError as error:
            if not unshown(error):
                raise
            found = {}
        return Node("" if kind == "database_id" else title(found), parent(found))
