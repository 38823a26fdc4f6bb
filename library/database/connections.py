"""Connections to the library's database: what one event loop may have of them, and no more."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import blake2b
from importlib.resources import files
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, TupleRow, dict_row
from psycopg.sql import SQL, Identifier
from psycopg_pool import PoolTimeout

from library.database import embedded_postgres
from library.database.advisory_locks import Locks
from library.database.errors import to_open_error, translate_errors
from library.database.pool import CONNECT_SECONDS, Pool, probe_server
from library.database.roles import find_session_role, has_unforced_tables
from schema.errors import LibraryError
from schema.settings import get_settings

Connection = AsyncConnection[TupleRow]

SESSION_CONNECTIONS = 10
"""Connections for statements on users' rows; a session must not ask for a second one."""

CHECKPOINT_CONNECTIONS = 4
"""Connections for the checkpoints of runs that are started outside a server."""

BEAM = 100
"""hnsw.ef_search of sessions: candidates that an index of vectors keeps while it walks."""

SCHEMA_FILES = ("schema.sql", "team.sql", "policies.sql")
"""What makes the schema, in this order."""

SCHEMA_VERSION = 2
"""Raised with every change of the schema after which an older Quire must not write."""

CHECKPOINT_SCHEMA = "quire_threads"

_SCHEMA_LOCK = 0x9017E  # any number, the same in every process


class Database:
    """An open database whose schema is in place.

    Beside the two pools there is one connection for all locks, and one for maintenance.
    """

    def __init__(
        self,
        url: str,
        role: str,
        pool: Pool[Connection],
        checkpoints: Pool[AsyncConnection[DictRow]],
    ) -> None:
        """Args: role: whom sessions run as; see `library.database.roles.find_session_role`."""
        self.pool = pool
        self.checkpoints = checkpoints
        self.locks = Locks(self.connect)
        self.url = url  # with its password: for connections alone
        self._role = role

    @asynccontextmanager
    async def session(self, user: str, names: Sequence[str] = ()) -> AsyncIterator[Connection]:
        """A transaction that sees and makes rows of one user only.

        Args:
            user: whose rows.
            names: by which its reader is known to those of them that not everybody may read.

        Raises:
            LibraryError: the database cannot be reached, or breaks off.
        """
        opening = SQL(
            "SELECT set_config('quire.user_id', {}, true), set_config('quire.readers', {}, true), "
            "set_config('role', {}, true)"
        ).format(user, "\n".join(names), self._role)
        async with self.pool.transaction(opening) as connection:
            yield connection

    @asynccontextmanager
    async def maintenance(self) -> AsyncIterator[Connection]:
        """A connection of the schema's owner, outside of transactions, for statements on indexes.

        It sees every user's rows: it must name the space it works on. One at a time, in all
        processes: two that index the vectors of different spaces would wait for each other.

        Raises:
            LibraryError: the database cannot be reached, or breaks off.
        """
        async with (
            translate_errors(),
            self.locks.hold("maintenance"),
            await self.connect() as connection,
        ):
            yield connection

    @asynccontextmanager
    async def hold_lock(self, *names: str) -> AsyncIterator[None]:
        """Hold the lock of these names; see `library.database.advisory_locks`.

        Raises:
            LibraryError: the database cannot be reached, or breaks off.
        """
        async with translate_errors(), self.locks.hold(*names):
            yield

    async def is_unreachable(self) -> bool:
        """Whether a connection broke, and the server gives none now."""
        pools = (self.pool, self.checkpoints)
        broke = any(pool.has_broken for pool in pools)
        for pool in pools:
            pool.has_broken = False
        return broke and await probe_server(self.url) is not None

    async def close(self) -> None:
        """Close all connections."""
        await self.locks.close()
        await self.checkpoints.close()
        await self.pool.close()

    async def connect(self) -> Connection:
        """A connection beside the pools, of the schema's owner: for tables that know no users."""
        return await AsyncConnection.connect(
            self.url, autocommit=True, connect_timeout=CONNECT_SECONDS
        )


_databases: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, "asyncio.Task[Database]"]] = (
    WeakKeyDictionary()
)


async def open_database() -> Database:
    """The database that the settings name, opened once per event loop.

    Raises:
        LibraryError: it cannot be opened, or lacks pgvector.
    """
    here = get_settings()
    url = here.database_url.get_secret_value() if here.database_url else f"embedded:{here.data_dir}"
    opened = _databases.setdefault(asyncio.get_running_loop(), {})
    held = opened.get(url)
    if held and await _is_unreachable(held) and opened.get(url) is held:
        del opened[url]  # an embedded server has to be started again
        await held.result().close()
    if url not in opened:
        opened[url] = asyncio.create_task(_open_pools(url))
    try:
        return await asyncio.shield(opened[url])
    except LibraryError:
        opened.pop(url, None)
        raise


