"""Links that show one version of a report to whoever has them, until they are taken back."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from psycopg.rows import class_row

from team.store import TeamStore

TOKEN_BYTES = 32

MAX_DAYS = 3_650


@dataclass(frozen=True, kw_only=True)
class ShareLink:
    """A link as it is kept: whose report it shows, in which version, until when."""

    id: int
    owner: str
    report: str
    version: int
    maker: str
    made: datetime
    expires: datetime | None


_SELECT = (
    "SELECT id, owner, report, version, maker, made, expires FROM quire.share_links "
    "WHERE (expires IS NULL OR expires > now()) AND "
)


async def make_share_link(
    store: TeamStore, owner: str, report: str, version: int, maker: str, days: int | None
) -> str:
    """Make a link; returns its token, which is kept nowhere.

    Args:
        store: the team's tables.
        owner: of the report; who asks is checked before.
        report: its id.
        version: what the link shows, whatever is revised later.
        maker: identity of who shares it.
        days: after which it ends; never where None.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires = None if days is None else datetime.now(UTC) + timedelta(days=days)
    async with store.connect() as connection:
        await connection.execute(
            "INSERT INTO quire.share_links (hash, owner, report, version, maker, expires) "
            "VALUES (%s, %s, %s, %s, %s, %s)",
            (_hash(token), owner, report, version, maker, expires),
        )
    return token


async def find_share_link(store: TeamStore, token: str) -> ShareLink | None:
    """The link of a token; None where there is none, or none any more."""
    async with store.connect() as connection:
        cursor = connection.cursor(row_factory=class_row(ShareLink))
        await cursor.execute(_SELECT + "hash = %s", (_hash(token),))
        return await cursor.fetchone()


async def list_share_links(store: TeamStore, owner: str, report: str) -> list[ShareLink]:
    """The links of a report that still work, the newest first."""
    async with store.connect() as connection:
        cursor = connection.cursor(row_factory=class_row(ShareLink))
        await cursor.execute(
            _SELECT + "owner = %s AND report = %s ORDER BY id DESC", (owner, report)
        )
        return await cursor.fetchall()


async def revoke_share_link(store: TeamStore, owner: str, report: str, identity: int) -> None:
    """Take a link of a report back."""
    async with store.connect() as connection:
        await connection.execute(
            "DELETE FROM quire.share_links WHERE owner = %s AND report = %s AND id = %s",
            (owner, report, identity),
        )


def _hash(token: str) -> bytes:
    """What is kept of a token: it is random enough to need no salt."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
