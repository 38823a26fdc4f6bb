"""Readers of single documents: which rows are kept for whom.

Each row that holds a document's text, or what derives of it, names a set of readers;
`library/database/policies.sql` holds sessions to it.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space, find_space
from library.index.folders import list_ancestors
from schema.access import KEEPER, clean_readers

_OF_CHUNKS = ("JOIN quire.chunks c ON c.document_id = w.document", "t.chunk_id = c.id")
_OF_DOCUMENTS = ("", "t.document_id = w.document")
_TABLES = {
    "documents": ("", "t.id = w.document"),
    **dict.fromkeys(("names", "links", "chunks"), _OF_DOCUMENTS),
    **dict.fromkeys(("symbols", "embeddings"), _OF_CHUNKS),
}
"""By table with rows of documents, how a document `w` is joined to its rows `t`."""

_WANTED = "unnest(%(documents)s::bigint[], %(sets)s::int[]) AS w (document, readers)"


async def assign_readers(
    connection: Connection, space: Space, readers: Mapping[int, Sequence[str]]
) -> int:
    """Keep documents for their readers, with all that derives of them, from this moment on.

    Args:
        connection: of who keeps the space, with its lock held.
        space: the search space.
        readers: by document, their names; with `EVERYONE` among them all of the space.

    Returns:
        How many documents have other readers than before.
    """
    wanted = {document: clean_readers(names) for document, names in readers.items()}
    if not space.restricted and not any(names is not None for names in wanted.values()):
        return 0
    sets = await _find_sets(connection, space, [n for n in wanted.values() if n is not None])
    given = {
        **space.sql_parameters,
        "documents": list(wanted),
        "sets": [None if names is None else sets[_hash(names)] for names in wanted.values()],
    }
    cursor = await connection.execute(
        f"SELECT t.id, t.path FROM {_WANTED} JOIN quire.documents t ON t.id = w.document "
        f"WHERE t.space_id = %(space)s AND {OWNER_CHECK} AND t.readers IS DISTINCT FROM w.readers",
        given,
    )
    if not (changed := await cursor.fetchall()):
        return 0
    for table, (join, condition) in _TABLES.items():
        await connection.execute(
            f"UPDATE quire.{table} t SET readers = w.readers FROM {_WANTED} {join} "
            f"WHERE {condition} AND t.space_id = %(space)s AND {OWNER_CHECK} "
            "AND t.readers IS DISTINCT FROM w.readers",
            given,
        )
    # no space: a part beside one, too, may have shown a run documents of its own
    await connection.execute(
        f"UPDATE quire.run_documents t SET kept_for = w.readers FROM {_WANTED} "
        f"WHERE t.document_id = w.document AND {OWNER_CHECK} "
        "AND t.kept_for IS DISTINCT FROM w.readers",
        given,
    )
    await _close_memories(connection, space, [document for document, _ in changed])
    folders = {folder for _, path in changed for folder in list_ancestors(path)}
    await connection.execute(  # they tell of what was open; described anew when they are needed
        "UPDATE quire.folders SET abstract = '', overview = '', stale = true "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND path = ANY(%(folders)s)",
        {**space.sql_parameters, "folders": sorted(folders)},
    )
    if not space.restricted:
        await connection.execute(
            "UPDATE quire.spaces SET restricted = true WHERE id = %(space)s AND user_id = %(user)s",
            space.sql_parameters,
        )
    return len(changed)


async def follow_readers(connection: Connection, space: Space, documents: Sequence[int]) -> None:
    """Keep what is new of some documents for those whom the documents themselves are kept for."""
    if not documents or not space.restricted:
        return
    for table, (join, condition) in _TABLES.items():
        if table != "documents":
            await connection.execute(
                f"UPDATE quire.{table} t SET readers = w.readers FROM (SELECT id AS document, "
                "readers FROM quire.documents WHERE space_id = %(space)s "
                f"AND id = ANY(%(documents)s) AND readers IS NOT NULL) AS w {join} "
                f"WHERE {condition} AND t.space_id = %(space)s AND {OWNER_CHECK} "
                "AND t.readers IS DISTINCT FROM w.readers",
                {**space.sql_parameters, "documents": list(documents)},
            )


async def _close_memories(connection: Connection, space: Space, documents: Sequence[int]) -> None:
    """Let nobody recall reports written from documents that not all of the space may read now."""
    memory = await find_space(connection, space.user, f"{space.name}~memory")
    if memory is None:
        return
    cursor = await connection.execute(
        f"SELECT d.id FROM quire.documents d WHERE d.space_id = %(space)s AND {OWNER_CHECK} "
        "AND d.version IN (SELECT r.thread FROM quire.run_documents r "
        "WHERE r.document_id = ANY(%(documents)s) AND r.thread <> '' AND r.kept_for IS NOT NULL)",
        {**memory.sql_parameters, "documents": list(documents)},
    )
    recalled = [identity for (identity,) in await cursor.fetchall()]
    await assign_readers(connection, memory, dict.fromkeys(recalled, ()))


async def _find_sets(
    connection: Connection, space: Space, wanted: Sequence[Sequence[str]]
) -> dict[bytes, int]:
    """The number of each set of names by its hash; those that are new are made."""
    distinct = {_hash(names): list(names) for names in wanted}
    for digest in sorted(distinct):
        await connection.execute(
            "INSERT INTO quire.reader_sets (space_id, hash, principals) "
            f"SELECT %(space)s, %(hash)s, %(names)s WHERE {OWNER_CHECK} ON CONFLICT DO NOTHING",
            {**space.sql_parameters, "hash": digest, "names": [KEEPER, *distinct[digest]]},
        )
    cursor = await connection.execute(
        "SELECT hash, id FROM quire.reader_sets "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND hash = ANY(%(hashes)s)",
        {**space.sql_parameters, "hashes": list(distinct)},
    )
    return dict(await cursor.fetchall())


def _hash(names: Sequence[str]) -> bytes:
    return blake2b("\n".join(names).encode(), digest_size=16).digest()
