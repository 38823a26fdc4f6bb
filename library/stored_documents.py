"""Reading what is stored: passages, descriptions of documents, what a connector brought before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from library.document_texts import (
    LONGEST_TEXT,
    WANTED_SPANS,
    DocumentSpan,
    load_spans,
    split_spans,
)
from library.readers import Readers
from schema.documents import ChunkPlace, DocumentInfo, Passage


@dataclass(frozen=True)
class DocumentRecord:
    """A document that is stored: its id, whether it is an excerpt, whether a sync keeps it up."""

    document: int
    excerpt: bool
    synced: bool
    fetched: datetime


StoreOutcome = Literal["added", "changed", "unchanged"]


@dataclass(frozen=True)
class StoreResult:
    """What became of one document that was stored."""

    uri: str
    document: int
    outcome: StoreOutcome


_IN_SPACE = (
    "FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id "
    "WHERE s.user_id = %(user)s AND s.name = %(space_name)s"
)


class StoredDocuments(Readers):
    """What is read of a space's documents, or, by id, of all that a user has."""

    async def load_passages(self, ids: Sequence[int]) -> dict[int, Passage]:
        """Chunks by id; an unknown id is absent."""
        found = await self.fetch_as(
            Passage,
            "SELECT c.id AS chunk, c.document_id AS document, c.start_offset AS start, "
            'c.end_offset AS "end", c.text, c.heading, c.kind '
            "FROM quire.chunks c JOIN quire.spaces s ON s.id = c.space_id "
            "WHERE s.user_id = %(user)s AND c.id = ANY(%(ids)s)",
            ids=list(ids),
        )
        await self._note_shown({one.document for one in found})
        return {one.chunk: one for one in found}

    async def load_layouts(self, documents: Sequence[int]) -> dict[int, list[ChunkPlace]]:
        """The chunks of documents in the order of the text; an unknown id is absent."""
        found = await self.fetch(
            "SELECT c.document_id, c.id, c.start_offset, c.end_offset, c.heading "
            "FROM quire.chunks c JOIN quire.spaces s ON s.id = c.space_id "
            "WHERE s.user_id = %(user)s AND c.document_id = ANY(%(documents)s) "
            "ORDER BY c.start_offset",
            documents=list(documents),
        )
        await self._note_shown({row[0] for row in found})
        layouts: dict[int, list[ChunkPlace]] = {}
        for document, chunk, start, end, heading in found:
            place = ChunkPlace(chunk=chunk, start=start, end=end, heading=heading)
            layouts.setdefault(document, []).append(place)
        return layouts

    async def load_spans(self, wanted: Sequence[DocumentSpan]) -> list[str]:
        """Texts of spans of documents, in order; "" of one that is not there."""
        await self._note_shown({document for document, _, _ in wanted})
        async with self.connect() as connection:
            return await load_spans(connection, self.user, wanted)

    async def find_chunks_over(self, wanted: Sequence[DocumentSpan]) -> dict[int, int]:
        """The document of each chunk that a span touches, in the order of spans and text."""
        found = await self.fetch(
            f"SELECT c.id, c.document_id FROM {WANTED_SPANS} "
            "JOIN quire.chunks c ON c.document_id = w.id "
            "AND c.start_offset < w.last AND c.end_offset > w.first "
            "JOIN quire.spaces s ON s.id = c.space_id AND s.user_id = %(user)s "
            "GROUP BY c.id ORDER BY min(w.n), c.start_offset",
            **split_spans(wanted),
        )
        return dict(found)

    async def load_documents(self, ids: Sequence[int]) -> dict[int, DocumentInfo]:
        """Documents by id, without their texts; an unknown id is absent."""
        found = await self.fetch_as(
            DocumentInfo,
            "SELECT d.id, d.uri, d.connector, d.title, d.author, d.site, d.url, d.language, "
            "d.published, d.fetched, d.excerpt, d.path, d.copy_of, d.copy_version, "
            "s.name AS space FROM quire.documents d "
            "JOIN quire.spaces s ON s.id = d.space_id "
            "WHERE s.user_id = %(user)s AND d.id = ANY(%(ids)s)",
            ids=list(ids),
        )
        await self._note_shown({one.id for one in found})
        return {one.id: one for one in found}

    async def load_links(self, documents: Sequence[int]) -> dict[int, list[str]]:
        """What documents point to, in order of the alphabet; one that points nowhere is absent."""
        found = await self.fetch(
            "SELECT l.document_id, array_agg(l.target ORDER BY l.target) FROM quire.links l "
            "JOIN quire.spaces s ON s.id = l.space_id "
            "WHERE s.user_id = %(user)s AND l.document_id = ANY(%(documents)s) "
            "GROUP BY l.document_id",
            documents=list(documents),
        )
        return dict(found)

    async def load_text(self, uri: str) -> str | None:
        """The text of a document, in which offsets count; None if there is no such document."""
        found = await self.fetch(f"SELECT d.id {_IN_SPACE} AND d.uri = %(uri)s", uri=uri)
        if not found:
            return None
        [text] = await self.load_spans([(found[0][0], 0, LONGEST_TEXT)])
        return text

    async def find_stored(self, uris: Sequence[str]) -> dict[str, DocumentRecord]:
        """What the space holds of some uris; one that it does not hold is absent."""
        found = await self.fetch(
            f"SELECT d.uri, d.id, d.excerpt, d.version <> '', d.fetched {_IN_SPACE} "
            "AND d.uri = ANY(%(uris)s)",
            uris=list(uris),
        )
        return {uri: DocumentRecord(*row) for uri, *row in found}

    async def load_versions(self, connector: str, roots: Sequence[str]) -> dict[str, str]:
        """Version by uri of what a connector stored at or below some uris, whoever may read it."""
        async with self.connect_keeper() as connection:
            cursor = await connection.execute(
                f"SELECT d.uri, d.version {_IN_SPACE} AND d.connector = %(connector)s "
                "AND EXISTS (SELECT FROM unnest(%(roots)s::text[]) AS root "
                "WHERE d.uri = root OR starts_with(d.uri, rtrim(root, '/') || '/'))",
                {
                    "user": self.user,
                    "space_name": self.space,
                    "connector": connector,
                    "roots": list(roots),
                },
            )
            return dict(await cursor.fetchall())

    async def count(self) -> tuple[int, int]:
        """(documents, chunks) of the space, of those that may be read."""
        [counts] = await self.fetch(
            f"SELECT (SELECT count(*) {_IN_SPACE}), coalesce((SELECT CASE WHEN restricted THEN "
            "(SELECT count(*) FROM quire.chunks c WHERE c.space_id = s.id) ELSE chunks END "
            "FROM quire.spaces s WHERE user_id = %(user)s AND name = %(space_name)s), 0)"
        )
        return (int(counts[0]), int(counts[1]))
