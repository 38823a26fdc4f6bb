"""The queue of jobs in the library's database: procrastinate, its tables in a schema of their own.

Its tables know no users, and no member's session reaches them: what a job may do is decided by who
runs it, see `serving.jobs`.
"""

import asyncio
from pathlib import Path
from typing import Any

from procrastinate import PsycopgConnector
from procrastinate.schema import SchemaManager, migrations_path
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier

from library.database.connections import Database
from library.database.errors import translate_errors

QUEUE_SCHEMA = "quire_jobs"

QUEUE_CONNECTIONS = 4
"""Connections of a process for its jobs: one listens, the others fetch and finish."""


async def make_connector(database: Database) -> PsycopgConnector:
    """What an application of procrastinate finds its jobs with; it opens and closes it.

    Raises:
        LibraryError: the database does not answer.
    """
    async with database.hold_lock(QUEUE_SCHEMA), translate_errors():  # two would trip over it
        await _set_up(database)
    return PsycopgConnector(
        conninfo=database.url,
        min_size=1,
        max_size=QUEUE_CONNECTIONS,
        configure=_configure,
    )


async def _configure(connection: AsyncConnection[Any]) -> None:
    await _set_search_path(connection)
    await connection.commit()


async def _set_search_path(connection: AsyncConnection[Any]) -> None:
    await connection.execute(SQL("SET search_path TO {}").format(Identifier(QUEUE_SCHEMA)))


async def _set_up(database: Database) -> None:
    """Make the tables, or bring them up to date. The schema's comment names the last migration."""
    steps = await asyncio.to_thread(_read_migrations)
    newest = max(steps)
    async with await database.connect() as connection, connection.transaction():
        cursor = await connection.execute(
            "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", (QUEUE_SCHEMA,)
        )
        [last] = await cursor.fetchone() or (None,)
        if last == newest:  # a role that may not make tables can then use them
            return
        schema = Identifier(QUEUE_SCHEMA)
        await connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema))
        await _set_search_path(connection)
        missing = [steps[name] for name in sorted(steps) if last and name > last]
        for step in missing if last else [SchemaManager.get_schema()]:
            await connection.execute(step.encode())
        await connection.execute(SQL("COMMENT ON SCHEMA {} IS {}").format(schema, newest))


def _read_migrations() -> dict[str, str]:
    return {path.name: path.read_text() for path in Path(migrations_path).glob("*.sql")}
