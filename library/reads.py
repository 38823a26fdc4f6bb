"""Reading what is stored: passages, descriptions of documents, what a connector brought before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from library.database.connections import Connection
from library.database.spaces import find_space
from library.search.retrievers import find_by_name
from schema.documents import ChunkPlace, DocumentInfo, Passage


async def load_passages(
    connection: Connection, user: str, ids: Sequence[int]
) -> dict[int, Passage]:
    """Chunks of a user by id; an unknown id is absent."""
    cursor = await connection.execute(
        "SELECT c.id, c.document_id, c.start_offset, c.end_offset, c.text, c.heading, c.kind "
        "FROM quire.chunks c JOIN quire.spaces s ON s.id = c.space_id "
        "WHERE s.user_id = %s AND c.id = ANY(%s)",
        (user, list(ids)),
    )
    return {
        row[0]: Passage(
            chunk=row[0],
            document=row[1],
            start=row[2],
            end=row[3],
            text=row[4],
            heading=row[5],
            kind=row[6],
        )
        for row in await cursor.fetchall()
    }


async def load_layouts(
    connection: Connection, user: str, documents: Sequence[int]
) -> dict[int, list[ChunkPlace]]:
    """The chunks of a user's documents in the order of the text; an unknown id is absent."""
    cursor = await connection.execute(
        "SELECT c.document_id, c.id, c.start_offset, c.end_offset, c.heading FROM quire.chunks c "
        "JOIN quire.spaces s ON s.id = c.space_id "
        "WHERE s.user_id = %s AND c.document_id = ANY(%s) ORDER BY c.start_offset",
        (user, list(documents)),
    )
    layouts: dict[int, list[ChunkPlace]] = {}
    for document, chunk, start, end, heading in await cursor.fetchall():
        place = ChunkPlace(chunk=chunk, start=start, end=end, heading=heading)
        layouts.setdefault(document, []).append(place)
    return layouts


DocumentSpan = tuple[int, int, int]
"""Document, start and end in characters of its text."""

_WANTED_SPANS = (
    "unnest(%(documents)s::bigint[], %(firsts)s::int[], %(lasts)s::int[]) WITH ORDINALITY "
    "AS w (id, first, last, n)"
)


async def load_spans(
    connection: Connection, user: str, wanted: Sequence[DocumentSpan]
) -> list[str]:
    """The text of each span, in order; "" of a document that the user has not."""
    cursor = await connection.execute(
        "SELECT coalesce(substr(d.text, w.first + 1, w.last - w.first), '') "
        f"FROM {_WANTED_SPANS} LEFT JOIN (quire.documents d JOIN quire.spaces s "
        "ON s.id = d.space_id AND s.user_id = %(user)s) ON d.id = w.id ORDER BY w.n",
        {"user": user, **_build_parameters(wanted)},
    )
    return [str(row[0]) for row in await cursor.fetchall()]


async def find_chunks_over(
    connection: Connection, user: str, wanted: Sequence[DocumentSpan]
) -> dict[int, int]:
    """The document of each chunk that a span touches, by chunk, in the order of spans and text."""
    cursor = await connection.execute(
        f"SELECT c.id, c.document_id FROM {_WANTED_SPANS} "
        "JOIN quire.chunks c ON c.document_id = w.id "
        "AND c.start_offset < w.last AND c.end_offset > w.first "
        "JOIN quire.spaces s ON s.id = c.space_id AND s.user_id = %(user)s "
        "GROUP BY c.id ORDER BY min(w.n), c.start_offset",
        {"user": user, **_build_parameters(wanted)},
    )
    return dict(await cursor.fetchall())


def _build_parameters(wanted: Sequence[DocumentSpan]) -> dict[str, list[int]]:
    """The parameters of `_WANTED_SPANS`."""
    names = ("documents", "firsts", "lasts")
    return {name: [one[place] for one in wanted] for place, name in enumerate(names)}


