"""For how long the reports of a space are kept."""

from dataclasses import dataclass

from psycopg.rows import class_row

from schema.errors import InputError
from team.store import TeamStore

MAX_DAYS = 36_500


@dataclass(frozen=True)
class Retention:
    """Days after which the reports of a space go, counted from their newest version."""

    owner: str
    space: str
    days: int


async def set_retention(team: TeamStore, owner: str, space: str, days: int | None) -> None:
    """Have reports of a space go after so many days; None: never.

    Raises:
        InputError: the days are none.
    """
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise InputError(f"Reports are kept for 1 to {MAX_DAYS:,} days, or for ever.")
    async with team.connect() as connection:
        if days is None:
            await connection.execute(
                "DELETE FROM quire.retention WHERE owner = %s AND space = %s", (owner, space)
            )
            return
        await connection.execute(
            "INSERT INTO quire.retention (owner, space, days) VALUES (%s, %s, %s) "
            "ON CONFLICT (owner, space) DO UPDATE SET days = excluded.days",
            (owner, space, days),
        )


async def list_retention(team: TeamStore) -> list[Retention]:
    """The spaces whose reports go."""
    async with (
        team.connect() as connection,
        connection.cursor(row_factory=class_row(Retention)) as cursor,
    ):
        await cursor.execute("SELECT owner, space, days FROM quire.retention ORDER BY 1, 2")
        return await cursor.fetchall()
