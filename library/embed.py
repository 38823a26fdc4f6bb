"""Vectors for the chunks that have none: after ingesting, or when the model changed."""

from collections.abc import Callable

from pgvector import Vector

from library.database import Database
from library.spaces import lock_space
from models.embeddings import Embedder

BATCH = 128


async def embed_missing(
    database: Database,
    user: str,
    space_name: str,
    embedder: Embedder,
    *,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Give every chunk of a space a vector of one model.

    Vectors of another model are dropped first. Each batch is its own transaction: what was
    embedded stays when a later batch fails. Who finds that another model took over the space
    meanwhile leaves the rest to it.

    Args:
        database: the library's.
        user: the owner.
        space_name: the search space.
        embedder: the model.
        progress: called with the number of vectors of each batch.

    Returns:
        How many vectors were made.

    Raises:
        ModelUnavailableError: the model does not answer.
    """
    async with database.session(user) as connection:
        space = await lock_space(connection, user, space_name)
        if space.embedding_model != embedder.name:
            await connection.execute(
                "DELETE FROM quire.embeddings WHERE space_id = %s", (space.id,)
            )
            await connection.execute(
                "UPDATE quire.spaces SET embedding_model = %s WHERE id = %s",
                (embedder.name, space.id),
            )
    made = 0
    while True:
        async with database.session(user) as connection:
            cursor = await connection.execute(
                "SELECT c.id, d.title, c.heading, c.text FROM quire.chunks c "
                "JOIN quire.documents d ON d.id = c.document_id "
                "WHERE c.space_id = %s AND NOT EXISTS "
                "(SELECT FROM quire.embeddings e WHERE e.chunk_id = c.id) ORDER BY c.id LIMIT %s",
                (space.id, BATCH),
            )
            rows = await cursor.fetchall()
        if not rows:
            return made
        vectors = await embedder.embed_documents(
            ["\n".join(part for part in row[1:] if part) for row in rows]
        )
        async with database.session(user) as connection:
            if (await lock_space(connection, user, space_name)).embedding_model != embedder.name:
                return made
            await connection.cursor().executemany(
                "INSERT INTO quire.embeddings (chunk_id, user_id, space_id, embedding) "
                "SELECT id, user_id, space_id, %s FROM quire.chunks WHERE id = %s "
                "ON CONFLICT (chunk_id) DO NOTHING",
                [(Vector(vector), row[0]) for row, vector in zip(rows, vectors, strict=True)],
            )
        made += len(rows)
        if progress:
            progress(len(rows))
