"""Checkpoints of runs that are started outside a server, in the library's database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import psycopg
from psycopg.rows import dict_row

from library.database import database
from library.sources import alone
from schema.errors import LibraryError

if TYPE_CHECKING:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver


@asynccontextmanager
async def checkpointer() -> AsyncIterator["AsyncPostgresSaver"]:
    """A checkpointer on a connection of its own, its tables in the schema `quire_threads`.

    They know no users: who asks for a thread must have been told its id by a table that does.

    Raises:
        LibraryError: the database does not answer, also while it is used.
    """
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver  # noqa: PLC0415  (0.1 s)
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer  # noqa: PLC0415

    opened = await database()
    try:
        async with opened.maintenance() as connection:
            connection.row_factory = dict_row  # type: ignore[assignment]
            # state is plain data: no class is loaded from a checkpoint, whoever wrote it
            strict = JsonPlusSerializer(allowed_msgpack_modules=None)
            saver = AsyncPostgresSaver(connection, serde=strict)  # type: ignore[arg-type]
            async with alone(opened, "", "", "quire_threads", ""):  # two would trip over each other
                await connection.execute("CREATE SCHEMA IF NOT EXISTS quire_threads")
                await connection.execute("SET search_path TO quire_threads")
                await saver.setup()
            yield saver
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise LibraryError(
            "The library's database broke off: check that it runs, and QUIRE_DATABASE_URL."
        ) from error


async def newest_only(saver: "AsyncPostgresSaver", thread: str) -> None:
    """Of a finished run, keep the last checkpoint."""
    await saver.aprune([thread], strategy="keep_latest")
