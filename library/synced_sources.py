"""Where a space's documents come from, and how far the last sync of each source came."""

import json
from dataclasses import dataclass, field
from datetime import datetime

from library.session import Session


@dataclass(frozen=True, kw_only=True)
class SyncedSource:
    """A location that a connector reads, and what became of its last sync.

    `root` is the uri at or below which its documents stand, "" before its first sync. `cursor` is
    the connector's own. `counts` are documents by outcome, `failure` says why the last sync ended
    early. With `acl` its documents are kept for whom the source says.
    """

    connector: str
    location: str
    root: str = ""
    cursor: str = ""
    synced: datetime | None = None
    counts: dict[str, int] = field(default_factory=dict)
    failure: str = ""
    acl: bool = False

    @property
    def name(self) -> str:
        """How its user names it."""
        return f"{self.connector}:{self.location}"


@dataclass(frozen=True, kw_only=True)
class SpaceInfo:
    """A space of a user: how many documents it has, and the connectors that brought them."""

    name: str
    documents: int
    connectors: list[str]


_OWN = "p.id = s.space_id AND p.user_id = %(user)s AND p.name = %(space_name)s"
_NAMED = f"{_OWN} AND s.connector = %(connector)s AND s.place = %(location)s"
_SELECT = (
    "SELECT s.connector, s.place AS location, s.root, s.cursor, s.synced, s.counts, s.failure, "
    "s.acl "
    "FROM quire.sources s, quire.spaces p"
)
_BELOW_ROOT = "(d.uri = {0} OR starts_with(d.uri, rtrim({0}, '/') || '/'))"


class SyncedSources(Session):
    """The sources of a space."""

    async def list_spaces(self) -> list[SpaceInfo]:
        """The user's spaces by name, without what is kept beside them."""
        return await self.fetch_as(
            SpaceInfo,
            "SELECT p.name, CASE WHEN p.restricted THEN (SELECT count(*) FROM quire.documents d "
            "WHERE d.space_id = p.id) ELSE p.documents END AS documents, "
            "ARRAY(SELECT DISTINCT s.connector FROM quire.sources s "
            "WHERE s.space_id = p.id ORDER BY 1) AS connectors FROM quire.spaces p "
            "WHERE p.user_id = %(user)s AND position('~' in p.name) = 0 ORDER BY p.name",
        )

    async def remove_spaces(self) -> int:
        """Forget all of the user's spaces with all that they hold; returns how many there were."""
        await self.fetch("DELETE FROM quire.journal WHERE user_id = %(user)s RETURNING 1")
        gone = await self.fetch(
            "DELETE FROM quire.spaces WHERE user_id = %(user)s RETURNING position('~' in name) = 0"
        )
        return sum(named for (named,) in gone)

    async def add_source(self, connector: str, location: str, acl: bool | None = None) -> None:
        """Make a source, and its space, unless they are there.

        Args:
            connector: that reads it.
            location: what its user calls it.
            acl: whether its documents are kept for whom the source says; None leaves it as it is.
        """
        await self.make_space()
        await self.fetch(
            "INSERT INTO quire.sources AS s (space_id, connector, place, acl) "
            "SELECT id, %(connector)s, %(location)s, coalesce(%(acl)s::bool, false) "
            "FROM quire.spaces WHERE user_id = %(user)s AND name = %(space_name)s "
            "ON CONFLICT (space_id, connector, place) DO UPDATE SET "
            "acl = coalesce(%(acl)s::bool, s.acl) RETURNING 1",
            connector=connector, location=location, acl=acl,
        )  # fmt: skip

    async def load_source(self, connector: str, location: str) -> SyncedSource:
        """A source as it stands; one that nobody added stands as new."""
        new = SyncedSource(connector=connector, location=location)
        found = await self.fetch_as(SyncedSource, f"{_SELECT} WHERE {_NAMED}", **vars(new))
        return found[0] if found else new

    async def list_sources(self) -> list[SyncedSource]:
        """The sources of the space, by name."""
        return await self.fetch_as(
            SyncedSource, f"{_SELECT} WHERE {_OWN} ORDER BY s.connector, s.place"
        )

    async def update_source(self, source: SyncedSource) -> None:
        """Write down how far a source came; nothing where it was removed meanwhile."""
        await self.fetch(
            "UPDATE quire.sources s SET root = %(root)s, cursor = %(cursor)s, "
            "synced = %(synced)s, counts = %(counts)s::jsonb, failure = %(failure)s "
            f"FROM quire.spaces p WHERE {_NAMED} RETURNING 1",
            **vars(source) | {"counts": json.dumps(source.counts)},
        )

    async def remove_source(self, connector: str, location: str) -> int | None:
        """Forget a source and its documents, but for those that another source brings too.

        Returns:
            How many documents went; None where there is no such source.
        """
        from library.index.write import remove_documents

        named = {"user": self.user, "space_name": self.space}
        named |= {"connector": connector, "location": location}
        async with self.connect_keeper() as connection:
            cursor = await connection.execute(
                f"DELETE FROM quire.sources s USING quire.spaces p WHERE {_NAMED} RETURNING root",
                named,
            )
            if (row := await cursor.fetchone()) is None:
                return None
            cursor = await connection.execute(
                "SELECT d.uri FROM quire.documents d JOIN quire.spaces p ON p.id = d.space_id "
                "WHERE p.user_id = %(user)s AND p.name = %(space_name)s AND %(root)s <> '' "
                f"AND d.connector = %(connector)s AND {_BELOW_ROOT.format('%(root)s')} "
                "AND NOT EXISTS (SELECT FROM quire.sources s WHERE s.space_id = p.id "
                "AND s.root <> '' AND s.connector = d.connector "
                f"AND {_BELOW_ROOT.format('s.root')})",
                named | {"root": row[0]},
            )
            uris = [uri for [uri] in await cursor.fetchall()]
            return await remove_documents(connection, self.user, self.space, uris)
