"""Connections to the library's database, one pool per event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import blake2b
from importlib.resources import files
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg.sql import SQL
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from library import embedded
from library.roles import bound_role, unforced
from schema.errors import LibraryError
from schema.settings import settings

Connection = AsyncConnection[TupleRow]

_SCHEMA_LOCK = 0x9017E  # any number, the same in every process


class Database:
    """An open pool whose schema is in place."""

    def __init__(self, pool: AsyncConnectionPool[Connection], url: str, role: str) -> None:
        """Args: role: whom sessions run as; see `library.roles.bound_role`."""
        self.pool = pool
        self._url = url
        self._role = role

    @asynccontextmanager
    async def session(self, user: str) -> AsyncIterator[Connection]:
        """A transaction that sees and makes rows of one user only.

        Raises:
            LibraryError: the database cannot be reached.
        """
        try:
            async with self.pool.connection() as connection:
                await connection.execute(
                    "SELECT set_config('quire.user_id', %s, true), set_config('role', %s, true)",
                    (user, self._role),
                )
                yield connection
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise LibraryError(
                f"The library's database does not answer ({_first_line(error)}): check that it "
                "runs, and QUIRE_DATABASE_URL."
            ) from error

    @asynccontextmanager
    async def maintenance(self) -> AsyncIterator[Connection]:
        """A connection of the schema's owner, outside of transactions, for statements on indexes.

        It sees every user's rows: it must name the space it works on.
        """
        connection = await AsyncConnection.connect(self._url, autocommit=True, connect_timeout=10)
        async with connection:
            yield connection


_open: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, "asyncio.Task[Database]"]] = (
    WeakKeyDictionary()
)


async def database() -> Database:
    """The database that the settings name, opened once per event loop.

    Raises:
        LibraryError: it cannot be opened, or lacks pgvector.
    """
    here = settings()
    url = here.database_url.get_secret_value() if here.database_url else f"embedded:{here.data_dir}"
    opened = _open.setdefault(asyncio.get_running_loop(), {})
    if url not in opened:
        opened[url] = asyncio.create_task(_connect(url))
    try:
        return await asyncio.shield(opened[url])
    except LibraryError:
        opened.pop(url, None)
        raise


async def close() -> None:
    """Close this event loop's connections; the next use opens them again."""
    for task in _open.pop(asyncio.get_running_loop(), {}).values():
        if not task.done():
            task.cancel()
        elif not task.cancelled() and task.exception() is None:
            await task.result().pool.close()


async def _connect(url: str) -> Database:
    if url.startswith("embedded:"):
        url = await asyncio.to_thread(embedded.start, settings().data_dir)
    _check(url)
    pool = AsyncConnectionPool(
        url,
        min_size=1,
        max_size=10,
        timeout=30,
        open=False,
        configure=_configure,
        connection_class=AsyncConnection[TupleRow],
        kwargs={"connect_timeout": 10},
    )
    try:
        role = await _prepare(url)
        await pool.open(wait=True)
    except (psycopg.Error, PoolTimeout) as error:
        await pool.close()
        raise LibraryError(
            f"The library's database cannot be used ({_first_line(error)}): QUIRE_DATABASE_URL "
            "must name a running PostgreSQL with the pgvector extension, and a user who may "
            "create a schema."
        ) from error
    return Database(pool, url, role)


def _check(url: str) -> None:
    """Refuse what libpq cannot read, in words of our own: libpq's would tell the password."""
    try:
        conninfo_to_dict(url)
    except psycopg.Error:
        raise LibraryError(
            "QUIRE_DATABASE_URL cannot be read: write postgresql://user:password@host/database, "
            "with %40 for an @ in the password."
        ) from None


async def _prepare(url: str) -> str:
    """Bring the schema up to date; returns the role that sessions run as.

    The schema that is in place is named in its comment and not run again: its statements lock
    whole tables, and would end a store that runs in another process by a deadlock.
    """
    schema = files("library").joinpath("schema.sql").read_text().encode()
    async with await AsyncConnection.connect(url, connect_timeout=10) as connection:
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
        cursor = await connection.execute(
            "SELECT obj_description(to_regnamespace('quire'), 'pg_namespace')"
        )
        [in_place] = await cursor.fetchone() or (None,)
        wanted = blake2b(schema, digest_size=16).hexdigest()
        if in_place != wanted or await unforced(connection):
            await connection.execute(schema)
            await connection.execute(SQL("COMMENT ON SCHEMA quire IS {}").format(wanted))
        return await bound_role(connection)


async def _configure(connection: AsyncConnection[Any]) -> None:
    await register_vector_async(connection)
    await connection.execute("SET client_min_messages = warning")
    await connection.execute("SET statement_timeout = '120s'")
    await connection.commit()


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
