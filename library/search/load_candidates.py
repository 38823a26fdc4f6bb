"""What the later stages of a search need to know of a chunk beside its score."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space
from retrieval.search.candidates import Candidate
from retrieval.search.page_scores import Page
from schema.documents import ChunkKind


class StoredChunk(NamedTuple):
    """A chunk with what is told of its document; `terms` are int32, `length` counts its bytes."""

    chunk: int
    document: int
    kind: ChunkKind
    text: str
    terms: bytes
    uri: str
    title: str
    published: str
    superseded: bool
    length: int

    @property
    def page(self) -> Page:
        """The page that the chunk stands in."""
        return Page(self.document, self.length)

    def to_candidate(self, **scores: object) -> Candidate:
        """The chunk as a candidate, with what a stage says of it."""
        return Candidate(
            chunk=self.chunk,
            document=self.document,
            kind=self.kind,
            text=self.text,
            term_ids=np.frombuffer(self.terms, "<i4"),
            uri=self.uri,
            title=self.title,
            published=self.published,
            superseded=self.superseded,
            **scores,  # type: ignore[arg-type]
        )


async def load_chunks(
    connection: Connection, space: Space, chunks: Sequence[int]
) -> list[StoredChunk]:
    """Chunks in the order given; one that is gone meanwhile is left out."""
    if not chunks:
        return []
    cursor = await connection.cursor(binary=True).execute(
        "SELECT c.id, c.document_id, c.kind, c.text, c.terms, "
        "d.uri, d.title, d.published, d.superseded, d.bytes "
        "FROM quire.chunks c JOIN quire.documents d ON d.id = c.document_id "
        f"WHERE c.space_id = %(space)s AND {OWNER_CHECK} AND c.id = ANY(%(chunks)s)",
        {**space.sql_parameters, "chunks": list(chunks)},
    )
    known = {row[0]: StoredChunk._make(row) for row in await cursor.fetchall()}
    return [known[chunk] for chunk in chunks if chunk in known]


async def load_candidates(
    connection: Connection, space: Space, chunks: Sequence[int]
) -> list[Candidate]:
    """The same as candidates without a score."""
    return [one.to_candidate() for one in await load_chunks(connection, space, chunks)]


async def count_links(
    connection: Connection, space: Space, documents: Sequence[int]
) -> dict[int, int]:
    """How many other documents link to each of some documents."""
    cursor = await connection.execute(
        "SELECT d.id, (SELECT count(DISTINCT l.document_id) FROM quire.links l "
        "WHERE l.space_id = d.space_id AND (l.target IN (d.uri, nullif(d.url, '')) "
        "OR l.target IN (SELECT 'wiki:' || n.name FROM quire.names n WHERE n.document_id = d.id)) "
        "AND l.document_id <> d.id) FROM quire.documents d "
        f"WHERE d.space_id = %(space)s AND {OWNER_CHECK} AND d.id = ANY(%(documents)s)",
        {**space.sql_parameters, "documents": list(documents)},
    )
    return dict(await cursor.fetchall())
