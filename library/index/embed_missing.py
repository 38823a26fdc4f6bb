"""Vectors for the chunks that have none: after ingesting, or when the model changed."""

from collections.abc import Callable, Sequence

import numpy as np
from pgvector import HalfVector

from library.database.spaces import OWNER_CHECK, Space, lock_space
from library.index.vectors import drop_indexes, index_vectors
from library.session import Session
from models.embeddings import Embedder

BATCH_SIZE = 128

SAMPLE_SIZE = 300
"""Chunks whose cosines with each other tell what an unrelated pair's cosine is."""


async def embed_missing(
    session: Session, embedder: Embedder, progress: Callable[[int], None]
) -> int:
    """Give every chunk of a space a vector of one model.

    Vectors of another model, or of another length, are dropped first. Each batch is its own
    transaction: what was embedded stays when a later batch fails. Who finds that another model
    took over the space meanwhile leaves the rest to it.

    Args:
        session: of who keeps the space.
        embedder: the model.
        progress: called with the number of vectors of each batch.

    Returns:
        How many vectors were made.

    Raises:
        ModelUnavailableError: the model does not answer.
    """
    async with session.connect() as connection:
        space = await lock_space(connection, session.user, session.space)
        other_model = space.embedding_model != embedder.name
    if other_model:
        await _start_over(session, space, embedder)
    made = last = 0
    while rows := await _load_missing(session, space, after=last):
        vectors = await embedder.embed_documents([text for _, text in rows])
        if not made and await _get_dimensions(session, space) not in (0, len(vectors[0])):
            await _start_over(session, space, embedder)
            last, made = 0, 0
            continue
        if not await _insert(session, space, embedder, [one for one, _ in rows], vectors):
            return made
        last, made = rows[-1][0], made + len(rows)
        progress(len(rows))
    if made:
        await _measure_cosines(session, space)
        await index_vectors(session, space, await _get_dimensions(session, space))
    return made


async def _start_over(session: Session, space: Space, embedder: Embedder) -> None:
    await drop_indexes(session, space)  # they hold vectors of one length only
    async with session.connect() as connection:
        await lock_space(connection, space.user, space.name)
        await connection.execute(
            f"DELETE FROM quire.embeddings WHERE space_id = %(space)s AND {OWNER_CHECK}",
            space.sql_parameters,
        )
        await connection.execute(
            "UPDATE quire.spaces SET embedding_model = %(model)s, cosine_mean = NULL, "
            "cosine_deviation = NULL WHERE id = %(space)s AND user_id = %(user)s",
            {**space.sql_parameters, "model": embedder.name},
        )


async def _load_missing(session: Session, space: Space, *, after: int) -> list[tuple[int, str]]:
    """The next chunks without a vector: id, and the text with what stands over it."""
    rows = await session.fetch(
        "SELECT c.id, d.title, c.heading, c.text FROM quire.chunks c "
        "JOIN quire.documents d ON d.id = c.document_id "
        f"WHERE c.space_id = %(space)s AND {OWNER_CHECK} AND c.id > %(after)s AND NOT EXISTS "
        "(SELECT FROM quire.embeddings e WHERE e.chunk_id = c.id) ORDER BY c.id LIMIT %(most)s",
        space=space.id, after=after, most=BATCH_SIZE,
    )  # fmt: skip
    return [(row[0], "\n".join(part for part in row[1:] if part)) for row in rows]


async def _insert(
    session: Session,
    space: Space,
    embedder: Embedder,
    chunks: Sequence[int],
    vectors: Sequence[list[float]],
) -> bool:
    """Store vectors; False where another model has taken over the space."""
    async with session.connect() as connection:
        now = await lock_space(connection, space.user, space.name)
        if now.embedding_model != embedder.name:
            return False
        await connection.cursor().executemany(
            "INSERT INTO quire.embeddings (chunk_id, space_id, readers, embedding) "
            "SELECT id, space_id, readers, %(vector)s FROM quire.chunks "
            f"WHERE id = %(chunk)s AND space_id = %(space)s AND {OWNER_CHECK} "
            "ON CONFLICT (chunk_id) DO NOTHING",
            [
                {**space.sql_parameters, "vector": HalfVector(vector), "chunk": one}
                for one, vector in zip(chunks, vectors, strict=True)
            ],
        )
    return True


async def _get_dimensions(session: Session, space: Space) -> int:
    """Length of the space's vectors; 0 where it has none."""
    rows = await session.fetch(
        "SELECT vector_dims(embedding::vector) FROM quire.embeddings "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} LIMIT 1",
        space=space.id,
    )
    return int(rows[0][0]) if rows else 0


async def _measure_cosines(session: Session, space: Space) -> None:
    """Keep the mean and deviation of the cosine between chunks of different documents.

    The chunks are from all over the space, the same in every run.
    """
    rows = await session.fetch(
        "SELECT c.document_id, e.embedding FROM quire.embeddings e JOIN quire.chunks c "
        f"ON c.id = e.chunk_id WHERE e.space_id = %(space)s AND {OWNER_CHECK} "
        "ORDER BY hashint8(e.chunk_id) LIMIT %(most)s",
        space=space.id, most=SAMPLE_SIZE,
    )  # fmt: skip
    if not rows:  # removed while they were embedded
        return
    documents = np.array([document for document, _ in rows])
    vectors = np.array([vector.to_list() for _, vector in rows], np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    cosines = (vectors @ vectors.T)[np.triu(documents[:, None] != documents[None, :])]
    if len(cosines) >= SAMPLE_SIZE:
        await session.fetch(
            "UPDATE quire.spaces SET cosine_mean = %(mean)s, cosine_deviation = %(deviation)s "
            "WHERE id = %(space)s AND user_id = %(user)s RETURNING 1",
            space=space.id, mean=float(cosines.mean()), deviation=float(cosines.std()),
        )  # fmt: skip
