"""The inverted index in the database: adding, removing, counting.

See `retrieval.search.inverted_index`; `library.search.score_words` reads it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from struct import Struct

import numpy as np

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space
from library.index.buffered_postings import (
    FIELD_CODES,
    MOST_BATCHES,
    OF_PARTS,
    IndexField,
    find_batches,
    find_parts,
    hold,
    take,
)
from retrieval.search.inverted_index import (
    BLOCK_SIZE,
    ENTRY,
    Entries,
    Pack,
    TermVector,
    find_touched_blocks,
    pack_postings,
    remove_ids,
)

_ROW = Struct(">hiiiiihi")  # four columns: term, block, segment, and the length of the entries

SEGMENTS = 4
"""Rows that a term may have in a block, each of a span of its ids. To append to a row is to write
it anew: with one row, a common word's entries were written twelve times over in a large sync."""

FREQUENT = 8
"""Entries that a term adds at once to get a row of its span; fewer go to its block's first row."""


async def add(
    connection: Connection,
    space: Space,
    field: IndexField,
    texts: Sequence[tuple[int, TermVector]],
    *,
    more_follow: bool,
) -> None:
    """Index texts by their ids, which must be new.

    Args:
        connection: a session of the space's owner, who holds the lock of the space.
        space: the search space.
        field: what the texts are.
        texts: ids and terms.
        more_follow: let them wait for those of further batches; see `merge`.
    """
    if not texts:
        return
    entries = Entries.from_texts(texts)
    waiting = await find_batches(connection, space, field)
    if not more_follow and not waiting:
        await _upsert(connection, space, field, entries)
        return
    await hold(connection, space, field, entries, waiting[-1][0] + 1 if waiting else 0)
    places = [identity // BLOCK_SIZE for identity, _ in texts]
    blocks = {block for _, block in waiting} | set(places)
    if not more_follow or len(blocks) > 1 or len(waiting) >= MOST_BATCHES - 1:
        await merge(connection, space, field)


async def merge(connection: Connection, space: Space, field: IndexField) -> None:
    """Make rows of what was added while more was to follow."""
    await _upsert(connection, space, field, await take(connection, space, field))


async def _upsert(
    connection: Connection, space: Space, field: IndexField, entries: Entries
) -> None:
    await connection.execute(
        "CREATE TEMPORARY TABLE IF NOT EXISTS incoming_postings "
        "(term integer, block integer, segment smallint, entries bytea) ON COMMIT DELETE ROWS"
    )
    await connection.execute("TRUNCATE incoming_postings")
    async with connection.cursor().copy(
        "COPY incoming_postings FROM STDIN (FORMAT binary)"
    ) as copy:
        await copy.write(b"".join(_encode_rows(pack_postings(entries))))
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
        for segment, held in _split_segments(entries):
            yield _ROW.pack(4, 4, term, 4, block, 2, segment, len(held))
            yield held
    yield b"\xff\xff"


def _split_segments(entries: bytes) -> Iterable[tuple[int, bytes]]:
    """The rows that entries are appended to: those of their spans, where they are many there."""
    if len(entries) < FREQUENT * ENTRY.itemsize:
        return [(0, entries)]
    spans = np.frombuffer(entries, ENTRY)["place"] // (BLOCK_SIZE // SEGMENTS)
    bounds = np.searchsorted(spans, np.arange(SEGMENTS + 1)) * ENTRY.itemsize
    held = [entries[start:end] for start, end in pairwise(bounds.tolist())]
    few = [one for one in held[1:] if 0 < len(one) < FREQUENT * ENTRY.itemsize]
    rows = [(0, b"".join([held[0], *few]))]
    rows += [(n, one) for n, one in enumerate(held[1:], 1) if len(one) >= FREQUENT * ENTRY.itemsize]
    return [row for row in rows if row[1]]


async def remove(
    connection: Connection, space: Space, field: IndexField, texts: Sequence[tuple[int, bytes]]
) -> None:
    """Take texts out of the index. Args: texts: id and distinct term ids (int32) of each."""
    if not texts:
        return
    waiting = {block for _, block in await find_batches(connection, space, field)}
    if not waiting.isdisjoint(identity // BLOCK_SIZE for identity, _ in texts):
        await merge(connection, space, field)
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
    cursor = await connection.cursor(binary=True).execute(
        "SELECT term, sum(octet_length(entries) / 4)::int, NULL::int, NULL::bytea, NULL::bytea, "
        f"NULL::bytea FROM quire.postings WHERE space_id = %(space)s AND {OWNER_CHECK} "
        "AND field = %(field)s AND term = ANY(%(terms)s::int[]) GROUP BY term "
        f"UNION ALL SELECT NULL, NULL, block, terms, counts, entries {OF_PARTS}",
        {
            **space.sql_parameters,
            "field": FIELD_CODES["chunks"],
            "terms": list(terms),
            "parts": find_parts("chunks", terms),
        },
    )
    found = await cursor.fetchall()
    df = Counter({row[0]: row[1] for row in found if row[0] is not None})
    df.update(_count(_find_held([Pack(*row[2:]) for row in found if row[0] is None], terms)))
    return df


def _find_held(packs: Sequence[Pack], terms: Sequence[int]) -> list[tuple[int, int, bytes]]:
    """What packs hold of some terms: term, block and entries."""
    wanted = np.array(terms, np.int64)
    return [(term, pack.block, entries) for pack in packs for term, entries in pack.find(wanted)]


def _count(held: Sequence[tuple[int, int, bytes]]) -> Counter[int]:
    """How many texts hold each term."""
    df: Counter[int] = Counter()
    for term, _, entries in held:
        df[term] += len(entries) // ENTRY.itemsize
    return df
