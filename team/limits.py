"""What users may use: runs at once; runs, tokens and money a day."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

from schema.access import GROUP_SIGN, AccessError, Member
from schema.errors import InputError
from team.store import TeamStore
from team.usage import load_usage

LimitKind = Literal["runs_at_once", "runs_a_day", "tokens_a_day", "cents_a_day"]

EVERYBODY = "*"


class LimitError(AccessError):
    """A member has used what they may; `seconds`: until there is more."""

    def __init__(self, sentence: str, seconds: int) -> None:
        super().__init__(sentence)
        self.seconds = seconds


async def set_limit(team: TeamStore, subject: str, kind: str, most: int | None) -> None:
    """Limit what a user (IDENTITY), each member of a group (@GROUP) or everybody (*) may use.

    Args:
        team: where it is kept.
        subject: whom it limits; what is said of a user counts more than of their groups, of which
            the largest counts, and that more than what is said of everybody.
        kind: a `LimitKind`.
        most: the limit; None takes it away.

    Raises:
        InputError: there is no such kind, or a limit is negative.
    """
    if kind not in get_args(LimitKind) or (most is not None and most < 0):
        raise InputError(f"A limit is one of {', '.join(get_args(LimitKind))}, and not below 0.")
    async with team.connect() as connection:
        if most is None:
            await connection.execute(
                "DELETE FROM quire.limits WHERE subject = %s AND kind = %s", (subject, kind)
            )
        else:
            await connection.execute(
                "INSERT INTO quire.limits (subject, kind, most) VALUES (%s, %s, %s) "
                "ON CONFLICT (subject, kind) DO UPDATE SET most = excluded.most",
                (subject, kind, most),
            )


async def list_limits(team: TeamStore) -> list[tuple[str, str, int]]:
    """All limits, as (subject, kind, most)."""
    async with team.connect() as connection:
        cursor = await connection.execute(
            "SELECT subject, kind, most FROM quire.limits ORDER BY subject, kind"
        )
        return [(row[0], row[1], row[2]) for row in await cursor.fetchall()]


async def load_limits(team: TeamStore, member: Member) -> dict[LimitKind, int]:
    """What a member may use; a kind that is not limited is left out."""
    groups = [f"{GROUP_SIGN}{group}" for group in member.groups]
    async with team.connect() as connection:
        cursor = await connection.execute(
            "SELECT subject, kind, most FROM quire.limits WHERE subject = ANY(%s)",
            ([member.identity, *groups, EVERYBODY],),
        )
        rows = await cursor.fetchall()
    # the last counts: everybody's, then those of groups from small to large, then one's own
    order = {EVERYBODY: 0, member.identity: 2}
    rows.sort(key=lambda row: (order.get(row[0], 1), row[2]))
    return {kind: most for _, kind, most in rows}


async def check_limits(
    team: TeamStore, member: Member, running: int, unpriced: Sequence[str] = ()
) -> None:
    """Raise `LimitError` where a member has used what they may.

    Args:
        team: where limits and usage are kept.
        member: who wants to begin a run.
        running: runs of theirs that are under way.
        unpriced: language models of the run of which no price is known.

    Raises:
        InputError: the member's money is limited, and what the run takes of it cannot be told.
    """
    limits = await load_limits(team, member)
    if not limits:
        return
    if running >= limits.get("runs_at_once", running + 1):
        raise LimitError(
            f"You have {running} reports under way, as many as you may: wait for one to end.", 30
        )
    if unpriced and "cents_a_day" in limits:
        raise InputError(
            f"No price of {unpriced[0]} is known, so your limit of money cannot be kept: take "
            "another model, or have the operator name a table of prices with QUIRE_PRICES."
        )
    used = await load_usage(team, member.identity)
    for kind, sum_, what in (
        ("runs_a_day", used.runs, "reports"),
        ("tokens_a_day", used.tokens, "tokens"),
        ("cents_a_day", int(100 * used.dollars), "US cents"),
    ):
        if kind in limits and sum_ >= limits[kind]:
            raise LimitError(
                f"You have used {sum_:,} of {limits[kind]:,} {what} of today: "
                "there are more at midnight (UTC).",
                _seconds_to_midnight(),
            )


def _seconds_to_midnight() -> int:
    now = datetime.now(UTC)
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return int((midnight - now).total_seconds()) + 1
