"""One user's search space, as nodes and connectors use it."""

import asyncio
from collections.abc import Callable, Sequence

from library import embed, read
from library import search as searching
from library import store as storing
from library.database import Database, database
from library.prepare import clean, prepare, storable
from library.search import Filters, Found
from library.store import Stored
from models.embeddings import Embedder, embedder
from schema.context import SearchMode
from schema.documents import Document, DocumentInfo, Passage

LOCAL_USER = "local"
"""Owner of the rows where nobody logs in: the command line, a notebook, a server without auth."""


class Library:
    """Documents and chunks of one user and one search space. Make it with `open_library`."""

    def __init__(self, opened: Database, user: str, space: str, model: Embedder | None) -> None:
        self._database = opened
        self.user = user
        self.space = space
        self.embedder = model

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

    async def search(
        self,
        query: str,
        *,
        limit: int,
        filters: Filters | None = None,
        mode: SearchMode = "chunks",
    ) -> Found:
        """Find passages; see `library.search.search`."""
        async with self._database.session(self.user) as connection:
            return await searching.search(
                connection,
                self.user,
                self.space,
                query,
                limit=limit,
                embedder=self.embedder,
                filters=filters,
                mode=mode,
            )

    async def passages(self, ids: Sequence[int]) -> dict[int, Passage]:
        """Chunks by id; an unknown id is absent."""
        async with self._database.session(self.user) as connection:
            return await read.passages(connection, ids)

    async def documents(self, ids: Sequence[int]) -> dict[int, DocumentInfo]:
        """Documents by id, without their texts."""
        async with self._database.session(self.user) as connection:
            return await read.documents(connection, ids)

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
