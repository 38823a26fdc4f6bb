"""What webhooks have to be told: kept until it is told or given up, by whichever process."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import uuid4

from psycopg.rows import class_row

from team.store import open_team

LEASE_SECONDS = 120
"""Seconds in which no other process takes a delivery that one is about to make."""

KEPT_DAYS = 30
"""Days that the record of a delivery is kept."""

DeliveryState = Literal["waiting", "delivered", "failed"]


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One message to one address; `attempts` counts the one that is under way."""

    id: str
    owner: str
    report: str
    address: str
    title: str
    outcome: str
    state: DeliveryState
    attempts: int
    due: datetime
    reason: str
    created: datetime


async def add_delivery(owner: str, report: str, address: str, title: str, outcome: str) -> str:
    """Note that an address is to be told of a report's end; returns the delivery's id."""
    identity = f"msg_{uuid4().hex}"
    async with (await open_team()).connect() as connection:
        await connection.execute(
            "INSERT INTO quire.webhook_deliveries (id, owner, report, address, title, outcome) "
            "VALUES (%s, %s, %s, %s, %s, %s)",
            (identity, owner, report, address, title.replace("\0", ""), outcome),
        )
        await connection.execute(
            "DELETE FROM quire.webhook_deliveries "
            "WHERE created < now() - make_interval(days => %s)",
            (KEPT_DAYS,),
        )
    return identity


async def claim_delivery() -> Delivery | None:
    """A delivery whose time has come, which is then this process's to make; None if there is none.

    If the process ends before it says what came of it, another takes it after two minutes.
    """
    async with (
        (await open_team()).connect() as connection,
        connection.cursor(row_factory=class_row(Delivery)) as cursor,
    ):
        await cursor.execute(
            "UPDATE quire.webhook_deliveries SET attempts = attempts + 1, "
            "due = now() + make_interval(secs => %s) WHERE id = (SELECT id "
            "FROM quire.webhook_deliveries WHERE state = 'waiting' AND due <= now() "
            "ORDER BY due LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *",
            (LEASE_SECONDS,),
        )
        return await cursor.fetchone()


async def settle_delivery(
    identity: str, state: DeliveryState, reason: str = "", wait: float = 0.0
) -> None:
    """Note what came of an attempt.

    Args:
        identity: of the delivery.
        state: `waiting` where it is tried again.
        reason: why it failed.
        wait: seconds until the next attempt.
    """
    async with (await open_team()).connect() as connection:
        await connection.execute(
            "UPDATE quire.webhook_deliveries SET state = %s, reason = %s, "
            "due = now() + make_interval(secs => %s) WHERE id = %s",
            (state, reason, wait, identity),
        )


async def list_deliveries(report: str) -> list[Delivery]:
    """What was told of a report, the first first."""
    async with (
        (await open_team()).connect() as connection,
        connection.cursor(row_factory=class_row(Delivery)) as cursor,
    ):
        await cursor.execute(
            "SELECT * FROM quire.webhook_deliveries WHERE report = %s ORDER BY created",
            (report,),
        )
        return await cursor.fetchall()


async def find_next_wait() -> float | None:
    """Seconds until a delivery's time comes, 0 or less where it has; None if none is waiting."""
    async with (await open_team()).connect() as connection:
        cursor = await connection.execute(
            "SELECT extract(epoch FROM min(due) - now())::float8 FROM quire.webhook_deliveries "
            "WHERE state = 'waiting'"
        )
        wait: float | None
        [wait] = await cursor.fetchone() or (None,)
        return wait
