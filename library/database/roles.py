"""The role of sessions that touch users' rows: always one whom row-level security binds.

A superuser and a role with BYPASSRLS pass by it. Their sessions step down to a role that may do
neither; a connection that cannot is refused, and no row is read through it.
"""

from typing import LiteralString

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from schema.errors import LibraryError

OWN_ROLE = "none"
"""What `SET ROLE` calls the role that the connection was made with."""

SESSION_ROLE = "quire_session"

_MAKE: tuple[LiteralString, ...] = (
    "CREATE ROLE quire_session NOLOGIN",
    "GRANT quire_session TO CURRENT_USER",
    "GRANT USAGE ON SCHEMA quire TO quire_session",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA quire TO quire_session",
    "GRANT USAGE ON ALL SEQUENCES IN SCHEMA quire TO quire_session",
)

_TABLES = "FROM pg_class WHERE relnamespace = to_regnamespace('quire') AND relkind = 'r'"


async def has_unforced_tables(connection: AsyncConnection[TupleRow]) -> bool:
    """Whether a table of the connection's role lets its owner pass row-level security by."""
    cursor = await connection.execute(
        f"SELECT EXISTS (SELECT {_TABLES} AND NOT (relrowsecurity AND relforcerowsecurity) "
        "AND pg_has_role(relowner, 'USAGE'))"
    )
    row = await cursor.fetchone()
    return bool(row and row[0])


async def find_session_role(connection: AsyncConnection[TupleRow]) -> str:
    """The role that sessions take, whom row-level security binds in every table of the library.

    Args:
        connection: in a transaction; the schema is in place.

    Raises:
        LibraryError: there is none that this connection may take; says what to do.
    """
    cursor = await connection.execute(
        "SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
    )
    name, superuser, bypasses = await cursor.fetchone() or ("", False, False)
    if not superuser and not bypasses:
        return await _check_role(connection, OWN_ROLE, name)
    if not await _can_step_down(connection):
        for command in _MAKE:
            await _try_command(connection, command)
        if not await _can_step_down(connection):
            raise LibraryError(
                f"The database's role {name} passes row-level security by (BYPASSRLS), which keeps "
                f"users apart: run ALTER ROLE {name} NOBYPASSRLS, or, so that it can step down, "
                f"CREATE ROLE {SESSION_ROLE} NOLOGIN and GRANT {SESSION_ROLE} TO {name}, or name "
                "another role in QUIRE_DATABASE_URL."
            )
    return await _check_role(connection, SESSION_ROLE, SESSION_ROLE)


async def _can_step_down(connection: AsyncConnection[TupleRow]) -> bool:
    """Whether sessions can step down, and find all tables there that they need."""
    try:
        async with connection.transaction():
            await connection.execute("SELECT set_config('role', %s, true)", (SESSION_ROLE,))
            cursor = await connection.execute(
                f"SELECT bool_and(has_table_privilege(oid, 'DELETE')) {_TABLES}"
            )
            row = await cursor.fetchone()
            await connection.execute("SELECT set_config('role', %s, true)", (OWN_ROLE,))
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue):
        return False
    return bool(row and row[0])


async def _try_command(connection: AsyncConnection[TupleRow], command: LiteralString) -> None:
    """Run a command that may have been run before, by another role or beside us."""
    try:
        async with connection.transaction():
            await connection.execute(command)
    except (
        psycopg.errors.InsufficientPrivilege,
        psycopg.errors.DuplicateObject,
        psycopg.errors.UniqueViolation,
    ):
        pass


async def _check_role(connection: AsyncConnection[TupleRow], role: str, name: str) -> str:
    """The role, if row-level security binds it everywhere."""
    await connection.execute("SELECT set_config('role', %s, true)", (role,))
    cursor = await connection.execute(
        f"SELECT relname {_TABLES} AND NOT row_security_active(oid) ORDER BY relname LIMIT 1"
    )
    open_table = await cursor.fetchone()
    await connection.execute("SELECT set_config('role', %s, true)", (OWN_ROLE,))
    if open_table:
        table = f"quire.{open_table[0]}"
        raise LibraryError(
            f"Row-level security, which keeps users apart, does not bind the role {name} in the "
            f"table {table}: let the table's owner run ALTER TABLE {table} ENABLE ROW LEVEL "
            "SECURITY, FORCE ROW LEVEL SECURITY, or name another role in QUIRE_DATABASE_URL."
        )
    return role
