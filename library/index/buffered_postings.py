"""Postings of a sync under way, which wait until a block is full to become rows of their terms.

A term's row that grows is written anew. A batch therefore only adds a pack for each part of the
space of terms, which searches read beside the rows; what many batches hold is merged into rows at
once, when a block is full and when a sync ends. One that is killed leaves packs, and whoever
stores next merges them.
"""

from collections.abc import Collection
from typing import Literal

from library.database.connections import Connection
from library.database.copying import copy_rows
from library.database.spaces import OWNER_CHECK, Space
from retrieval.search.inverted_index import Entries, Pack, pack_parts

IndexField = Literal["chunks", "titles"]
FIELD_CODES: dict[IndexField, int] = {"chunks": 0, "titles": 1}

_PART_BITS: dict[IndexField, int] = {"chunks": 22, "titles": 26}
"""Of a term's 30 bits, those in which the terms of one part differ: a batch of 128 documents makes
packs of about a kilobyte, and a query reads few of them."""

MOST_BATCHES = 64
"""Batches that wait: a query reads, for each of its words, one pack of each."""

_COLUMNS = {
    "field": "smallint", "part": "smallint", "batch": "integer", "block": "integer",
    "terms": "bytea", "counts": "bytea", "entries": "bytea",
}  # fmt: skip
_OF_FIELD = f"space_id = %(space)s AND {OWNER_CHECK} AND field = %(field)s"

OF_PARTS = f"FROM quire.buffered_postings WHERE {_OF_FIELD} AND part = ANY(%(parts)s::smallint[])"
"""Of a statement that reads what waits of some parts: from which rows."""


def find_parts(field: IndexField, terms: Collection[int]) -> list[int]:
    """The numbers of the packs that may hold some terms."""
    return sorted({term >> _PART_BITS[field] for term in terms})


async def find_batches(
    connection: Connection, space: Space, field: IndexField
) -> list[tuple[int, int]]:
    """The batches that wait: number and block of each, in order."""
    cursor = await connection.execute(  # each has packs of the first part, be they empty
        "SELECT batch, block FROM quire.buffered_postings "
        f"WHERE {_OF_FIELD} AND part = 0 ORDER BY batch",
        {**space.sql_parameters, "field": FIELD_CODES[field]},
    )
    return await cursor.fetchall()


async def hold(
    connection: Connection, space: Space, field: IndexField, entries: Entries, batch: int
) -> None:
    """Let the entries of a batch wait.

    Args:
        connection: a session of the space's owner, who holds the lock of the space.
        space: the search space.
        field: what they are entries of.
        entries: of any blocks.
        batch: its number, higher than those that wait.
    """
    packs = list(pack_parts(entries, _PART_BITS[field]))
    blocks = {pack.block for _, pack in packs}
    packs += [
        (0, Pack(block, b"", b"", b""))
        for block in blocks - {pack.block for part, pack in packs if part == 0}
    ]
    rows = [(FIELD_CODES[field], part, batch, *pack) for part, pack in packs]
    await copy_rows(connection, space, "buffered_postings", _COLUMNS, rows)


async def take(connection: Connection, space: Space, field: IndexField) -> Entries:
    """Take out all that waits."""
    cursor = await connection.cursor(binary=True).execute(
        f"DELETE FROM quire.buffered_postings WHERE {_OF_FIELD} "
        "RETURNING block, terms, counts, entries",
        {**space.sql_parameters, "field": FIELD_CODES[field]},
    )
    return Entries.from_packs([Pack._make(row) for row in await cursor.fetchall()])
