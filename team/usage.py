"""What users have used, by day."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from psycopg.rows import class_row

from schema.turns import Turn
from team.store import TeamStore

if TYPE_CHECKING:
    from library.database.connections import Connection

_ADD = (
    "INSERT INTO quire.usage (identity, day, runs, calls, input_tokens, output_tokens, dollars) "
    "VALUES (%s, (now() AT TIME ZONE 'UTC')::date, %s, %s, %s, %s, %s) ON CONFLICT (identity, day) "
    "DO UPDATE SET runs = usage.runs + excluded.runs, calls = usage.calls + excluded.calls, "
    "input_tokens = usage.input_tokens + excluded.input_tokens, "
    "output_tokens = usage.output_tokens + excluded.output_tokens, "
    "dollars = usage.dollars + excluded.dollars"
)


@dataclass(frozen=True)
class Usage:
    """What a user has used on one day (UTC); US dollars by the table of prices."""

    runs: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True)
class UsageOfDay:
    """What one user has used on a day."""

    day: date
    identity: str
    runs: int
    calls: int
    input_tokens: int
    output_tokens: int
    dollars: float


async def list_usage(team: TeamStore, days: int) -> list[UsageOfDay]:
    """What each user has used in the last days, the newest day first."""
    async with (
        team.connect() as connection,
        connection.cursor(row_factory=class_row(UsageOfDay)) as cursor,
    ):
        await cursor.execute(
            "SELECT day, identity, runs, calls, input_tokens, output_tokens, dollars "
            "FROM quire.usage "
            "WHERE day > (now() AT TIME ZONE 'UTC')::date - %s::int ORDER BY day DESC, identity",
            (days,),
        )
        return await cursor.fetchall()


async def note_call(connection: "Connection", user: str, turn: Turn) -> None:
    """Count one call of a model to a user."""
    used = (turn.input_tokens, turn.output_tokens, turn.dollars)
    await connection.execute(_ADD, (user, 0, 1, *used))


async def note_run(team: TeamStore, user: str) -> None:
    """Count a run that begins to a user."""
    async with team.connect() as connection:
        await connection.execute(_ADD, (user, 1, 0, 0, 0, 0.0))


async def load_usage(team: TeamStore, user: str) -> Usage:
    """What a user has used today."""
    async with team.connect() as connection:
        cursor = await connection.execute(
            "SELECT runs, calls, input_tokens, output_tokens, dollars FROM quire.usage "
            "WHERE identity = %s AND day = (now() AT TIME ZONE 'UTC')::date",
            (user,),
        )
        row = await cursor.fetchone()
    return Usage(*row) if row else Usage()