async def _is_unreachable(opened: "asyncio.Task[Database]") -> bool:
    if not opened.done() or opened.cancelled() or opened.exception() is not None:
        return False
    return await opened.result().is_unreachable()


async def close_databases() -> None:
    """Close this event loop's connections; the next use opens them again."""
    for task in _databases.pop(asyncio.get_running_loop(), {}).values():
        if not task.done():
            task.cancel()
        elif not task.cancelled() and task.exception() is None:
            await task.result().close()


async def _open_pools(url: str) -> Database:
    if url.startswith("embedded:"):
        url = await asyncio.to_thread(embedded_postgres.start_server, get_settings().data_dir)
    _check_url(url)
    sessions: Pool[Connection] = Pool(
        url,
        least=1,
        most=SESSION_CONNECTIONS,
        configure=_configure,
        kwargs={"autocommit": True, **_choose_cursor()},
    )
    checkpoints: Pool[AsyncConnection[DictRow]] = Pool(
        url,
        least=0,
        most=CHECKPOINT_CONNECTIONS,
        configure=_configure_checkpoints,
        check=Pool.check_connection,
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
    )
    try:
        role = await _prepare_schema(url)
        await sessions.open(wait=True)
    except (psycopg.Error, PoolTimeout) as error:
        await sessions.close()
        raise to_open_error(error) from error
    return Database(url, role, sessions, checkpoints)


def _choose_cursor() -> dict[str, Any]:
    """Cursors that are traced, where traces are wanted: each statement is a span, which costs."""
    if not get_settings().traces:
        return {}
    from library.database.traced_cursor import TracedCursor

    return {"cursor_factory": TracedCursor}


def _check_url(url: str) -> None:
    """Refuse what libpq cannot read, in words of our own: libpq's would tell the password."""
    try:
        conninfo_to_dict(url)
    except psycopg.Error:
        raise LibraryError(
            "QUIRE_DATABASE_URL cannot be read: write postgresql://user:password@host/database, "
            "with %40 for an @ in the password."
        ) from None


async def _prepare_schema(url: str) -> str:
    """Bring the schema up to date; returns the role that sessions run as.

    The schema that is in place is named in its comment, as VERSION and DIGEST, and not run again:
    its statements lock whole tables, and would end a store that runs in another process by a
    deadlock.

    Raises:
        LibraryError: the schema is of a newer Quire, or old, and the role may not change it.
    """
    folder = files("library.database")
    schema = "".join(folder.joinpath(name).read_text() for name in SCHEMA_FILES).encode()
    async with await AsyncConnection.connect(url, connect_timeout=CONNECT_SECONDS) as connection:
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
        cursor = await connection.execute(
            "SELECT obj_description(to_regnamespace('quire'), 'pg_namespace')"
        )
        [in_place] = await cursor.fetchone() or (None,)
        _check_version(in_place)
        wanted = f"{SCHEMA_VERSION} {blake2b(schema, digest_size=16).hexdigest()}"
        if in_place != wanted or await has_unforced_tables(connection):
            try:
                await connection.execute(schema)
            except psycopg.errors.InsufficientPrivilege as error:
                if in_place is None:
                    raise
                raise LibraryError(
                    "The library's schema is older than this Quire, and the database's role may "
                    "not change it: run quire migrate once with the role that owns it."
                ) from error
            await connection.execute(SQL("COMMENT ON SCHEMA quire IS {}").format(wanted))
        return await find_session_role(connection)


def _check_version(in_place: str | None) -> None:
    """Raise `LibraryError` where a schema, by its comment, is of a newer Quire."""
    version = (in_place or "").split(" ")[0]
    if version.isdigit() and len(version) < 9 and int(version) > SCHEMA_VERSION:
        raise LibraryError(
            f"The library was made by a newer Quire (schema {version}, and this one knows "
            f"{SCHEMA_VERSION}): update this one. Nothing was changed."
        )


async def _configure(connection: Connection) -> None:
    await register_vector_async(connection)
    await connection.execute("SET client_min_messages = warning")
    await connection.execute("SET statement_timeout = '120s'")
    await connection.execute(SQL("SET hnsw.ef_search = {}").format(BEAM))
    await connection.execute("SET hnsw.iterative_scan = strict_order")


async def _configure_checkpoints(connection: AsyncConnection[Any]) -> None:
    await connection.execute(SQL("SET search_path TO {}").format(Identifier(CHECKPOINT_SCHEMA)))
