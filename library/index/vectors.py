"""Nearest neighbours: by an index of the space's own, or exactly where there is none or too few."""

from collections.abc import Sequence

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import sql

from library.database.connections import BEAM, Connection
from library.database.spaces import OWNER_CHECK, Space
from library.index.filters import build_conditions
from library.session import Session
from schema.errors import LibraryError
from schema.search import Filters

INDEXED_FROM = 4_000
"""Vectors of a space from which an index pays: an exact scan of fewer takes some milliseconds."""

MAX_DIMENSIONS = 4_000
"""Longest half-precision vectors that an index of pgvector takes; longer ones are scanned."""

MOST_SCANNED = 10_000
"""Chunks that pass a filter and whose vectors are compared one by one: in the index one would walk
past many that do not."""

MOST_BEAM = 1_000
"""The largest hnsw.ef_search: candidates that the index keeps while it walks."""


async def find_nearest(
    connection: Connection,
    space: Space,
    vector: HalfVector,
    filters: Filters,
    depth: int,
    others: Sequence[int] = (),
    *,
    passing: NDArray[np.int64] | None = None,
) -> tuple[list[int], dict[int, float]]:
    """The `depth` chunks whose vectors are nearest, or all that pass the filters.

    An index that is asked through a filter may stop before it has enough; the exact scan then
    answers, cheap because so few rows pass. Where it is known which few pass, it answers at once.

    Args:
        connection: a session of the space's owner, whose hnsw.ef_search is
            `library.database.connections.BEAM`.
        space: the search space.
        vector: what they are near to.
        filters: what they must pass.
        depth: how many are wanted.
        others: chunks whose cosines are wanted as well.
        passing: the chunks that pass the filters, where they are known.

    Returns:
        The nearest chunks, nearest first; the cosine of each and of the others, but of those
        without a vector. A vector of zeros has NaN.

    Raises:
        psycopg.errors.DataException: the vector has another length than the space's.
    """
    scanned = passing if passing is not None and len(passing) <= MOST_SCANNED else None
    if depth > BEAM and scanned is None:
        beam = str(min(depth, MOST_BEAM))
        await connection.execute("SELECT set_config('hnsw.ef_search', %s, true)", (beam,))
    wanted = (vector, filters, depth, others, scanned)
    rows = await _query_nearest(connection, space, *wanted, exact=scanned is not None)
    near = [chunk for chunk, _, is_near in rows if is_near]
    if len(near) < depth and len(near) < space.chunks and scanned is None:
        rows = await _query_nearest(connection, space, *wanted, exact=True)
        near = [chunk for chunk, _, is_near in rows if is_near]
    return near, {chunk: cosine for chunk, cosine, _ in rows}


async def _query_nearest(
    connection: Connection,
    space: Space,
    vector: HalfVector,
    filters: Filters,
    depth: int,
    others: Sequence[int],
    scanned: NDArray[np.int64] | None = None,
    *,
    exact: bool,
) -> list[tuple[int, float, bool]]:
    """Chunk, cosine, and whether it is one of the nearest: these first, in their order."""
    condition, parameters = build_conditions(filters)
    if scanned is not None:
        # as text, which psycopg makes of thousands of numbers in a tenth of the time of a list
        condition = " AND e.chunk_id = ANY(%(scanned)s::bigint[])"
        parameters = {"scanned": f"{{{','.join(map(str, scanned.tolist()))}}}"}
    join = "JOIN quire.chunks c ON c.id = e.chunk_id" if condition and scanned is None else ""
    kind = sql.SQL("halfvec({})").format(sql.Literal(vector.dimensions()))
    distance = sql.SQL("(e.embedding::{} <=> %(vector)s::{})").format(kind, kind)
    query = sql.SQL(
        "(SELECT e.chunk_id, 1 - {}, true FROM quire.embeddings e {} WHERE e.space_id = {} "
        "AND {}{} ORDER BY {} LIMIT %(depth)s) UNION ALL SELECT e.chunk_id, 1 - {}, false "
        "FROM quire.embeddings e WHERE e.space_id = %(space)s AND {} AND e.chunk_id = "
        "ANY(%(others)s)"
    ).format(
        distance,
        sql.SQL(join),
        sql.Literal(space.id),  # not a parameter: the index is for this space alone
        sql.SQL(OWNER_CHECK),
        sql.SQL(condition),  # fixed text
        distance + sql.SQL(" + 0") if exact else distance,  # no index serves a sum
        distance,
        sql.SQL(OWNER_CHECK),
    )
    values = {"vector": vector, "depth": depth, "others": list(others), **parameters}
    cursor = await connection.execute(query, {**space.sql_parameters, **values})
    return await cursor.fetchall()


async def index_vectors(session: Session, space: Space, dimensions: int) -> None:
    """Give a space with many vectors its index; the table stays writable meanwhile.

    Nothing is done where the tables belong to another role: the vectors are scanned.
    """
    [(count,)] = await session.fetch(
        f"SELECT count(*) FROM quire.embeddings WHERE space_id = %(space)s AND {OWNER_CHECK}",
        space=space.id,
    )
    if count < INDEXED_FROM or dimensions > MAX_DIMENSIONS:
        return
    name = sql.Identifier(f"embeddings_of_{space.id}_{dimensions}")
    async with session.database.maintenance() as connection:
        if not await _owns(connection):
            return
        cursor = await connection.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)",
            (f"quire.embeddings_of_{space.id}_{dimensions}",),
        )
        row = await cursor.fetchone()
        if row == (True,):
            return
        if row:  # one that broke off
            await connection.execute(sql.SQL("DROP INDEX CONCURRENTLY quire.{}").format(name))
        await connection.execute(
            sql.SQL(
                "CREATE INDEX CONCURRENTLY IF NOT EXISTS {} ON quire.embeddings USING hnsw "
                "((embedding::halfvec({})) halfvec_cosine_ops) WHERE space_id = {}"
            ).format(name, sql.Literal(dimensions), sql.Literal(space.id))
        )
        # without fresh statistics the planner may prefer to sort all the vectors
        await connection.execute("ANALYZE quire.embeddings, quire.chunks, quire.documents")


async def drop_indexes(session: Session, space: Space) -> None:
    """Drop the indexes of a space, whose vectors another model is about to make anew.

    Raises:
        LibraryError: there are some, and the tables belong to another role.
    """
    async with session.database.maintenance() as connection:
        cursor = await connection.execute(
            "SELECT indexname FROM pg_indexes WHERE schemaname = 'quire' AND "
            "starts_with(indexname, %s)",
            (f"embeddings_of_{space.id}_",),
        )
        names = await cursor.fetchall()
        if names and not await _owns(connection):
            raise LibraryError(
                f"The vectors of the space “{space.name}” have an index that only the owner of the "
                "library's tables can drop: ingest as that role once with the new embedding model."
            )
        for (name,) in names:
            await connection.execute(
                sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS quire.{}").format(sql.Identifier(name))
            )


async def _owns(connection: Connection) -> bool:
    """Whether indexes are this role's to make and to drop."""
    cursor = await connection.execute(
        "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class "
        "WHERE oid = 'quire.embeddings'::regclass"
    )
    return await cursor.fetchone() == (True,)


MixedLengthsError = psycopg.errors.DataException
"""What PostgreSQL raises where a vector has another length than the space's."""
