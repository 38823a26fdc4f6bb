"""Databases of their own on the embedded server, opened by every kind of role there is."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, LiteralString

import psycopg
import pytest
from psycopg import sql

from library.database import embedded_postgres
from library.database.connections import close_databases, open_database

Kind = Literal["superuser", "bypassing", "owner", "plain", "unguarded"]
"""Who connects: a superuser, one with BYPASSRLS, the tables' owner, one with grants alone; or the
owner where row-level security is switched off, so that the statements alone keep users apart."""

KINDS: tuple[Kind, ...] = ("superuser", "bypassing", "owner", "plain", "unguarded")

_ROLES: dict[Kind, LiteralString] = {
    "superuser": "CREATE ROLE {} LOGIN SUPERUSER",
    "bypassing": "CREATE ROLE {} LOGIN BYPASSRLS IN ROLE quire_session",
}


async def run(url: str, *commands: LiteralString, name: str = "") -> None:
    """Run commands, in which {} is a name."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        for command in commands:
            await connection.execute(sql.SQL(command).format(sql.Identifier(name)))


async def made(data_dir: Path, name: str, role: LiteralString = "CREATE ROLE {} LOGIN") -> str:
    """The url of a new database of a new role, both of this name; the superuser's own url of it."""
    admin = embedded_postgres.start_server(data_dir)
    await run(admin, role, "CREATE DATABASE {0} OWNER {0}", name=name)
    ours = psycopg.conninfo.make_conninfo(admin, dbname=name)
    await run(ours, "CREATE EXTENSION vector")
    return ours


def as_role(url: str, name: str) -> str:
    """The same database for another role."""
    return psycopg.conninfo.make_conninfo(url, user=name)


@asynccontextmanager
async def served(
    kind: Kind, data_dir: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[str]:
    """Make QUIRE_DATABASE_URL a new database, opened as a kind of role; yields the admin's url."""
    await open_database()  # which makes the role to step down to
    admin = await made(data_dir, name, _ROLES.get(kind, "CREATE ROLE {} LOGIN"))
    monkeypatch.setenv("QUIRE_DATABASE_URL", as_role(admin, name))
    if kind in ("plain", "unguarded"):
        await open_database()
    if kind == "plain":
        await close_databases()
        plain = f"{name}_plain"
        await run(
            admin,
            "CREATE ROLE {} LOGIN",
            "GRANT USAGE ON SCHEMA quire TO {}",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA quire TO {}",
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA quire TO {}",
            name=plain,
        )
        monkeypatch.setenv("QUIRE_DATABASE_URL", as_role(admin, plain))
    if kind == "unguarded":
        async with await psycopg.AsyncConnection.connect(admin) as connection:
            await connection.execute(
                "DO $$ DECLARE name text; BEGIN FOR name IN SELECT tablename FROM pg_tables "
                "WHERE schemaname = 'quire' LOOP EXECUTE format("
                "'ALTER TABLE quire.%I DISABLE ROW LEVEL SECURITY', name); END LOOP; END $$"
            )
    yield admin
    await close_databases()
