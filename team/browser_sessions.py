"""Browsers that are signed in: what each shows of itself, until it is signed out or too old."""

from datetime import timedelta

from schema.access import Member
from schema.settings import get_settings
from team.accounts import select_member
from team.secrets import hash_secret, make_secret
from team.store import TeamStore


async def begin_session(team: TeamStore, identity: str, before: str = "") -> str:
    """Sign a browser in; returns the secret that it has to show.

    Args:
        team: the store.
        identity: whose account it is.
        before: what it showed until now, which opens nothing any more: nobody who knew or set it
            comes in with the browser.
    """
    secret, hours = make_secret(), timedelta(hours=get_settings().session_hours)
    async with team.connect() as connection:
        await connection.execute(
            "DELETE FROM quire.browser_sessions WHERE hash = %s OR expires < now()",
            (hash_secret(before),),
        )
        await connection.execute(
            "INSERT INTO quire.browser_sessions (hash, identity, expires) "
            "VALUES (%s, %s, now() + %s)",
            (hash_secret(secret), identity, hours),
        )
    return secret


async def find_session(team: TeamStore, secret: str) -> Member | None:
    """Whose browser shows this; None where it is signed out, too old, or the account blocked."""
    async with team.connect() as connection:
        return await select_member(
            connection,
            "quire.browser_sessions",
            "t.hash = %s AND t.expires > now()",
            hash_secret(secret),
        )


async def end_session(team: TeamStore, secret: str) -> None:
    """Sign a browser out."""
    async with team.connect() as connection:
        await connection.execute(
            "DELETE FROM quire.browser_sessions WHERE hash = %s", (hash_secret(secret),)
        )


async def end_all_sessions(team: TeamStore, identity: str) -> None:
    """Sign all browsers of an account out."""
    async with team.connect() as connection:
        await connection.execute(
            "DELETE FROM quire.browser_sessions WHERE identity = %s", (identity,)
        )
