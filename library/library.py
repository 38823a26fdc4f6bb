"""One user's search space, as nodes and connectors use it."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING

from library.report_answers import ReportAnswers
from library.saved_reports import SavedReports
from library.session import Session, clean_text
from library.stored_documents import StoredDocuments, StoreResult
from library.synced_sources import SyncedSources
from models.embeddings import Embedder, get_embedder
from retrieval.search.bm25 import NO_COUNTS, TermCounts
from schema.access import KEEPER, LOCAL_USER
from schema.documents import Document, DocumentInfo
from schema.errors import ModelUnavailableError
from schema.search import Part, SearchOptions, SearchResult
from text import language

if TYPE_CHECKING:
    from library.database.connections import Database

_log = logging.getLogger("quire")


class Library(StoredDocuments, SyncedSources, SavedReports, ReportAnswers):
    """Documents and chunks of one user and one search space. Make it with `open_library`."""

    def __init__(
        self,
        opened: "Database",
        user: str,
        space: str,
        model: Embedder | None,
        names: Sequence[str] = (),
        thread: str = "",
    ) -> None:
        super().__init__(opened, user, space, names)
        self.embedder = model
        self.thread = thread

    def open_part(self, name: Part) -> "Library":
        """What this space keeps beside its sources; see `library.memory`."""
        part = f"{self.space}~{name}"
        return Library(self.database, self.user, part, self.embedder, self.names, self.thread)

    async def store(
        self, documents: Sequence[Document], *, more_follow: bool = False
    ) -> list[StoreResult]:
        """Insert or update documents; of several with one uri the last counts.

        See `library.index.write.store_documents`. Where `more_follow`, `merge_postings` is called
        after the last of them; until then searches find all, and take longer.
        """
        from library.index.prepare import prepare_documents
        from library.index.read_code import read_code
        from library.index.write import store_documents

        distinct = list({clean_text(document.uri): document for document in documents}.values())
        codes = await asyncio.gather(*map(read_code, distinct))
        prepared = await asyncio.to_thread(prepare_documents, distinct, codes)
        async with self.connect_keeper() as connection:
            return await store_documents(
                connection, self.user, self.space, prepared, more_follow=more_follow
            )

    async def merge_postings(self) -> None:
        """End what was stored while more was to follow; see `library.index.buffered_postings`."""
        from library.index.write import merge_postings

        async with self.connect_keeper() as connection:
            await merge_postings(connection, self.user, self.space)

    async def set_readers(self, readers: Mapping[str, Sequence[str]]) -> int:
        """Have documents, by uri, read by others than before; returns how many are.

        It holds at once, also for the reports that were written from them.
        """
        from library.database.spaces import lock_space
        from library.index.readers import assign_readers

        if not readers:
            return 0
        async with self.connect_keeper() as connection:
            space = await lock_space(connection, self.user, self.space)
            cursor = await connection.execute(
                "SELECT d.id, d.uri FROM quire.documents d "
                "JOIN quire.spaces s ON s.id = d.space_id "
                "WHERE s.user_id = %(user)s AND s.name = %(space)s AND d.uri = ANY(%(uris)s)",
                {"user": self.user, "space": self.space, "uris": list(readers)},
            )
            named = {identity: readers[uri] for identity, uri in await cursor.fetchall()}
            return await assign_readers(connection, space, named)

    async def remove(self, uris: Sequence[str]) -> int:
        """Delete documents by uri; returns how many there were."""
        from library.index.write import remove_documents

        async with self.connect_keeper() as connection:
            cleaned = [clean_text(uri) for uri in uris]
            return await remove_documents(connection, self.user, self.space, cleaned)

    async def remove_fetched_before(self, before: datetime, most: int) -> int:
        """Delete documents that were fetched before a moment, the oldest first; returns how many.

        Args:
            before: the moment.
            most: documents that are deleted at once.
        """
        from library.index.write import remove_documents

        async with self.connect_keeper() as connection:
            cursor = await connection.execute(
                "SELECT d.uri FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id "
                "WHERE s.user_id = %s AND s.name = %s AND d.fetched < %s "
                "ORDER BY d.fetched LIMIT %s",
                (self.user, self.space, before, most),
            )
            uris = [uri for [uri] in await cursor.fetchall()]
            return await remove_documents(connection, self.user, self.space, uris)

    async def embed_missing(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Make the vectors that are missing, if a model is configured; returns how many.

        None are made where a model of this machine is not there: words find what is stored.
        """
        from library.index.embed_missing import embed_missing

        if self.embedder is None:
            return 0
        try:
            await self.embedder.prepare()
        except ModelUnavailableError as error:
            _log.warning("%s Until then only words are searched.", error)
            return 0
        keeper = Session(self.database, self.user, self.space, (KEEPER,))
        async with self.hold_lock("embedding"):  # nothing is paid for twice
            return await embed_missing(keeper, self.embedder, progress)

    async def search(self, query: str, options: SearchOptions | None = None) -> SearchResult:
        """Find passages; see `library.search.pipeline.search`."""
        from library.search.pipeline import search

        return await search(self, query, options or SearchOptions(), self.embedder)

    async def count_terms(self, terms: Collection[str]) -> TermCounts:
        """How many chunks there are, and how many of them hold each term."""
        from library.database.spaces import find_space
        from library.index import postings
        from text.tokens import hash_term

        async with self.connect() as connection:
            space = await find_space(connection, self.user, self.space)
            if space is None:
                return NO_COUNTS
            ids = {term: hash_term(term) for term in terms}
            held = await postings.count_holding(connection, space, list(ids.values()))
            return TermCounts(space.chunks, {term: held.get(ids[term], 0) for term in ids})

    async def look_up(self, name: str) -> list[DocumentInfo]:
        """Documents whose uri, url, place in the tree, full title or alias this is, best first."""
        from library.database.spaces import find_space
        from library.search.retrievers import find_by_name

        async with self.connect() as connection:
            space = await find_space(connection, self.user, self.space)
            ids = await find_by_name(connection, space, name) if space else []
        found = await self.load_documents(ids)
        return [found[identity] for identity in ids if identity in found]


async def open_library(
    space: str = "default",
    user: str = LOCAL_USER,
    names: Sequence[str] = (),
    thread: str = "",
) -> Library:
    """Open a search space of the library that the settings name.

    Args:
        space: its name.
        user: its owner.
        names: of who reads, `Member.names`; without them a group's documents that not all of its
            members may read are not seen.
        thread: of the run that it is opened for; see `library.readers`.

    Raises:
        LibraryError: the database cannot be used.
        InputError: the embedding model's name cannot be used.
    """
    if not language.is_model_loaded():
        await asyncio.to_thread(_load)
    from library.database.connections import open_database

    return Library(await open_database(), user, space, get_embedder(), names, thread)


def _load() -> None:
    """Load what a library needs, which takes too long for an event loop."""
    import_module("library.index.write")
    import_module("library.search.pipeline")
    language.load_model()
