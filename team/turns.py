"""Turns over all workers, in PostgreSQL: never more than the limit, and fair between users.

Who waits is let in by how much of theirs is under way, then by how long they wait. A turn is a
lease: one whose worker was killed is free again when it ends. The clock is the database's alone.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

from schema.turns import Turn
from team.store import open_team
from team.usage import note_call

LEASE_SECONDS = 30.0
"""A turn, and a place in the queue, are kept for so long after their holder was last heard of."""

POLL_SECONDS = (0.02, 0.5)
"""Between two looks whether a turn is free: at first, and at most."""

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('quire turns ' || %(name)s, 0))"

_FORGET = "DELETE FROM quire.turns WHERE name = %(name)s AND expires < clock_timestamp()"

_ASK = (
    "INSERT INTO quire.turns (ticket, name, identity, taken, expires) VALUES (%(ticket)s, "
    "%(name)s, %(user)s, false, clock_timestamp() + %(lease)s * interval '1 second') "
    "ON CONFLICT (ticket) DO UPDATE SET expires = excluded.expires"
)

_ENTER = """
WITH busy AS (
    SELECT identity, count(*) AS turns FROM quire.turns WHERE name = %(name)s AND taken
    GROUP BY identity
), queue AS (
    SELECT ticket, asked, coalesce(turns, 0) + row_number() OVER (
        PARTITION BY identity ORDER BY asked) AS share
    FROM quire.turns LEFT JOIN busy USING (identity) WHERE name = %(name)s AND NOT taken
), free AS (
    SELECT ticket FROM queue ORDER BY share, asked
    LIMIT greatest(0, %(size)s - (SELECT coalesce(sum(turns), 0) FROM busy))
)
UPDATE quire.turns SET taken = true
WHERE ticket = %(ticket)s AND ticket IN (SELECT ticket FROM free) RETURNING 1
"""


class SharedTurns:
    """Gives out turns over all workers of the database that the settings name."""

    @asynccontextmanager
    async def take(self, name: str, size: int, user: str) -> AsyncIterator[Turn]:
        """A turn of this name, of which there are `size` at once; waits until it has come.

        What it cost is counted to the user when it ends.

        Raises:
            LibraryError: the database does not answer.
        """
        ticket, turn = uuid4(), Turn()
        try:
            await self._wait(ticket, name, size, user)
            renewing = asyncio.create_task(self._renew(ticket))
            try:
                yield turn
            finally:
                renewing.cancel()
                await asyncio.gather(renewing, return_exceptions=True)
        finally:
            await asyncio.shield(self._give_back(ticket, user, turn))

    async def _wait(self, ticket: UUID, name: str, size: int, user: str) -> None:
        pause, longest = POLL_SECONDS
        values = {"ticket": ticket, "name": name, "size": size, "user": user}
        while not await self._try(values | {"lease": LEASE_SECONDS}):
            await asyncio.sleep(pause)
            pause = min(longest, pause * 1.5)

    async def _try(self, values: dict[str, object]) -> bool:
        async with (await open_team()).connect() as connection:
            async with connection.pipeline():
                for statement in (_LOCK, _FORGET, _ASK):
                    await connection.execute(statement, values)
                cursor = await connection.execute(_ENTER, values)
            return await cursor.fetchone() is not None

    async def _renew(self, ticket: UUID) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            async with (await open_team()).connect() as connection:
                await connection.execute(
                    "UPDATE quire.turns SET expires = clock_timestamp() + %s * interval '1 second' "
                    "WHERE ticket = %s",
                    (LEASE_SECONDS, ticket),
                )

    async def _give_back(self, ticket: UUID, user: str, turn: Turn) -> None:
        async with (await open_team()).connect() as connection, connection.pipeline():
            await connection.execute("DELETE FROM quire.turns WHERE ticket = %s", (ticket,))
            if turn.input_tokens or turn.output_tokens:
                await note_call(connection, user, turn)
