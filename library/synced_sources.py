"""Where a space's documents come from, and how far the last sync of each source came."""

from dataclasses import dataclass, field
from datetime import datetime

from psycopg.types.json import Jsonb

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, lock_space


@dataclass(frozen=True, kw_only=True)
class SyncedSource:
    """A location that a connector reads, and what became of its last sync.

    `root` is the uri at or below which its documents stand, "" before its first sync. `cursor` is
    the connector's own. `counts` are documents by outcome, `failure` says why the last sync ended
    early.
    """

    connector: str
    location: str
    root: str = ""
    cursor: str = ""
    synced: datetime | None = None
    counts: dict[str, int] = field(default_factory=dict)
    failure: str = ""

    @property
    def name(self) -> str:
        """How its user names it."""
        return f"{self.connector}:{self.location}"


_COLUMNS = "s.connector, s.place, s.root, s.cursor, s.synced, s.counts, s.failure"


def _to_source(row: tuple[object, ...]) -> SyncedSource:
    names = ("connector", "location", "root", "cursor", "synced", "counts", "failure")
    return SyncedSource(**dict(zip(names, row, strict=True)))  # type: ignore[arg-type]


async def add_source(
    connection: Connection, user: str, space_name: str, connector: str, location: str
) -> None:
    """Make a source, and its space, unless they are there."""
    space = await lock_space(connection, user, space_name)
    await connection.execute(
        "INSERT INTO quire.sources (space_id, connector, place) "
        f"SELECT %(space)s, %(connector)s, %(location)s WHERE {OWNER_CHECK} ON CONFLICT DO NOTHING",
        {**space.sql_parameters, "connector": connector, "location": location},
    )


async def list_sources(connection: Connection, user: str, space_name: str) -> list[SyncedSource]:
    """All sources of a space, by name."""
    cursor = await connection.execute(
        f"SELECT {_COLUMNS} FROM quire.sources s JOIN quire.spaces p ON p.id = s.space_id "
        "WHERE p.user_id = %s AND p.name = %s ORDER BY s.connector, s.place",
        (user, space_name),
    )
    return [_to_source(row) for row in await cursor.fetchall()]


async def update_source(
    connection: Connection, user: str, space_name: str, source: SyncedSource
) -> None:
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
            source.location,
        ),
    )


async def remove_source(
    connection: Connection, user: str, space_name: str, connector: str, location: str
) -> list[str] | None:
    """Forget a source. Returns the uris that no other source has, None if it was unknown."""
    found = await load_source(connection, user, space_name, connector, location)
    if found is None:
        return None
    await connection.execute(
        "DELETE FROM quire.sources s USING quire.spaces p WHERE p.id = s.space_id "
        "AND p.user_id = %s AND p.name = %s AND s.connector = %s AND s.place = %s",
        (user, space_name, connector, location),
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


async def load_source(
    connection: Connection, user: str, space_name: str, connector: str, location: str
) -> SyncedSource | None:
    """A source as it stands; None where there is none of this name."""
    cursor = await connection.execute(
        f"SELECT {_COLUMNS} FROM quire.sources s JOIN quire.spaces p ON p.id = s.space_id "
        "WHERE p.user_id = %s AND p.name = %s AND s.connector = %s AND s.place = %s",
        (user, space_name, connector, location),
    )
    row = await cursor.fetchone()
    return _to_source(row) if row else None
