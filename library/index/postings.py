"""The inverted index in the database: adding, removing, counting.

See `retrieval.search.inverted_index`; `library.search.score_words` reads it.
"""

from collections.abc import Iterable, Iterator, Sequence
from struct import Struct
from typing import Literal

import numpy as np

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space
from retrieval.search.inverted_index import (
    BLOCK_SIZE,
    TermVector,
    find_touched_blocks,
    pack_postings,
    remove_ids,
)

IndexField = Literal["chunks", "titles"]
FIELD_CODES: dict[IndexField, int] = {"chunks": 0, "titles": 1}

_ROW = Struct(">hiiiiihi")  # four columns: term, block, segment, and the length of the entries
_ENTRY_BYTES = 4

SEGMENTS = 4
"""Rows that a term may have in a block, each of a span of its ids. To append to a row is to write
it anew: with one row, a common word's entries were written twelve times over in a large sync."""

FREQUENT = 8
"""Entries that a term adds at once to get a row of its span; fewer go to its block's first row."""


async def add(
    connection: Connection, space: Space, field: IndexField, texts: Sequence[tuple[int, TermVector]]
) -> None:
    """Index texts by their ids, which must be new."""
    if not texts:
        return
    await connection.execute(
        "CREATE TEMPORARY TABLE IF NOT EXISTS incoming_postings "
        "(term integer, block integer, segment smallint, entries bytea) ON COMMIT DELETE ROWS"
    )
    await connection.execute("TRUNCATE incoming_postings")
    async with connection.cursor().copy(
        "COPY incoming_postings FROM STDIN (FORMAT binary)"
    ) as copy:
        await copy.write(b"".join(_encode_rows(pack_postings(texts))))
    await connection.execute(
        "INSERT INTO quire.postings (space_id, field, term, block, segment, entries) "
        "SELECT %(space)s, %(field)s, term, block, segment, entries FROM incoming_postings "
        f"WHERE {OWNER_CHECK} ON CONFLICT (space_id, field, term, block, segment) "
        "DO UPDATE SET entries = postings.entries || excluded.entries",
        {**space.sql_parameters, "field": FIELD_CODES[field]},
    )


def _encode_rows(rows: Iterable[tuple[int, int, bytes]]) -> Iterator[bytes]:
    """Rows in PostgreSQL's binary COPY format, which a loop of writes takes five times as long."""
    yield b"PGCOPY\n\xff\r\n\0" + bytes(8)
    for term, block, entries in rows:
        yield _ROW.pack(4, 4, term, 4, block, 2, _find_segment(entries), len(entries))
        yield entries
    yield b"\xff\xff"


def _find_segment(entries: bytes) -> int:
    """The row that entries are appended to: by their first id, where they are many."""
    if len(entries) < FREQUENT * _ENTRY_BYTES:
        return 0
    return int.from_bytes(entries[:2], "little") * SEGMENTS // BLOCK_SIZE


async def remove(
    connection: Connection, space: Space, field: IndexField, texts: Sequence[tuple[int, bytes]]
) -> None:
    """Take texts out of the index. Args: texts: id and distinct term ids (int32) of each."""
    if not texts:
        return
    keys = sorted(find_touched_blocks(texts))
    where = (
        f"p.space_id = %(space)s AND {OWNER_CHECK} AND p.field = %(field)s "
        "AND p.term = k.term AND p.block = k.block"
    )
    named = {**space.sql_parameters, "field": FIELD_CODES[field]}
    cursor = await connection.cursor(binary=True).execute(
        "SELECT p.term, p.block, p.segment, p.entries FROM quire.postings p, "
        f"unnest(%(terms)s::int[], %(blocks)s::int[]) AS k(term, block) WHERE {where}",
        {**named, "terms": [term for term, _ in keys], "blocks": [block for _, block in keys]},
    )
    gone = np.array([identity for identity, _ in texts], np.int64)
    found = await cursor.fetchall()
    rows = [(t, b, segment, remove_ids(b, entries, gone)) for t, b, segment, entries in found]
    await connection.execute(
        "UPDATE quire.postings p SET entries = k.entries FROM "
        "unnest(%(terms)s::int[], %(blocks)s::int[], %(segments)s::int[], %(entries)s::bytea[]) "
        f"AS k(term, block, segment, entries) WHERE {where} AND p.segment = k.segment",
        {
            **named,
            "terms": [row[0] for row in rows],
            "blocks": [row[1] for row in rows],
            "segments": [row[2] for row in rows],
            "entries": [row[3] for row in rows],
        },
    )
    await connection.execute(
        "DELETE FROM quire.postings p USING "
        f"unnest(%(terms)s::int[], %(blocks)s::int[]) AS k(term, block) WHERE {where} "
        "AND p.entries = ''",
        {**named, "terms": [row[0] for row in rows], "blocks": [row[1] for row in rows]},
    )


async def count_holding(
    connection: Connection, space: Space, terms: Sequence[int]
) -> dict[int, int]:
    """In how many chunks of a space each term occurs, of those that it knows.

    Args:
        connection: a session of the space's owner.
        space: the search space.
        terms: ids.
    """
    cursor = await connection.execute(
        "SELECT term, sum(octet_length(entries) / 4)::int FROM quire.postings "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND field = 0 "
        "AND term = ANY(%(terms)s::int[]) GROUP BY term",
        {**space.sql_parameters, "terms": list(terms)},
    )
    return dict(await cursor.fetchall())
