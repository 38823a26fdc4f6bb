"""One user's search space, as nodes and connectors use it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from library import reads
from library import saved_reports as reports
from library import synced_sources as registering
from library.database.connections import Database, open_database
from library.database.spaces import find_space
from library.index import embed_missing as embed
from library.index import folders
from library.index import write as storing
from library.index.prepare import clean_text, clean_texts, prepare_document
from library.index.read_code import read_code
from library.index.write import StoreResult
from library.saved_reports import ReportVersion, RunStart, SavedReport, SectionMaterial
from library.search import pipeline as searching
from library.synced_sources import SyncedSource
from models.embeddings import Embedder, get_embedder
from schema.documents import ChunkPlace, Document, DocumentInfo, Passage
from schema.report import Report
from schema.search import Part, SearchOptions, SearchResult
from text import language

LOCAL_USER = "local"
"""Owner of the rows where nobody logs in: the command line, a notebook, a server without auth."""


class Library:
    """Documents and chunks of one user and one search space. Make it with `open_library`."""

    def __init__(self, opened: Database, user: str, space: str, model: Embedder | None) -> None:
        self._database = opened
        self.user = user
        self.space = space
        self.embedder = model

    def open_part(self, name: Part) -> "Library":
        """What this space keeps beside its sources; see `library.memory`."""
        return Library(self._database, self.user, f"{self.space}~{name}", self.embedder)

    async def store(self, documents: Sequence[Document]) -> list[StoreResult]:
        """Insert or update documents.

        See `library.index.write.store_documents`. Later doubles of a uri win.
        """
        distinct = list({clean_text(document.uri): document for document in documents}.values())
        codes = await asyncio.gather(*map(read_code, distinct))
        prepared = await asyncio.to_thread(lambda: list(map(prepare_document, distinct, codes)))
        async with self._database.session(self.user) as connection:
            return await storing.store_documents(connection, self.user, self.space, prepared)

    async def remove(self, uris: Sequence[str]) -> int:
        """Delete documents by uri; returns how many there were."""
        async with self._database.session(self.user) as connection:
            return await storing.remove_documents(
                connection, self.user, self.space, clean_texts(uris)
            )

    async def remove_fetched_before(self, before: datetime, most: int) -> int:
        """Delete documents that were fetched before a moment, the oldest first; returns how many.

        Args:
            before: the moment.
            most: documents that are deleted at once.
        """
        async with self._database.session(self.user) as connection:
            uris = await reads.find_fetched_before(connection, self.user, self.space, before, most)
            return (
                await storing.remove_documents(connection, self.user, self.space, uris)
                if uris
                else 0
            )

    async def embed_missing(self, progress: Callable[[int], None] | None = None) -> int:
        """Make the vectors that are missing, if a model is configured; returns how many."""
        if self.embedder is None:
            return 0
        async with self.hold_lock("embedding"):  # nothing is paid for twice
            return await embed.embed_missing(
                self._database, self.user, self.space, self.embedder, progress=progress
            )

    async def refresh_tree(self) -> int:
        """Bring the folders' abstracts up to date; returns how many changed."""
        return await folders.refresh_folders(self._database, self.user, self.space)

    async def load_folder(self, path: str = "", *, offset: int = 0) -> folders.Folder | None:
        """A folder of the tree with what it holds; "" is the whole library."""
        async with self._database.session(self.user) as connection:
            space = await find_space(connection, self.user, self.space)
            return (
                await folders.load_folder(connection, space, path, offset=offset) if space else None
            )

    async def search(self, query: str, options: SearchOptions | None = None) -> SearchResult:
        """Find passages; see `library.search.pipeline.search`."""
        return await searching.search(
            self._database, self.user, self.space, query, options or SearchOptions(), self.embedder
        )

    async def load_passages(self, ids: Sequence[int]) -> dict[int, Passage]:
        """Chunks by id; an unknown id is absent."""
        async with self._database.session(self.user) as connection:
            return await reads.load_passages(connection, self.user, ids)

    async def load_layouts(self, documents: Sequence[int]) -> dict[int, list[ChunkPlace]]:
        """The chunks of documents in the order of the text; an unknown id is absent."""
        async with self._database.session(self.user) as connection:
            return await reads.load_layouts(connection, self.user, documents)

    async def load_spans(self, wanted: Sequence[reads.DocumentSpan]) -> list[str]:
        """Texts of spans of documents, in order; "" of one that is not there."""
        async with self._database.session(self.user) as connection:
            return await reads.load_spans(connection, self.user, wanted)

    async def find_chunks_over(self, wanted: Sequence[reads.DocumentSpan]) -> dict[int, int]:
        """The document of each chunk that a span touches, by chunk."""
        async with self._database.session(self.user) as connection:
            return await reads.find_chunks_over(connection, self.user, wanted)

    async def load_documents(self, ids: Sequence[int]) -> dict[int, DocumentInfo]:
        """Documents by id, without their texts."""
        async with self._database.session(self.user) as connection:
            return await reads.load_documents(connection, self.user, ids)

    async def look_up(self, name: str) -> list[DocumentInfo]:
        """Documents whose uri, url, place in the tree, full title or alias this is, best first."""
        async with self._database.session(self.user) as connection:
            return await reads.look_up(connection, self.user, self.space, name)

    async def load_text(self, uri: str) -> str | None:
        """The stored text of a document; None if there is no such document."""
        async with self._database.session(self.user) as connection:
            return await reads.load_text(connection, self.user, self.space, clean_text(uri))

    async def find_stored(self, uris: Sequence[str]) -> dict[str, reads.DocumentRecord]:
        """What the space holds of some uris."""
        async with self._database.session(self.user) as connection:
            return await reads.find_stored(connection, self.user, self.space, clean_texts(uris))

    async def load_versions(self, connector: str, roots: Sequence[str]) -> dict[str, str]:
        """Version by uri of what a connector stored at or below some uris."""
        async with self._database.session(self.user) as connection:
            roots = clean_texts(roots)
            return await reads.load_versions(connection, self.user, self.space, connector, roots)

    @asynccontextmanager
    async def hold_lock(self, connector: str, location: str = "") -> AsyncIterator[None]:
        """Waits until nobody else, in any process, works on this source, and keeps it so."""
        async with self._database.hold_lock(self.user, self.space, connector, location):
            yield

    async def add_source(self, connector: str, location: str) -> None:
        """Make a source, unless it is there."""
        async with self._database.session(self.user) as connection:
            await registering.add_source(connection, self.user, self.space, connector, location)

    async def load_source(self, connector: str, location: str) -> SyncedSource:
        """A source as it stands; one that nobody added stands as new."""
        async with self._database.session(self.user) as connection:
            found = await registering.load_source(
                connection, self.user, self.space, connector, location
            )
        return found or SyncedSource(connector=connector, location=location)

    async def list_sources(self) -> list[SyncedSource]:
        """The sources of the space, by name."""
        async with self._database.session(self.user) as connection:
            return await registering.list_sources(connection, self.user, self.space)

    async def update_source(self, source: SyncedSource) -> None:
        """Write down how far a source came."""
        async with self._database.session(self.user) as connection:
            await registering.update_source(connection, self.user, self.space, source)

    async def remove_source(self, connector: str, location: str) -> int | None:
        """Forget a source and its documents, but for those that another source brings too.

        Returns:
            How many documents went; None where there is no such source.
        """
        async with self._database.session(self.user) as connection:
            uris = await registering.remove_source(
                connection, self.user, self.space, connector, location
            )
            if uris is None:
                return None
            return await storing.remove_documents(connection, self.user, self.space, uris)

    async def begin_report(self, question: str, run: RunStart) -> str:
        """Note that a report is being written; returns its id."""
        async with self._database.session(self.user) as connection:
            return await reports.begin_report(connection, self.user, self.space, question, run)

    async def note_run(self, identity: str, run: RunStart) -> None:
        """Write down how a report was started."""
        async with self._database.session(self.user) as connection:
            await reports.note_run(connection, self.user, identity, run)

    async def save_report(
        self, report: Report, material: Sequence[SectionMaterial], thread: str, run: RunStart
    ) -> None:
        """Keep the first version of a report; see `library.saved_reports.save_report`."""
        async with self._database.session(self.user) as connection:
            await reports.save_report(
                connection, self.user, self.space, report, material, thread, run
            )

    async def save_version(
        self, report: Report, material: Sequence[SectionMaterial], note: str
    ) -> None:
        """Keep a further version of a report; see `library.saved_reports.save_version`."""
        async with self._database.session(self.user) as connection:
            await reports.save_version(connection, self.user, report, material, note)

    async def load_report(self, identity: str, version: int | None = None) -> SavedReport | None:
        """A version of a report of any space, the newest where None."""
        async with self._database.session(self.user) as connection:
            return await reports.load_report(connection, self.user, identity, version)

    async def list_reports(self) -> list[ReportVersion]:
        """The newest version of each of the user's reports, in all spaces."""
        async with self._database.session(self.user) as connection:
            return await reports.list_reports(connection, self.user)

    async def list_report_versions(self, identity: str) -> list[ReportVersion]:
        """The versions of a report, the first one first."""
        async with self._database.session(self.user) as connection:
            return await reports.list_versions(connection, self.user, identity)

    async def remove_report(self, identity: str) -> int:
        """Forget a report; returns how many versions there were."""
        async with self._database.session(self.user) as connection:
            return await reports.remove_report(connection, self.user, identity)

    async def count(self) -> tuple[int, int]:
        """(documents, chunks) of the space."""
        async with self._database.session(self.user) as connection:
            return await reads.count_stored(connection, self.user, self.space)


async def open_library(space: str = "default", user: str = LOCAL_USER) -> Library:
    """Open a search space of the library that the settings name.

    Raises:
        LibraryError: the database cannot be used.
        InputError: the embedding model's name cannot be used.
    """
    if not language.is_model_loaded():  # a search needs it, and would load it on the event loop
        await asyncio.to_thread(language.load_model)
    return Library(await open_database(), user, space, get_embedder())
