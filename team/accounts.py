"""Accounts: who may come in, and what they may do now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from psycopg.rows import class_row

from library.database.connections import Connection
from library.session import clean_text
from schema.access import LOCAL_USER, ROLES, AccessError, GroupRole, Member
from schema.errors import InputError
from schema.settings import get_settings
from team.groups import Grant, replace_grants
from team.known_names import replace_names
from team.store import TeamStore

MAX_NAME_CHARACTERS = 200

_PROVIDERS = "oidc-"
"""Begins the identities of accounts that a provider signs in."""


@dataclass(frozen=True)
class Account:
    """Someone who may come in. `groups`: what they may do in which; `known_as`: `Member` has it."""

    identity: str
    name: str
    email: str
    operator: bool
    blocked: datetime | None
    signed_in: datetime | None
    groups: Mapping[str, GroupRole]
    known_as: Sequence[str]

    @property
    def member(self) -> Member:
        """Who asks, where this account does."""
        operator = self.operator or self.identity in _list_operators()
        return Member(
            identity=self.identity,
            name=self.name,
            groups=dict(self.groups),
            operator=operator,
            known_as=tuple(self.known_as),
        )


def name_identity(issuer: str, subject: str) -> str:
    """What an account that a provider signs in is known by; subjects are unique to an issuer."""
    digest = blake2b(f"{issuer}\0{subject}".encode(), digest_size=10).hexdigest()
    return f"{_PROVIDERS}{digest}"


async def enter_account(
    team: TeamStore,
    issuer: str,
    subject: str,
    name: str,
    email: str,
    grant: Grant,
    known_as: Sequence[str] = (),
) -> Account:
    """Note that a provider signed someone in; what it says of them takes the place of before.

    Args:
        team: where to.
        issuer: the provider.
        subject: what it knows them by.
        name: to be shown.
        email: to be shown.
        grant: what they may do.
        known_as: names that documents may have among their readers.

    Raises:
        AccessError: the account is blocked.
    """
    identity = name_identity(issuer, subject)
    async with team.connect() as connection:
        await connection.execute(
            "INSERT INTO quire.accounts (identity, issuer, subject, name, email, operator, "
            "signed_in) VALUES (%s, %s, %s, %s, %s, %s, now()) ON CONFLICT (identity) DO UPDATE "
            "SET name = excluded.name, email = excluded.email, operator = excluded.operator, "
            "signed_in = excluded.signed_in",
            (
                identity,
                issuer,
                clean_text(subject),
                _shorten(name),
                _shorten(email),
                grant.operator,
            ),
        )
        await replace_grants(connection, identity, grant)
        await replace_names(connection, identity, known_as)
        [account] = await _select(connection, "a.identity = %s", identity)
    if account.blocked:
        raise AccessError("This account is blocked: ask an operator of this installation.")
    return account


async def make_account(team: TeamStore, identity: str) -> bool:
    """Make an account by hand, for keys; returns whether it is new.

    Raises:
        InputError: nobody can be called that.
    """
    plain = identity.replace("-", "").replace("_", "").replace(".", "")
    if not (plain.isalnum() and len(identity) <= MAX_NAME_CHARACTERS):
        raise InputError(f"A user cannot be called “{identity}”: use letters, digits and _ . -")
    async with team.connect() as connection:
        if await _select(connection, "a.identity = %s", identity):
            return False
        if identity.startswith(_PROVIDERS):
            raise InputError(f"There is no account {identity}: its user has never signed in.")
        await connection.execute(
            "INSERT INTO quire.accounts (identity, issuer, subject) VALUES (%s, '', %s)",
            (identity, identity),
        )
    return True


async def list_accounts(team: TeamStore) -> list[Account]:
    """All accounts, by identity."""
    async with team.connect() as connection:
        return await _select(connection, "%s", True)


async def find_account(team: TeamStore, identity: str) -> Account:
    """An account.

    Raises:
        InputError: there is none.
    """
    async with team.connect() as connection:
        found = await _select(connection, "a.identity = %s", identity)
    if not found:
        raise InputError(f"There is no account {identity}: quire team list shows those there are.")
    return found[0]


async def find_member(team: TeamStore, identity: str) -> Member:
    """What someone may do now, for work that is done without them.

    Raises:
        AccessError: they may not come in any more.
    """
    async with team.connect() as connection:
        found = await _select(connection, "a.identity = %s AND a.blocked IS NULL", identity)
    if found:
        return found[0].member
    if identity == LOCAL_USER and not get_settings().needs_sign_in:
        return Member()
    raise AccessError(f"The account {identity} is blocked or gone.")


async def block_account(team: TeamStore, identity: str, *, blocked: bool = True) -> None:
    """Let someone in no more, or again; their browsers are signed out.

    Raises:
        InputError: there is no such account.
    """
    async with team.connect() as connection:
        changed = await connection.execute(
            "UPDATE quire.accounts SET blocked = CASE WHEN %s THEN now() END WHERE identity = %s",
            (blocked, identity),
        )
        if not changed.rowcount:
            raise InputError(f"There is no account {identity}.")
        await connection.execute(
            "DELETE FROM quire.browser_sessions WHERE identity = %s", (identity,)
        )


async def remove_account(team: TeamStore, identity: str) -> None:
    """Forget an account, with its keys, sessions, roles, schedules, limits, and links it made.

    Who a provider signs in can come again, as somebody new: block them to keep them out.

    Raises:
        InputError: there is no such account.
    """
    async with team.connect() as connection:
        changed = await connection.execute(
            "DELETE FROM quire.accounts WHERE identity = %s", (identity,)
        )
        if not changed.rowcount:
            raise InputError(f"There is no account {identity}.")
        for statement in (
            "DELETE FROM quire.schedules WHERE identity = %s",
            "DELETE FROM quire.share_links WHERE maker = %s",
            "DELETE FROM quire.limits WHERE subject = %s",
        ):
            await connection.execute(statement, (identity,))


async def select_member(
    connection: Connection, table: str, condition: str, *values: object
) -> Member | None:
    """The member whom a row of another table belongs to; None where it has none, or is blocked.

    Args:
        connection: of the team's.
        table: with a column `identity`; called `t` in the condition.
        condition: on its row, with `%s` for each value.
        values: of the condition.
    """
    found = await _select(
        connection,
        f"a.blocked IS NULL AND a.identity = (SELECT t.identity FROM {table} t WHERE {condition})",
        *values,
    )
    return found[0].member if found else None


async def _select(connection: Connection, condition: str, *values: object) -> list[Account]:
    order = " ".join(f"WHEN '{role}' THEN {rank}" for rank, role in enumerate(ROLES))
    async with connection.cursor(row_factory=class_row(Account)) as cursor:
        await cursor.execute(
            "SELECT a.identity, a.name, a.email, a.operator, a.blocked, a.signed_in, "
            "coalesce((SELECT jsonb_object_agg(m.team, m.role "
            f"ORDER BY CASE m.role {order} END) "  # of two roles the higher one is the last
            "FROM quire.memberships m WHERE m.identity = a.identity), '{}') AS groups, "
            "ARRAY(SELECT DISTINCT k.name FROM quire.known_names k "
            "WHERE k.identity = a.identity ORDER BY 1) AS known_as "
            f"FROM quire.accounts a WHERE {condition} ORDER BY a.identity",
            values,
        )
        return await cursor.fetchall()


def _list_operators() -> list[str]:
    return [one.strip() for one in get_settings().operators.split(",") if one.strip()]


def _shorten(text: str) -> str:
    return clean_text(" ".join(text.split()))[:MAX_NAME_CHARACTERS]
