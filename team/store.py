"""Where the team's tables are opened; `library/database/team.sql` has them."""

from contextlib import AbstractAsyncContextManager

from library.database.connections import Connection, Database, open_database
from schema.access import TEAM_USER


class TeamStore:
    """The team's tables, which no member's own session sees. Make it with `open_team`."""

    def __init__(self, opened: Database) -> None:
        self.database = opened

    def connect(self) -> AbstractAsyncContextManager[Connection]:
        """A transaction on the team's tables."""
        return self.database.session(TEAM_USER)


async def open_team() -> TeamStore:
    """Open the team's tables in the database that the settings name.

    Raises:
        LibraryError: the database cannot be used.
    """
    return TeamStore(await open_database())
