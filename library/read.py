"""Reading what is stored: passages, descriptions of documents, what a connector brought before."""

from collections.abc import Sequence
from dataclasses import dataclass

from library.arms import named
from library.database import Connection
from library.spaces import find_space
from schema.documents import DocumentInfo, Passage


async def passages(connection: Connection, ids: Sequence[int]) -> dict[int, Passage]:
    """Chunks by id; an unknown id is absent."""
    cursor = await connection.execute(
        "SELECT id, document_id, start_offset, end_offset, text, heading, kind FROM quire.chunks "
        "WHERE id = ANY(%s)",
        (list(ids),),
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


Span = tuple[int, int, int]
"""Document, start and end in characters of its text."""


async def spans(connection: Connection, wanted: Sequence[Span]) -> list[str]:
    """The text of each span, in order; "" of an unknown document."""
    cursor = await connection.execute(
        "SELECT coalesce(substr(d.text, w.first + 1, w.last - w.first), '') "
        "FROM unnest(%s::bigint[], %s::int[], %s::int[]) WITH ORDINALITY AS w (id, first, last, n) "
        "LEFT JOIN quire.documents d ON d.id = w.id ORDER BY w.n",
        _columns(wanted),
    )
    return [str(row[0]) for row in await cursor.fetchall()]


async def chunks_over(connection: Connection, wanted: Sequence[Span]) -> dict[int, int]:
    """The document of each chunk that a span touches, by chunk, in the order of spans and text."""
    cursor = await connection.execute(
        "SELECT c.id, c.document_id "
        "FROM unnest(%s::bigint[], %s::int[], %s::int[]) WITH ORDINALITY AS w (id, first, last, n) "
        "JOIN quire.chunks c ON c.document_id = w.id "
        "AND c.start_offset < w.last AND c.end_offset > w.first "
        "GROUP BY c.id ORDER BY min(w.n), c.start_offset",
        _columns(wanted),
    )
    return dict(await cursor.fetchall())


def _columns(wanted: Sequence[Span]) -> tuple[list[int], list[int], list[int]]:
    return [one[0] for one in wanted], [one[1] for one in wanted], [one[2] for one in wanted]


async def documents(connection: Connection, ids: Sequence[int]) -> dict[int, DocumentInfo]:
    """Documents by id, without their texts; an unknown id is absent."""
    cursor = await connection.execute(
        "SELECT id, uri, connector, title, author, site, url, language, published, fetched, "
        "excerpt, path FROM quire.documents WHERE id = ANY(%s)",
        (list(ids),),
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
        )
        for row in await cursor.fetchall()
    }


async def lookup(
    connection: Connection, user: str, space_name: str, name: str
) -> list[DocumentInfo]:
    """Documents that are called `name`; see `library.arms.named`."""
    space = await find_space(connection, user, space_name)
    ids = await named(connection, space, name) if space else []
    found = await documents(connection, ids)
    return [found[identity] for identity in ids]


async def text(connection: Connection, uri: str, space_name: str) -> str | None:
    """The stored text of a document: what the offsets of citations count in."""
    cursor = await connection.execute(
        "SELECT d.text FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id "
        "WHERE d.uri = %s AND s.name = %s",
        (uri, space_name),
    )
    row = await cursor.fetchone()
    return str(row[0]) if row else None


@dataclass(frozen=True)
class Held:
    """A document that is stored: its id, whether it is an excerpt, whether a sync keeps it up."""

    document: int
    excerpt: bool
    synced: bool


async def held(connection: Connection, space_name: str, uris: Sequence[str]) -> dict[str, Held]:
    """Stored documents by uri; an unknown uri is absent."""
    cursor = await connection.execute(
        "SELECT d.uri, d.id, d.excerpt, d.version <> '' FROM quire.documents d "
        "JOIN quire.spaces s ON s.id = d.space_id WHERE s.name = %s AND d.uri = ANY(%s)",
        (space_name, list(uris)),
    )
    return {uri: Held(*row) for uri, *row in await cursor.fetchall()}


async def versions(
    connection: Connection, space_name: str, connector: str, roots: Sequence[str]
) -> dict[str, str]:
    """Version by uri of the documents that a connector stored at or below some uris."""
    cursor = await connection.execute(
        "SELECT d.uri, d.version FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id "
        "WHERE s.name = %s AND d.connector = %s AND EXISTS (SELECT FROM unnest(%s::text[]) AS root "
        "WHERE d.uri = root OR starts_with(d.uri, rtrim(root, '/') || '/'))",
        (space_name, connector, list(roots)),
    )
    return dict(await cursor.fetchall())


async def count(connection: Connection, space_name: str) -> tuple[int, int]:
    """(documents, chunks) of a space."""
    cursor = await connection.execute(
        "SELECT (SELECT count(*) FROM quire.documents d WHERE d.space_id = s.id), s.chunks "
        "FROM quire.spaces s WHERE s.name = %s",
        (space_name,),
    )
    row = await cursor.fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)