async def load_documents(
    connection: Connection, user: str, ids: Sequence[int]
) -> dict[int, DocumentInfo]:
    """Documents of a user by id, without their texts; an unknown id is absent."""
    cursor = await connection.execute(
        "SELECT d.id, d.uri, d.connector, d.title, d.author, d.site, d.url, d.language, "
        "d.published, d.fetched, d.excerpt, d.path, s.name FROM quire.documents d "
        "JOIN quire.spaces s ON s.id = d.space_id WHERE s.user_id = %s AND d.id = ANY(%s)",
        (user, list(ids)),
    )
    return {
        row[0]: DocumentInfo(
            id=row[0],
            uri=row[1],
            connector=row[2],
            title=row[3],
            author=row[4],
            site=row[5],
            url=row[6],
            language=row[7],
            published=row[8],
            fetched=row[9],
            excerpt=row[10],
            path=row[11],
            space=row[12],
        )
        for row in await cursor.fetchall()
    }


async def look_up(
    connection: Connection, user: str, space_name: str, name: str
) -> list[DocumentInfo]:
    """Documents that are called `name`; see `library.search.retrievers.find_by_name`."""
    space = await find_space(connection, user, space_name)
    ids = await find_by_name(connection, space, name) if space else []
    found = await load_documents(connection, user, ids)
    return [found[identity] for identity in ids]


async def load_text(connection: Connection, user: str, space_name: str, uri: str) -> str | None:
    """The stored text of a document: what the offsets of citations count in."""
    cursor = await connection.execute(
        "SELECT d.text FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id "
        "WHERE s.user_id = %s AND s.name = %s AND d.uri = %s",
        (user, space_name, uri),
    )
    row = await cursor.fetchone()
    return str(row[0]) if row else None


@dataclass(frozen=True)
class DocumentRecord:
    """A document that is stored: its id, whether it is an excerpt, whether a sync keeps it up."""

    document: int
    excerpt: bool
    synced: bool
    fetched: datetime


async def find_stored(
    connection: Connection, user: str, space_name: str, uris: Sequence[str]
) -> dict[str, DocumentRecord]:
    """Stored documents by uri; an unknown uri is absent."""
    cursor = await connection.execute(
        "SELECT d.uri, d.id, d.excerpt, d.version <> '', d.fetched FROM quire.documents d "
        "JOIN quire.spaces s ON s.id = d.space_id "
        "WHERE s.user_id = %s AND s.name = %s AND d.uri = ANY(%s)",
        (user, space_name, list(uris)),
    )
    return {uri: DocumentRecord(*row) for uri, *row in await cursor.fetchall()}


async def find_fetched_before(
    connection: Connection, user: str, space_name: str, moment: datetime, most: int
) -> list[str]:
    """Uris of the documents that were fetched before a moment, the oldest first."""
    cursor = await connection.execute(
        "SELECT d.uri FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id "
        "WHERE s.user_id = %s AND s.name = %s AND d.fetched < %s ORDER BY d.fetched LIMIT %s",
        (user, space_name, moment, most),
    )
    return [row[0] for row in await cursor.fetchall()]


async def load_versions(
    connection: Connection, user: str, space_name: str, connector: str, roots: Sequence[str]
) -> dict[str, str]:
    """Version by uri of the documents that a connector stored at or below some uris."""
    cursor = await connection.execute(
        "SELECT d.uri, d.version FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id "
        "WHERE s.user_id = %s AND s.name = %s AND d.connector = %s "
        "AND EXISTS (SELECT FROM unnest(%s::text[]) AS root "
        "WHERE d.uri = root OR starts_with(d.uri, rtrim(root, '/') || '/'))",
        (user, space_name, connector, list(roots)),
    )
    return dict(await cursor.fetchall())


async def count_stored(connection: Connection, user: str, space_name: str) -> tuple[int, int]:
    """(documents, chunks) of a space."""
    cursor = await connection.execute(
        "SELECT (SELECT count(*) FROM quire.documents d WHERE d.space_id = s.id), s.chunks "
        "FROM quire.spaces s WHERE s.user_id = %s AND s.name = %s",
        (user, space_name),
    )
    row = await cursor.fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)
