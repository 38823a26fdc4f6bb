"""What a search is kept to, as SQL."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space
from library.session import clean_value
from schema.search import Filters

_DOCUMENT_TESTS = {
    "connectors": "d.connector = ANY(%(connectors)s)",
    "not_connectors": "d.connector <> ALL(%(not_connectors)s)",
    "documents": "d.id = ANY(%(documents)s)",
    "under": "EXISTS (SELECT FROM unnest(%(under)s::text[]) AS root WHERE d.uri = root "
    "OR starts_with(d.uri, rtrim(root, '/') || '/') OR d.path = root "
    "OR starts_with(d.path, rtrim(root, '/') || '/'))",
    # a date is as precise as its source: "2024" is not before 2024-05-02, nor after it
    "since": "d.published <> '' AND d.published >= left(%(since)s, length(d.published))",
    "until": "d.published <> '' AND d.published < %(until)s",
    "language": "%(language)s IN (d.language, d.code)",
    "fetched_since": "d.fetched >= %(fetched_since)s::timestamptz",
    "in_full": "NOT d.excerpt",
    "not_in": "NOT EXISTS (SELECT FROM quire.documents o JOIN quire.spaces p ON p.id = o.space_id "
    "WHERE p.user_id = %(user)s AND p.name = %(not_in)s AND o.uri = d.uri)",
}
_CHUNK_TESTS = {
    "kinds": "c.kind = ANY(%(kinds)s)",
    "symbol_kind": "EXISTS (SELECT FROM quire.symbols s WHERE s.chunk_id = c.id "
    "AND s.role = 'definition' AND s.kind = %(symbol_kind)s)",
}


def build_conditions(filters: Filters) -> tuple[str, dict[str, object]]:
    """The filters as a condition on chunks `c`, beginning with AND, and its parameters.

    The text is fixed; values, `space` and `user` among them, are parameters.
    """
    values = {name: clean_value(value) for name, value in vars(filters).items() if value}
    document = [test for name, test in _DOCUMENT_TESTS.items() if name in values]
    chunk = [test for name, test in _CHUNK_TESTS.items() if name in values]
    if document:
        chunk.append(
            "c.document_id IN (SELECT d.id FROM quire.documents d "
            f"WHERE d.space_id = %(space)s AND {' AND '.join(document)})"
        )
    return "".join(f" AND {test}" for test in chunk), values


async def filter_chunks(
    connection: Connection, space: Space, filters: Filters, chunks: Sequence[int]
) -> set[int]:
    """Those of some chunks that pass the filters."""
    condition, parameters = build_conditions(filters)
    cursor = await connection.execute(
        "SELECT c.id FROM quire.chunks c "
        f"WHERE c.space_id = %(space)s AND {OWNER_CHECK}{condition} AND c.id = ANY(%(chunks)s)",
        {**space.sql_parameters, "chunks": list(chunks), **parameters},
    )
    return {row[0] for row in await cursor.fetchall()}


async def list_passing(connection: Connection, space: Space, filters: Filters) -> NDArray[np.int64]:
    """All chunks of a space that pass the filters, ascending."""
    condition, parameters = build_conditions(filters)
    cursor = await connection.cursor(binary=True).execute(
        "SELECT string_agg(int8send(c.id), ''::bytea) FROM quire.chunks c "  # thousands, in one row
        f"WHERE c.space_id = %(space)s AND {OWNER_CHECK}{condition}",
        {**space.sql_parameters, **parameters},
    )
    [[found]] = await cursor.fetchall()
    return np.sort(np.frombuffer(found or b"", ">i8").astype(np.int64))


async def holds_any(connection: Connection, space: Space) -> bool:
    """Whether a space that holds chunks holds some that the session's reader may read."""
    if not space.restricted:
        return True
    cursor = await connection.execute(
        "SELECT EXISTS (SELECT FROM quire.chunks c "
        f"WHERE c.space_id = %(space)s AND {OWNER_CHECK})",
        space.sql_parameters,
    )
    return await cursor.fetchone() == (True,)
