"""Search spaces: the counters and the model that all chunks of a space share."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from library.database.connections import Connection

OWNER_CHECK = "%(user)s = (SELECT user_id FROM quire.spaces WHERE id = %(space)s)"
"""Condition that the space of a statement is its user's, looked up once for the whole statement.

Every statement that names a space by its id has it. Row-level security says the same once more, and
neither leans on the other."""


@dataclass(frozen=True)
class Space:
    """A search space as it stands in the database.

    `cosine` is (mean, standard deviation) of the cosine between chunks that have nothing to do
    with each other, under the embedding model; None before it was measured. In a `restricted` one
    some documents have readers of their own. `revision` is another one after every change of what
    the space holds.
    """

    user: str
    name: str
    id: int
    documents: int
    chunks: int
    languages: dict[str, int]
    embedding_model: str | None
    cosine: tuple[float, float] | None
    restricted: bool
    revision: str

    @property
    def sql_parameters(self) -> dict[str, object]:
        """The parameters of `OWNER_CHECK`."""
        return {"user": self.user, "space": self.id}


async def find_space(connection: "Connection", user: str, name: str) -> Space | None:
    """The space of this name, or None where nothing was stored in it yet."""
    cursor = await connection.execute(
        "SELECT id, documents, chunks, languages, embedding_model, restricted, "
        "xmin::text, "  # whoever stores or removes documents writes this row
        "cosine_mean, cosine_deviation FROM quire.spaces WHERE user_id = %s AND name = %s",
        (user, name),
    )
    if (row := await cursor.fetchone()) is None:
        return None
    cosine = None if row[-1] is None else (row[-2], row[-1])
    return Space(user, name, row[0], row[1], row[2], row[3], row[4], cosine, row[5], row[6])


async def lock_space(connection: "Connection", user: str, name: str) -> Space:
    """The space, made if need be, with its row locked: one writer at a time keeps counts exact."""
    await connection.execute(
        "INSERT INTO quire.spaces (user_id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING",
        (user, name),
    )
    await connection.execute(
        "SELECT 1 FROM quire.spaces WHERE user_id = %s AND name = %s FOR UPDATE", (user, name)
    )
    space = await find_space(connection, user, name)
    assert space is not None  # noqa: S101  (inserted above, in this transaction)
    return space


async def add_statistics(
    connection: "Connection", space: Space, *, documents: int, chunks: int, languages: Counter[str]
) -> None:
    """Add to (or, with negative numbers, take from) what a space counts."""
    counted = Counter(space.languages)
    counted.update(languages)
    await connection.execute(
        "UPDATE quire.spaces SET documents = documents + %(documents)s, "
        "chunks = chunks + %(chunks)s, languages = %(languages)s::jsonb "
        "WHERE id = %(space)s AND user_id = %(user)s",
        {
            **space.sql_parameters,
            "documents": documents,
            "chunks": chunks,
            "languages": json.dumps({k: n for k, n in counted.items() if n > 0}),
        },
    )
