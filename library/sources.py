"""Where a space's documents come from, and how far the last sync of each source came."""

from dataclasses import dataclass, field
from datetime import datetime

from psycopg.types.json import Jsonb

from library.database import Connection
from library.spaces import OWN, lock_space


@dataclass(frozen=True, kw_only=True)
class Source:
    """A place that a connector reads, and what became of its last sync.

    `root` is the uri at or below which its documents stand, "" before its first sync. `cursor` is
    the connector's own. `counts` are documents by outcome, `failure` says why the last sync ended
    early.
    """

    connector: str
    place: str
    root: str = ""
    cursor: str = ""
    synced: datetime | None = None
    counts: dict[str, int] = field(default_factory=dict)
    failure: str = ""

    @property
    def name(self) -> str:
        """How its user names it."""
        return f"{self.connector}:{self.place}"


_COLUMNS = "s.connector, s.place, s.root, s.cursor, s.synced, s.counts, s.failure"


def _source(row: tuple[object, ...]) -> Source:
    names = ("connector", "place", "root", "cursor", "synced", "counts", "failure")
    return Source(**dict(zip(names, row, strict=True)))  # type: ignore[arg-type]


async def add(
    connection: Connection, user: str, space_name: str, connector: str, place: str
) -> None:
    """Make a source, and its space, unless they are there."""
    space = await lock_space(connection, user, space_name)
    await connection.execute(
        "INSERT INTO quire.sources (space_id, connector, place) "
        f"SELECT %(space)s, %(connector)s, %(place)s WHERE {OWN} ON CONFLICT DO NOTHING",
        {**space.named, "connector": connector, "place": place},
    )


async def listed(connection: Connection, user: str, space_name: str) -> list[Source]:
    """All sources of a space, by name."""
    cursor = await connection.execute(
        f"SELECT {_COLUMNS} FROM quire.sources s JOIN quire.spaces p ON p.id = s.space_id "
        "WHERE p.user_id = %s AND p.name = %s ORDER BY s.connector, s.place",
        (user, space_name),
    )
    return [_source(row) for row in await cursor.fetchall()]


async def update(connection: Connection, user: str, space_name: str, source: Source) -> None:
    """Write all that is known of a source; nothing where it was removed meanwhile."""
    await connection.execute(
        "UPDATE quire.sources s SET root = %s, cursor = %s, synced = %s, counts = %s, failure = %s "
        "FROM quire.spaces p WHERE p.id = s.space_id AND p.user_id = %s AND p.name = %s "
        "AND s.connector = %s AND s.place = %s",
        (
            source.root,
            source.cursor,
            source.synced,
            Jsonb(source.counts),
            source.failure,
            user,
            space_name,
            source.connector,
            source.place,
        ),
    )


async def removed(
    connection: Connection, user: str, space_name: str, connector: str, place: str
) -> list[str] | None:
    """Forget a source. Returns the uris that no other source has, None if it was unknown."""
    found = await one(connection, user, space_name, connector, place)
    if found is None:
        return None
    await connection.execute(
        "DELETE FROM quire.sources s USING quire.spaces p WHERE p.id = s.space_id "
        "AND p.user_id = %s AND p.name = %s AND s.connector = %s AND s.place = %s",
        (user, space_name, connector, place),
    )
    if not found.root:
        return []
    cursor = await connection.execute(
        "SELECT d.uri FROM quire.documents d JOIN quire.spaces p ON p.id = d.space_id "
        "WHERE p.user_id = %(user)s AND p.name = %(space)s AND d.connector = %(connector)s "
        "AND (d.uri = %(root)s OR starts_with(d.uri, rtrim(%(root)s, '/') || '/')) "
        "AND NOT EXISTS (SELECT FROM quire.sources s WHERE s.space_id = p.id AND s.root <> '' "
        "AND s.connector = d.connector "
        "AND (d.uri = s.root OR starts_with(d.uri, rtrim(s.root, '/') || '/')))",
        {"user": user, "space": space_name, "connector": connector, "root": found.root},
    )
    return [row[0] for row in await cursor.fetchall()]


async def one(
    connection: Connection, user: str, space_name: str, connector: str, place: str
) -> Source | None:
    """A source as it stands; None where there is none of this name."""
    cursor = await connection.execute(
        f"SELECT {_COLUMNS} FROM quire.sources s JOIN quire.spaces p ON p.id = s.space_id "
        "WHERE p.user_id = %s AND p.name = %s AND s.connector = %s AND s.place = %s",
        (user, space_name, connector, place),
    )
    row = await cursor.fetchone()
    return _source(row) if row else None
