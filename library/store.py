"""Writing documents: only what changed, in batches, in one transaction."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pgvector import SparseVector

from library.database import Connection
from library.prepare import Prepared, PreparedChunk, document_frequencies
from library.spaces import Space, add_statistics, lock_space

Outcome = Literal["added", "changed", "unchanged"]

SPARSE_DIMENSIONS = 1_000_000_000


@dataclass(frozen=True)
class Stored:
    """What became of one document."""

    uri: str
    document: int
    outcome: Outcome


@dataclass(frozen=True)
class _Known:
    document: int
    hash: str


async def store(
    connection: Connection, user: str, space_name: str, batch: Sequence[Prepared]
) -> list[Stored]:
    """Insert new documents and bring changed ones up to date.

    A changed document keeps the rows (and so the ids and vectors) of its unchanged chunks. One
    transaction: a reader sees all of the batch or nothing.

    Args:
        connection: a session of this user.
        user: the owner.
        space_name: the search space; made if need be.
        batch: documents with distinct uris.

    Returns:
        One outcome per document, in order.
    """
    space = await lock_space(connection, user, space_name)
    known = await _known(connection, space, [item.document.uri for item in batch])
    fresh = [item for item in batch if item.document.uri not in known]
    changed = [
        item
        for item in batch
        if item.document.uri in known and known[item.document.uri].hash != item.hash
    ]
    same = [item for item in batch if item not in fresh and item not in changed]

    new_ids = await _insert_documents(connection, space, fresh)
    ids = {uri: row.document for uri, row in known.items()} | new_ids
    await _update_documents(connection, [(ids[i.document.uri], i) for i in changed + same])

    added = [(new_ids[item.document.uri], chunk) for item in fresh for chunk in item.chunks]
    removed: Counter[int] = Counter()
    removed_count = 0
    for item in changed:
        document = ids[item.document.uri]
        missing, gone = await _reconcile(connection, document, item.chunks)
        added += [(document, chunk) for chunk in missing]
        removed += await _delete_chunks(connection, gone)
        removed_count += len(gone)
    await _insert_chunks(connection, space, added)

    df = document_frequencies(chunk.weights for _, chunk in added)
    df.subtract(removed)
    languages = {item.document.language for item in fresh + changed}
    await add_statistics(
        connection, space, chunks=len(added) - removed_count, df=df, languages=languages
    )
    outcomes: dict[str, Outcome] = {item.document.uri: "added" for item in fresh}
    outcomes |= {item.document.uri: "changed" for item in changed}
    return [
        Stored(uri, ids[uri], outcomes.get(uri, "unchanged"))
        for uri in (item.document.uri for item in batch)
    ]


async def remove(connection: Connection, user: str, space_name: str, uris: Sequence[str]) -> int:
    """Delete documents by uri, with their chunks and counts. Returns how many there were."""
    space = await lock_space(connection, user, space_name)
    cursor = await connection.execute(
        "SELECT c.id FROM quire.chunks c JOIN quire.documents d ON d.id = c.document_id "
        "WHERE d.space_id = %s AND d.uri = ANY(%s)",
        (space.id, list(uris)),
    )
    gone = [row[0] for row in await cursor.fetchall()]
    df: Counter[int] = Counter()
    df.subtract(await _delete_chunks(connection, gone))
    await add_statistics(connection, space, chunks=-len(gone), df=df, languages=set())
    deleted = await connection.execute(
        "DELETE FROM quire.documents WHERE space_id = %s AND uri = ANY(%s)", (space.id, list(uris))
    )
    return deleted.rowcount


async def _known(connection: Connection, space: Space, uris: list[str]) -> dict[str, _Known]:
    cursor = await connection.execute(
        "SELECT uri, id, hash FROM quire.documents WHERE space_id = %s AND uri = ANY(%s)",
        (space.id, uris),
    )
    return {uri: _Known(document, hash_) for uri, document, hash_ in await cursor.fetchall()}


async def _insert_documents(
    connection: Connection, space: Space, items: Sequence[Prepared]
) -> dict[str, int]:
    ids = await _new_ids(connection, "documents", len(items))
    columns = (
        "id, user_id, space_id, connector, uri, title, author, site, url, language, published, "
        "fetched, version, hash, excerpt, text"
    )
    rows = (
        (
            identity,
            space.user,
            space.id,
            item.document.connector,
            item.document.uri,
            *_described(item),
            item.document.text,
        )
        for identity, item in zip(ids, items, strict=True)
    )
    await _copy(connection, "documents", columns, rows)
    return {item.document.uri: identity for identity, item in zip(ids, items, strict=True)}


async def _update_documents(connection: Connection, items: Sequence[tuple[int, Prepared]]) -> None:
    """Write what may have changed beside the text; a text only where its hash differs."""
    if not items:
        return
    await connection.cursor().executemany(
        "UPDATE quire.documents SET title = %s, author = %s, site = %s, url = %s, language = %s, "
        "published = %s, fetched = %s, version = %s, hash = %s, excerpt = %s, "
        "text = CASE WHEN hash = %s THEN text ELSE %s END WHERE id = %s",
        [(*_described(item), item.hash, item.document.text, identity) for identity, item in items],
    )


def _described(item: Prepared) -> tuple[object, ...]:
    document = item.document
    return (
        document.title,
        document.author,
        document.site,
        document.url,
        document.language,
        document.published,
        document.fetched or datetime.now(UTC),
        document.version,
        item.hash,
        document.excerpt,
    )


async def _reconcile(
    connection: Connection, document: int, wanted: Sequence[PreparedChunk]
) -> tuple[list[PreparedChunk], list[int]]:
    """Pair a document's rows with its chunks of today by hash; move those that only shifted.

    Returns:
        The chunks that need a row, and the ids of rows that no chunk needs.
    """
    cursor = await connection.execute(
        "SELECT id, hash, start_offset FROM quire.chunks WHERE document_id = %s ORDER BY id",
        (document,),
    )
    rows: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for identity, hash_, start in await cursor.fetchall():
        rows[hash_].append((identity, start))
    missing: list[PreparedChunk] = []
    moved: list[tuple[int, int, int]] = []
    for prepared in wanted:
        if not rows[prepared.hash]:
            missing.append(prepared)
            continue
        identity, start = rows[prepared.hash].pop(0)
        if start != prepared.chunk.start:
            moved.append((prepared.chunk.start, prepared.chunk.end, identity))
    if moved:
        await connection.cursor().executemany(
            "UPDATE quire.chunks SET start_offset = %s, end_offset = %s WHERE id = %s", moved
        )
    return missing, [identity for left in rows.values() for identity, _ in left]


async def _insert_chunks(
    connection: Connection, space: Space, items: Sequence[tuple[int, PreparedChunk]]
) -> None:
    ids = await _new_ids(connection, "chunks", len(items))
    columns = (
        "id, user_id, space_id, document_id, start_offset, end_offset, heading, text, hash, "
        "terms, weights"
    )
    rows = (
        (
            identity,
            space.user,
            space.id,
            document,
            prepared.chunk.start,
            prepared.chunk.end,
            prepared.chunk.heading,
            prepared.chunk.text,
            prepared.hash,
            sorted(prepared.weights),
            SparseVector(prepared.weights, SPARSE_DIMENSIONS),
        )
        for identity, (document, prepared) in zip(ids, items, strict=True)
    )
    await _copy(connection, "chunks", columns, rows)


async def _copy(
    connection: Connection, table: str, columns: str, rows: Iterable[tuple[object, ...]]
) -> None:
    """COPY rows into a table, by way of a temporary one: row-level security allows no other."""
    await connection.execute(
        f"CREATE TEMPORARY TABLE IF NOT EXISTS incoming_{table} (LIKE quire.{table}) "
        "ON COMMIT DELETE ROWS"
    )
    async with connection.cursor().copy(f"COPY incoming_{table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            await copy.write_row(row)
    await connection.execute(
        f"INSERT INTO quire.{table} ({columns}) SELECT {columns} FROM incoming_{table}"  # noqa: S608
    )


async def _delete_chunks(connection: Connection, ids: Sequence[int]) -> Counter[int]:
    """Delete chunks; returns how many of them held each term."""
    if not ids:
        return Counter()
    cursor = await connection.execute(
        "DELETE FROM quire.chunks WHERE id = ANY(%s) RETURNING terms", (list(ids),)
    )
    return document_frequencies(row[0] for row in await cursor.fetchall())


async def _new_ids(connection: Connection, table: str, count: int) -> Iterable[int]:
    """Draw ids before COPY, which cannot return them."""
    cursor = await connection.execute(
        "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
        (f"quire.{table}", count),
    )
    return [row[0] for row in await cursor.fetchall()]
