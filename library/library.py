"""One user's search space, as nodes and connectors use it."""

import asyncio
from collections.abc import Callable, Sequence

from library import embed, read, tree
from library import search as searching
from library import store as storing
from library.database import Database, database
from library.prepare import clean, prepare, storable
from library.spaces import find_space
from library.store import Stored
from models.embeddings import Embedder, embedder
from schema.documents import Document, DocumentInfo, Passage
from schema.search import Found, Part, SearchOptions

LOCAL_USER = "local"
"""Owner of the rows where nobody logs in: the command line, a notebook, a server without auth."""


class Library:
    """Documents and chunks of one user and one search space. Make it with `open_library`."""

    def __init__(self, opened: Database, user: str, space: str, model: Embedder | None) -> None:
        self._database = opened
        self.user = user
        self.space = space
        self.embedder = model

    def part(self, name: Part) -> "Library":
        """What this space keeps beside its sources; see `library.recall`."""
        return Library(self._database, self.user, f"{self.space}~{name}", self.embedder)

    async def store(self, documents: Sequence[Document]) -> list[Stored]:
        """Insert or update documents; see `library.store.store`. Later doubles of a uri win."""
        distinct = list({storable(document.uri): document for document in documents}.values())
        prepared = await asyncio.to_thread(lambda: [prepare(document) for document in distinct])
        async with self._database.session(self.user) as connection:
            return await storing.store(connection, self.user, self.space, prepared)

    async def remove(self, uris: Sequence[str]) -> int:
        """Delete documents by uri; returns how many there were."""
        async with self._database.session(self.user) as connection:
            return await storing.remove(connection, self.user, self.space, clean(uris))

    async def embed_missing(self, progress: Callable[[int], None] | None = None) -> int:
        """Make the vectors that are missing, if a model is configured; returns how many."""
        if self.embedder is None:
            return 0
        return await embed.embed_missing(
            self._database, self.user, self.space, self.embedder, progress=progress
        )

    async def refresh_tree(self) -> int:
        """Bring the folders' abstracts up to date; returns how many changed."""
        return await tree.refreshed(self._database, self.user, self.space)

    async def folder(self, path: str = "", *, offset: int = 0) -> tree.Folder | None:
        """A folder of the tree with what it holds; "" is the whole library."""
        async with self._database.session(self.user) as connection:
            space = await find_space(connection, self.user, self.space)
            return await tree.folder(connection, space, path, offset=offset) if space else None

    async def search(self, query: str, options: SearchOptions | None = None) -> Found:
        """Find passages; see `library.search.search`."""
        return await searching.search(
            self._database, self.user, self.space, query, options or SearchOptions(), self.embedder
        )

    async def passages(self, ids: Sequence[int]) -> dict[int, Passage]:
        """Chunks by id; an unknown id is absent."""
        async with self._database.session(self.user) as connection:
            return await read.passages(connection, ids)

    async def documents(self, ids: Sequence[int]) -> dict[int, DocumentInfo]:
        """Documents by id, without their texts."""
        async with self._database.session(self.user) as connection:
            return await read.documents(connection, ids)

    async def lookup(self, name: str) -> list[DocumentInfo]:
        """Documents whose uri, url, place in the tree, full title or alias this is, best first."""
        async with self._database.session(self.user) as connection:
            return await read.lookup(connection, self.user, self.space, name)

    async def text(self, uri: str) -> str | None:
        """The stored text of a document; None if there is no such document."""
        async with self._database.session(self.user) as connection:
            return await read.text(connection, storable(uri), self.space)

    async def versions(self, connector: str, roots: Sequence[str]) -> dict[str, str]:
        """Version by uri of what a connector stored at or below some uris."""
        async with self._database.session(self.user) as connection:
            return await read.versions(connection, self.space, connector, clean(roots))

    async def count(self) -> tuple[int, int]:
        """(documents, chunks) of the space."""
        async with self._database.session(self.user) as connection:
            return await read.count(connection, self.space)


async def open_library(space: str = "default", user: str = LOCAL_USER) -> Library:
    """Open a search space of the library that the settings name.

    Raises:
        LibraryError: the database cannot be used.
        InputError: the embedding model's name cannot be used.
    """
    return Library(await database(), user, space, embedder())
