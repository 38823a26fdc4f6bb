"""Search spaces: the counters and the model that all chunks of a space share."""

from collections import Counter
from dataclasses import dataclass

from library.database import Connection


@dataclass(frozen=True)
class Space:
    """A search space as it stands in the database."""

    id: int
    user: str
    name: str
    chunks: int
    languages: list[str]
    embedding_model: str | None


async def find_space(connection: Connection, user: str, name: str) -> Space | None:
    """The space of this name, or None where nothing was stored in it yet."""
    cursor = await connection.execute(
        "SELECT id, chunks, languages, embedding_model FROM quire.spaces "
        "WHERE user_id = %s AND name = %s",
        (user, name),
    )
    row = await cursor.fetchone()
    return Space(row[0], user, name, row[1], row[2], row[3]) if row else None


async def lock_space(connection: Connection, user: str, name: str) -> Space:
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
    connection: Connection, space: Space, *, chunks: int, df: Counter[int], languages: set[str]
) -> None:
    """Add to (or, with negative numbers, take from) the counts that idf is made of."""
    await connection.execute(
        "UPDATE quire.spaces SET chunks = chunks + %s, languages = "
        "ARRAY(SELECT DISTINCT unnest(languages || %s::text[]) ORDER BY 1) WHERE id = %s",
        (chunks, sorted(languages), space.id),
    )
    changed = sorted((term, count) for term, count in df.items() if count)
    if not changed:
        return
    await connection.execute(
        "INSERT INTO quire.terms (space_id, user_id, term, df) "
        "SELECT %s, %s, term, df FROM unnest(%s::int[], %s::int[]) AS change(term, df) "
        "ON CONFLICT (space_id, term) DO UPDATE SET df = terms.df + excluded.df",
        (space.id, space.user, [term for term, _ in changed], [count for _, count in changed]),
    )
    if any(count < 0 for _, count in changed):
        await connection.execute(
            "DELETE FROM quire.terms WHERE space_id = %s AND term = ANY(%s) AND df <= 0",
            (space.id, [term for term, count in changed if count < 0]),
        )
