"""When sources are brought up to date by themselves."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from psycopg.rows import class_row

from schema.access import Member, check_owner
from schema.errors import InputError
from team.store import TeamStore

SHORTEST = timedelta(minutes=1)
"""Between two syncs of one source."""


@dataclass(frozen=True)
class Schedule:
    """A source that is synced again and again, and when it is due next."""

    owner: str
    space: str
    source: str
    identity: str
    every: timedelta
    due: datetime


async def set_schedule(
    team: TeamStore, member: Member, owner: str, space: str, source: str, every: timedelta | None
) -> None:
    """Have a source synced every so often, in the name of a member; None: no longer.

    Raises:
        AccessError: the member is no curator of the owner's spaces.
        InputError: that is too often.
    """
    check_owner(owner, member, "curator")
    if every is not None and every < SHORTEST:
        raise InputError("A source can be synced once a minute at most.")
    async with team.connect() as connection:
        if every is None:
            await connection.execute(
                "DELETE FROM quire.schedules WHERE owner = %s AND space = %s AND source = %s",
                (owner, space, source),
            )
            return
        await connection.execute(
            "INSERT INTO quire.schedules (owner, space, source, identity, every, due) "
            "VALUES (%s, %s, %s, %s, %s, now() + %s) ON CONFLICT (owner, space, source) "
            "DO UPDATE SET identity = excluded.identity, every = excluded.every, "
            "due = excluded.due",
            (owner, space, source, member.identity, every, every),
        )


async def list_schedules(team: TeamStore, member: Member) -> list[Schedule]:
    """The schedules of all spaces that a member may read."""
    async with (
        team.connect() as connection,
        connection.cursor(row_factory=class_row(Schedule)) as cursor,
    ):
        await cursor.execute(
            "SELECT owner, space, source, identity, every, due FROM quire.schedules "
            "WHERE owner = ANY(%s) ORDER BY owner, space, source",
            (member.owners,),
        )
        return await cursor.fetchall()


async def take_due(team: TeamStore, now: datetime) -> list[Schedule]:
    """The schedules that are due, each given out once: the next time of all is after `now`.

    Times that were missed while nobody asked are made up for once, not one by one. In a transaction
    of its own: what is given out and then lost with its process comes again one period later.
    """
    async with (
        team.connect() as connection,
        connection.cursor(row_factory=class_row(Schedule)) as cursor,
    ):
        await cursor.execute(
            "WITH taken AS (SELECT owner, space, source FROM quire.schedules WHERE due <= %(now)s "
            "FOR UPDATE SKIP LOCKED) UPDATE quire.schedules s SET due = s.due + s.every * "
            "(floor(extract(epoch FROM %(now)s - s.due) / extract(epoch FROM s.every)) + 1) "
            "FROM taken t WHERE (s.owner, s.space, s.source) = (t.owner, t.space, t.source) "
            "RETURNING s.owner, s.space, s.source, s.identity, s.every, s.due",
            {"now": now},
        )
        return await cursor.fetchall()
