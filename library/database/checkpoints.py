"""Checkpoints of runs that are started outside a server, in the library's database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from weakref import WeakSet

from psycopg.errors import UndefinedTable
from psycopg.sql import SQL, Identifier

from library.database.connections import CHECKPOINT_SCHEMA, Database, open_database

if TYPE_CHECKING:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

_checked: WeakSet[Database] = WeakSet()
"""Databases whose tables have been looked at."""


@asynccontextmanager
async def open_checkpointer() -> AsyncIterator["AsyncPostgresSaver"]:
    """A checkpointer, its tables in a schema of their own.

    It has a connection only while it reads or writes. The tables know no users: who asks for a
    thread must have been told its id by a table that does.

    Raises:
        LibraryError: the database does not answer, also while it is used.
    """
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    opened = await open_database()
    await opened.checkpoints.open()  # which most processes never need
    # state is plain data: no class is loaded from a checkpoint, whoever wrote it
    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    saver = AsyncPostgresSaver(opened.checkpoints, serde=serde)
    if opened not in _checked:
        await _set_up(opened, saver)
    yield saver


async def prune_checkpoints(saver: "AsyncPostgresSaver", thread: str) -> None:
    """Of a finished run, keep the last checkpoint."""
    await saver.aprune([thread], strategy="keep_latest")


async def _set_up(opened: Database, saver: "AsyncPostgresSaver") -> None:
    """Make the tables, or bring them up to date; once a process is enough."""
    async with opened.hold_lock(CHECKPOINT_SCHEMA):  # two would trip over each other
        if opened not in _checked and not await _is_set_up(opened, len(saver.MIGRATIONS)):
            async with opened.checkpoints.connection() as connection:
                await connection.execute(
                    SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(CHECKPOINT_SCHEMA))
                )
            await saver.setup()
        _checked.add(opened)


async def _is_set_up(opened: Database, migrations: int) -> bool:
    """Whether all is there: a role that may not make tables can then use them."""
    try:
        async with opened.checkpoints.connection() as connection:
            cursor = await connection.execute("SELECT max(v) AS newest FROM checkpoint_migrations")
            row = await cursor.fetchone()
    except UndefinedTable:
        return False
    return row is not None and row["newest"] == migrations - 1
