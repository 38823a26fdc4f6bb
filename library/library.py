"""One user's search space, as nodes and connectors use it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from library import embed, read, reports, tree
from library import search as searching
from library import sources as registering
from library import store as storing
from library.code import read_code
from library.database import Database, database
from library.prepare import clean, prepare, storable
from library.reports import KeptReport, Material, ReportVersion
from library.sources import Source
from library.spaces import find_space
from library.store import Stored
from models.embeddings import Embedder, embedder
from retrieval import language
from schema.documents import Document, DocumentInfo, Passage
from schema.report import Report
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
        codes = await asyncio.gather(*map(read_code, distinct))
        prepared = await asyncio.to_thread(lambda: list(map(prepare, distinct, codes)))
        async with self._database.session(self.user) as connection:
            return await storing.store(connection, self.user, self.space, prepared)

    async def remove(self, uris: Sequence[str]) -> int:
        """Delete documents by uri; returns how many there were."""
        async with self._database.session(self.user) as connection:
            return await storing.remove(connection, self.user, self.space, clean(uris))

    async def forget(self, before: datetime, most: int) -> int:
        """Delete documents that were fetched before a moment, the oldest first; returns how many.

        Args:
            before: the moment.
            most: documents that are deleted at once.
        """
        async with self._database.session(self.user) as connection:
            uris = await read.fetched_before(connection, self.user, self.space, before, most)
            return await storing.remove(connection, self.user, self.space, uris) if uris else 0

    async def embed_missing(self, progress: Callable[[int], None] | None = None) -> int:
        """Make the vectors that are missing, if a model is configured; returns how many."""
        if self.embedder is None:
            return 0
        async with self.alone("embedding"):  # nothing is paid for twice
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
            return await read.passages(connection, self.user, ids)

    async def spans(self, wanted: Sequence[read.Span]) -> list[str]:
        """Texts of spans of documents, in order; "" of one that is not there."""
        async with self._database.session(self.user) as connection:
            return await read.spans(connection, self.user, wanted)

    async def chunks_over(self, wanted: Sequence[read.Span]) -> dict[int, int]:
        """The document of each chunk that a span touches, by chunk."""
        async with self._database.session(self.user) as connection:
            return await read.chunks_over(connection, self.user, wanted)

    async def documents(self, ids: Sequence[int]) -> dict[int, DocumentInfo]:
        """Documents by id, without their texts."""
        async with self._database.session(self.user) as connection:
            return await read.documents(connection, self.user, ids)

    async def lookup(self, name: str) -> list[DocumentInfo]:
        """Documents whose uri, url, place in the tree, full title or alias this is, best first."""
        async with self._database.session(self.user) as connection:
            return await read.lookup(connection, self.user, self.space, name)

    async def text(self, uri: str) -> str | None:
        """The stored text of a document; None if there is no such document."""
        async with self._database.session(self.user) as connection:
            return await read.text(connection, self.user, self.space, storable(uri))

    async def held(self, uris: Sequence[str]) -> dict[str, read.Held]:
        """What the space holds of some uris."""
        async with self._database.session(self.user) as connection:
            return await read.held(connection, self.user, self.space, clean(uris))

    async def versions(self, connector: str, roots: Sequence[str]) -> dict[str, str]:
        """Version by uri of what a connector stored at or below some uris."""
        async with self._database.session(self.user) as connection:
            roots = clean(roots)
            return await read.versions(connection, self.user, self.space, connector, roots)

    @asynccontextmanager
    async def alone(self, connector: str, place: str = "") -> AsyncIterator[None]:
        """Waits until nobody else, in any process, works on this source, and keeps it so."""
        async with self._database.alone(self.user, self.space, connector, place):
            yield

    async def add_source(self, connector: str, place: str) -> None:
        """Make a source, unless it is there."""
        async with self._database.session(self.user) as connection:
            await registering.add(connection, self.user, self.space, connector, place)

    async def source(self, connector: str, place: str) -> Source:
        """A source as it stands; one that nobody added stands as new."""
        async with self._database.session(self.user) as connection:
            found = await registering.one(connection, self.user, self.space, connector, place)
        return found or Source(connector=connector, place=place)

    async def sources(self) -> list[Source]:
        """The sources of the space, by name."""
        async with self._database.session(self.user) as connection:
            return await registering.listed(connection, self.user, self.space)

    async def update_source(self, source: Source) -> None:
        """Write down how far a source came."""
        async with self._database.session(self.user) as connection:
            await registering.update(connection, self.user, self.space, source)

    async def remove_source(self, connector: str, place: str) -> int | None:
        """Forget a source and its documents, but for those that another source brings too.

        Returns:
            How many documents went; None where there is no such source.
        """
        async with self._database.session(self.user) as connection:
            uris = await registering.removed(connection, self.user, self.space, connector, place)
            if uris is None:
                return None
            return await storing.remove(connection, self.user, self.space, uris)

    async def begin_report(self, question: str, run: dict[str, Any]) -> str:
        """Note that a report is being written; returns its id."""
        async with self._database.session(self.user) as connection:
            return await reports.begin(connection, self.user, self.space, question, run)

    async def note_run(self, identity: str, run: dict[str, Any]) -> None:
        """Write down how a report was started."""
        async with self._database.session(self.user) as connection:
            await reports.note_run(connection, self.user, identity, run)

    async def keep_report(
        self, report: Report, material: Sequence[Material], thread: str, run: dict[str, Any]
    ) -> None:
        """Keep the first version of a report; see `library.reports.keep`."""
        async with self._database.session(self.user) as connection:
            await reports.keep(connection, self.user, self.space, report, material, thread, run)

    async def keep_version(self, report: Report, material: Sequence[Material], note: str) -> None:
        """Keep a further version of a report; see `library.reports.keep_version`."""
        async with self._database.session(self.user) as connection:
            await reports.keep_version(connection, self.user, report, material, note)

    async def report(self, identity: str, version: int | None = None) -> KeptReport | None:
        """A version of a report of any space, the newest where None."""
        async with self._database.session(self.user) as connection:
            return await reports.one(connection, self.user, identity, version)

    async def reports(self) -> list[ReportVersion]:
        """The newest version of each of the user's reports, in all spaces."""
        async with self._database.session(self.user) as connection:
            return await reports.listed(connection, self.user)

    async def report_versions(self, identity: str) -> list[ReportVersion]:
        """The versions of a report, the first one first."""
        async with self._database.session(self.user) as connection:
            return await reports.versions(connection, self.user, identity)

    async def remove_report(self, identity: str) -> int:
        """Forget a report; returns how many versions there were."""
        async with self._database.session(self.user) as connection:
            return await reports.removed(connection, self.user, identity)

    async def count(self) -> tuple[int, int]:
        """(documents, chunks) of the space."""
        async with self._database.session(self.user) as connection:
            return await read.count(connection, self.user, self.space)


async def open_library(space: str = "default", user: str = LOCAL_USER) -> Library:
    """Open a search space of the library that the settings name.

    Raises:
        LibraryError: the database cannot be used.
        InputError: the embedding model's name cannot be used.
    """
    if not language.loaded():  # a search needs it, and would load it on the event loop
        await asyncio.to_thread(language.load)
    return Library(await database(), user, space, embedder())
