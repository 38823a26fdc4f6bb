"""Keys for programs: each stands for its owner, and may be given less than they may."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Literal, get_args

from psycopg.rows import class_row

from library.session import clean_text
from schema.access import GroupRole, Member
from schema.errors import InputError
from team.accounts import select_member
from team.secrets import hash_secret, make_secret
from team.store import TeamStore

Scope = Literal["read", "write", "sources"]
"""What a key is good for: to read and search; to write reports, too; to change sources, too."""

SCOPES: tuple[Scope, ...] = get_args(Scope)

_ROLES: dict[Scope, GroupRole] = {"read": "reader", "write": "writer", "sources": "curator"}

PREFIX = "qk_"

MAX_KEYS = 50
"""Keys in use that one account may have."""

MAX_NAME_CHARACTERS = 100

MAX_DAYS = 3_650


@dataclass(frozen=True)
class ApiKey:
    """A key as it is listed; what opens is not kept. `id` names it."""

    id: str
    identity: str
    name: str
    scope: Scope
    made: datetime
    expires: datetime | None
    revoked: datetime | None
    used: datetime | None


async def create_key(
    team: TeamStore, identity: str, name: str, scope: str, days: int | None = None
) -> str:
    """Make a key for an account; returns it, which nothing shows again.

    Args:
        team: the store.
        identity: whose key it is.
        name: what it is for.
        scope: one of `SCOPES`.
        days: it is good for; for ever where None.

    Raises:
        InputError: there is no such scope, the days are none, or there are too many keys already.
    """
    if scope not in SCOPES:
        raise InputError(f"There is no scope {scope}: take {', '.join(SCOPES)}.")
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise InputError(f"A key is good for 1 to {MAX_DAYS:,} days, or for ever.")
    key, identifier = f"{PREFIX}{make_secret()}", token_hex(4)
    async with team.connect() as connection:
        found = await connection.execute(
            "SELECT count(*) FROM quire.api_keys WHERE identity = %s AND revoked IS NULL "
            "AND (expires IS NULL OR expires > now())",
            (identity,),
        )
        [held] = await found.fetchone() or (0,)
        if held >= MAX_KEYS:
            raise InputError(f"There are {MAX_KEYS} keys already: revoke one first.")
        await connection.execute(
            "INSERT INTO quire.api_keys (id, hash, identity, name, scope, expires) "
            "VALUES (%s, %s, %s, %s, %s, now() + %s)",
            (
                identifier,
                hash_secret(key),
                identity,
                clean_text(" ".join(name.split()))[:MAX_NAME_CHARACTERS],
                scope,
                None if days is None else timedelta(days=days),
            ),
        )
    return key


async def list_keys(team: TeamStore, identity: str | None = None) -> list[ApiKey]:
    """The keys of an account, or of all where None; the newest first."""
    async with (
        team.connect() as connection,
        connection.cursor(row_factory=class_row(ApiKey)) as cursor,
    ):
        await cursor.execute(
            "SELECT id, identity, name, scope, made, expires, revoked, used FROM quire.api_keys "
            "WHERE %(identity)s::text IS NULL OR identity = %(identity)s ORDER BY made DESC, id",
            {"identity": identity},
        )
        return await cursor.fetchall()


async def revoke_key(team: TeamStore, identifier: str, identity: str | None = None) -> None:
    """Let a key open nothing any more.

    Args:
        team: the store.
        identifier: of the key.
        identity: whose it must be; anybody's where None.

    Raises:
        InputError: there is no such key.
    """
    async with team.connect() as connection:
        changed = await connection.execute(
            "UPDATE quire.api_keys SET revoked = coalesce(revoked, now()) WHERE id = %(id)s "
            "AND (%(identity)s::text IS NULL OR identity = %(identity)s)",
            {"id": clean_text(identifier), "identity": identity},
        )
    if not changed.rowcount:
        raise InputError(f"There is no key {identifier}.")


async def find_key(team: TeamStore, key: str) -> Member | None:
    """Who shows this key, and what it lets them do; None where it opens nothing.

    An operator with a key is an ordinary member: programs keep no installation running.
    """
    async with team.connect() as connection:
        valid = "t.hash = %s AND t.revoked IS NULL AND (t.expires IS NULL OR t.expires > now())"
        member = await select_member(connection, "quire.api_keys", valid, hash_secret(key))
        if member is None:
            return None
        found = await connection.execute(
            "SELECT scope, coalesce(used < now() - interval '1 minute', true) "
            "FROM quire.api_keys WHERE hash = %s",
            (hash_secret(key),),
        )
        scope, is_old = await found.fetchone() or ("read", False)
        if is_old:
            await connection.execute(
                "UPDATE quire.api_keys SET used = now() WHERE hash = %s", (hash_secret(key),)
            )
    return replace(member, operator=False, at_most=_ROLES[scope])
