"""Writing documents: only what changed, in batches, in one transaction."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from library.database.connections import Connection
from library.database.copying import copy_rows
from library.database.spaces import OWNER_CHECK, Space, add_statistics, lock_space
from library.document_texts import cut_rest
from library.index import postings
from library.index.folders import mark_stale
from library.index.prepare import PreparedChunk, PreparedDocument
from library.index.readers import assign_readers, follow_readers
from library.stored_documents import StoreOutcome, StoreResult


@dataclass(frozen=True)
class _StoredRow:
    document: int
    hash: str
    language: str
    path: str
    title_terms: bytes


async def store_documents(
    connection: Connection,
    user: str,
    space_name: str,
    batch: Sequence[PreparedDocument],
    *,
    more_follow: bool = False,
) -> list[StoreResult]:
    """Insert new documents and bring changed ones up to date.

    A changed document keeps the rows (and so the ids and vectors) of its unchanged chunks. One
    transaction: a reader sees all of the batch or nothing.

    Args:
        connection: of who keeps this user's library.
        user: the owner.
        space_name: the search space; made if need be.
        batch: documents with distinct uris.
        more_follow: leave the index to `merge_postings`, which is called after further batches.

    Returns:
        One outcome per document, in order.
    """
    space = await lock_space(connection, user, space_name)
    known = await _load_rows(connection, space, [item.document.uri for item in batch])
    fresh = [item for item in batch if item.document.uri not in known]
    stored = [item for item in batch if item.document.uri in known]
    changed = [item for item in stored if known[item.document.uri].hash != item.hash]

    new_ids = await _insert_documents(connection, space, fresh)
    ids = {uri: row.document for uri, row in known.items()} | new_ids
    await _update_documents(connection, space, [(ids[i.document.uri], i) for i in stored])
    before = [known[item.document.uri] for item in changed]
    await postings.remove(
        connection, space, "titles", [(b.document, b.title_terms) for b in before]
    )
    written = [(ids[item.document.uri], item) for item in fresh + changed]
    titles = [(one, item.title) for one, item in written]
    await postings.add(connection, space, "titles", titles, more_follow=more_follow)
    await _write_names_and_links(connection, space, written, [one.document for one in before])
    places = [item.document.path for _, item in written] + [row.path for row in before]
    await mark_stale(connection, space, places)

    added = [(new_ids[item.document.uri], chunk) for item in fresh for chunk in item.chunks]
    gone: list[int] = []
    for item in changed:
        document = ids[item.document.uri]
        missing, without_chunk = await _reconcile(connection, space, document, item.chunks)
        added += [(document, chunk) for chunk in missing]
        gone += without_chunk
    await _delete_chunks(connection, space, gone)
    await _insert_chunks(connection, space, added, more_follow=more_follow)

    told = {i.document.uri: i.document.readers for i in batch if i.document.readers is not None}
    await assign_readers(connection, space, {ids[uri]: names for uri, names in told.items()})
    await follow_readers(connection, space, [ids[item.document.uri] for item in changed])
    languages = Counter(item.document.language for item in fresh + changed)
    languages.subtract(row.language for row in before)
    await add_statistics(
        connection, space, documents=len(fresh), chunks=len(added) - len(gone), languages=languages
    )
    outcomes: dict[str, StoreOutcome] = {item.document.uri: "added" for item in fresh}
    outcomes |= {item.document.uri: "changed" for item in changed}
    uris = [item.document.uri for item in batch]
    return [StoreResult(uri, ids[uri], outcomes.get(uri, "unchanged")) for uri in uris]


async def merge_postings(connection: Connection, user: str, space_name: str) -> None:
    """Bring the index into its form for searches after batches that more were to follow."""
    space = await lock_space(connection, user, space_name)
    await postings.merge(connection, space, "titles")
    await postings.merge(connection, space, "chunks")


async def remove_documents(
    connection: Connection, user: str, space_name: str, uris: Sequence[str]
) -> int:
    """Delete documents by uri, with all that hangs on them. Returns how many there were."""
    space = await lock_space(connection, user, space_name)
    known = list((await _load_rows(connection, space, list(uris))).values())
    documents = [row.document for row in known]
    cursor = await connection.execute(
        f"SELECT id FROM quire.chunks WHERE space_id = %(space)s AND {OWNER_CHECK} "
        "AND document_id = ANY(%(documents)s)",
        {**space.sql_parameters, "documents": documents},
    )
    gone = [row[0] for row in await cursor.fetchall()]
    await _delete_chunks(connection, space, gone)
    await postings.remove(connection, space, "titles", [(k.document, k.title_terms) for k in known])
    await connection.execute(
        f"DELETE FROM quire.documents WHERE space_id = %(space)s AND {OWNER_CHECK} "
        "AND id = ANY(%(documents)s)",
        {**space.sql_parameters, "documents": documents},
    )
    await mark_stale(connection, space, [row.path for row in known])
    languages: Counter[str] = Counter()
    languages.subtract(row.language for row in known)
    await add_statistics(
        connection, space, documents=-len(known), chunks=-len(gone), languages=languages
    )
    return len(known)


async def _load_rows(
    connection: Connection, space: Space, uris: list[str]
) -> dict[str, _StoredRow]:
    cursor = await connection.execute(
        "SELECT uri, id, hash, language, path, title_terms FROM quire.documents "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND uri = ANY(%(uris)s)",
        {**space.sql_parameters, "uris": uris},
    )
    return {uri: _StoredRow(*row) for uri, *row in await cursor.fetchall()}


async def _insert_documents(
    connection: Connection, space: Space, items: Sequence[PreparedDocument]
) -> dict[str, int]:
    ids = await _draw_ids(connection, "documents", len(items))
    rows = [
        (identity, item.document.uri, *_to_columns(item).values())
        for identity, item in zip(ids, items, strict=True)
    ]
    columns = {"id": "bigint", "uri": "text", **_COLUMNS}
    await copy_rows(connection, space, "documents", columns, rows)
    return {item.document.uri: identity for identity, item in zip(ids, items, strict=True)}


async def _update_documents(
    connection: Connection, space: Space, items: Sequence[tuple[int, PreparedDocument]]
) -> None:
    """Write what may have changed; the rest of a text only where its hash differs."""
    if not items:
        return
    rows = [{**space.sql_parameters, **_to_columns(item), "id": one} for one, item in items]
    columns = ", ".join(f"{one} = %({one})s" for one in _COLUMNS if one != "rest")
    await connection.cursor().executemany(
        "UPDATE quire.documents SET rest = CASE WHEN hash = %(hash)s THEN rest ELSE %(rest)s END, "
        f"{columns} WHERE id = %(id)s AND space_id = %(space)s AND {OWNER_CHECK}",
        rows,
    )


_COPIED_FIELDS = (
    "connector", "path", "title", "author", "site", "url", "language", "published", "version",
    "copy_of", "copy_version",
)  # fmt: skip

_COLUMNS = dict.fromkeys(_COPIED_FIELDS, "text") | {
    "excerpt": "boolean", "superseded": "boolean", "fetched": "timestamptz", "code": "text",
    "hash": "text", "title_terms": "bytea", "rest": "text", "bytes": "integer",
}  # fmt: skip
"""What may change of a document."""


def _to_columns(item: PreparedDocument) -> dict[str, object]:
    """A document by column."""
    document = item.document
    return {name: getattr(document, name) for name in _COPIED_FIELDS} | {
        "excerpt": document.excerpt,
        "superseded": document.superseded,
        "fetched": document.fetched or datetime.now(UTC),
        "code": item.code,
        "hash": item.hash,
        "title_terms": item.title.ids.tobytes(),
        "rest": cut_rest(document.text, (prepared.chunk for prepared in item.chunks)),
        "bytes": len(document.text.encode()),
    }


async def _write_names_and_links(
    connection: Connection,
    space: Space,
    items: Sequence[tuple[int, PreparedDocument]],
    before: Sequence[int],
) -> None:
    """Write the names and links of documents, for some of them anew."""
    for table in ("names", "links"):
        await connection.execute(
            f"DELETE FROM quire.{table} WHERE space_id = %(space)s AND {OWNER_CHECK} "
            "AND document_id = ANY(%(documents)s)",
            {**space.sql_parameters, "documents": list(before)},
        )
    names = [
        (document, name, alias) for document, item in items for name, alias in item.names.items()
    ]
    columns = {"document_id": "bigint", "name": "text", "alias": "boolean"}
    await copy_rows(connection, space, "names", columns, names)
    links = [(document, target) for document, item in items for target in item.links]
    columns = {"document_id": "bigint", "target": "text"}
    await copy_rows(connection, space, "links", columns, links)


async def _reconcile(
    connection: Connection, space: Space, document: int, wanted: Sequence[PreparedChunk]
) -> tuple[list[PreparedChunk], list[int]]:
    """Pair a document's rows with its chunks of today by hash; move those that only shifted.

    Returns:
        The chunks that need a row, and the ids of rows that no chunk needs.
    """
    cursor = await connection.execute(
        "SELECT id, hash, start_offset FROM quire.chunks "
        f"WHERE document_id = %(document)s AND space_id = %(space)s AND {OWNER_CHECK} ORDER BY id",
        {**space.sql_parameters, "document": document},
    )
    rows: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for identity, hash_, start in await cursor.fetchall():
        rows[hash_].append((identity, start))
    missing: list[PreparedChunk] = []
    moved: list[dict[str, object]] = []
    for prepared in wanted:
        if not rows[prepared.hash]:
            missing.append(prepared)
            continue
        identity, start = rows[prepared.hash].pop(0)
        if start != prepared.chunk.start:
            place = {"start": prepared.chunk.start, "end": prepared.chunk.end}
            moved.append({**space.sql_parameters, **place, "id": identity})
    if moved:
        await connection.cursor().executemany(
            "UPDATE quire.chunks SET start_offset = %(start)s, end_offset = %(end)s "
            f"WHERE id = %(id)s AND space_id = %(space)s AND {OWNER_CHECK}",
            moved,
        )
    return missing, [identity for left in rows.values() for identity, _ in left]


async def _insert_chunks(
    connection: Connection,
    space: Space,
    items: Sequence[tuple[int, PreparedChunk]],
    *,
    more_follow: bool,
) -> None:
    ids = await _draw_ids(connection, "chunks", len(items))
    placed = [(identity, *item) for identity, item in zip(ids, items, strict=True)]
    rows = [
        (
            identity,
            document,
            prepared.chunk.start,
            prepared.chunk.end,
            prepared.chunk.kind,
            prepared.chunk.heading,
            prepared.chunk.text,
            prepared.hash,
            prepared.terms.ids.tobytes(),
        )
        for identity, document, prepared in placed
    ]
    columns = {
        "id": "bigint", "document_id": "bigint", "start_offset": "integer",
        "end_offset": "integer", "kind": "text", "heading": "text", "text": "text",
        "hash": "text", "terms": "bytea",
    }  # fmt: skip
    await copy_rows(connection, space, "chunks", columns, rows)
    terms = [(one, item.terms) for one, _, item in placed]
    await postings.add(connection, space, "chunks", terms, more_follow=more_follow)
    symbols = [
        (one, s.role, s.name, s.qualified_name, s.kind)
        for one, _, item in placed
        for s in item.symbols
    ]
    columns = {"chunk_id": "bigint"} | dict.fromkeys(("role", "name", "symbol", "kind"), "text")
    await copy_rows(connection, space, "symbols", columns, symbols)


async def _delete_chunks(connection: Connection, space: Space, ids: Sequence[int]) -> None:
    if not ids:
        return
    cursor = await connection.execute(
        "DELETE FROM quire.chunks "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND id = ANY(%(ids)s) RETURNING id, terms",
        {**space.sql_parameters, "ids": list(ids)},
    )
    await postings.remove(connection, space, "chunks", await cursor.fetchall())


async def _draw_ids(connection: Connection, table: str, count: int) -> Sequence[int]:
    """Draw ids before COPY, which cannot return them."""
    cursor = await connection.execute(
        "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
        (f"quire.{table}", count),
    )
    return [row[0] for row in await cursor.fetchall()]
