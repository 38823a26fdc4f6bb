"""Pools that tell a wait for one of their own connections from a wait for the database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.sql import SQL, Composed
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from psycopg_pool.abc import ACT

from library.database.errors import is_connection_limit, to_library_error, translate_errors
from schema.concurrency import Turns, get_semaphore
from schema.errors import LibraryError

QUEUE_SECONDS = 120.0
"""Seconds that a task waits while all connections are in use, here or at the server."""

PROBE_SECONDS = 5.0
"""Seconds without a connection after which the server is asked why."""

CONNECT_SECONDS = 15
"""Seconds that the server may take to answer that."""


class Pool(AsyncConnectionPool[ACT]):
    """A pool whose tasks take turns, see `Turns`; open it before it is used.

    What breaks while a connection is used is raised as a `LibraryError`.
    """

    def __init__(self, url: str, *, least: int, most: int, **options: Any) -> None:
        """Args: url: of the database. least, most: connections. options: of psycopg's pool."""
        self.has_broken = False
        """Whether a connection broke, or none could be had: the server may be away."""
        self._url = url
        self._turns = Turns(most)
        super().__init__(
            url,
            min_size=least,
            max_size=most,
            open=False,
            timeout=PROBE_SECONDS,
            reconnect_timeout=PROBE_SECONDS,
            **options,
        )

    @classmethod
    async def worker(cls, q: Any) -> None:
        """See psycopg's pool: its worker forgets a cancellation that comes while it connects.

        A loop that ends cancels its tasks and waits for them, and would wait for that one for ever.
        """
        tasks: Any = _UntilCancelled(q)
        await super().worker(tasks)

    @asynccontextmanager
    async def connection(self, timeout: float | None = None) -> AsyncIterator[ACT]:  # noqa: ASYNC109  (psycopg's)
        """See psycopg's pool.

        Raises:
            LibraryError: the database fails, or is away.
        """
        async with translate_errors(), super().connection(timeout) as connection:
            try:
                yield connection
            finally:
                self.has_broken |= connection.closed

    @asynccontextmanager
    async def transaction(self, opening: Composed) -> AsyncIterator[ACT]:
        """A transaction of a connection in autocommit mode, with what it opens with.

        BEGIN and the opening go out together, and tell whether the connection lives: one that
        broke while nobody had it, as when the server was started anew, gives way to another.

        Args:
            opening: statements without parameters.

        Raises:
            LibraryError: the database fails, or is away.
        """
        async with translate_errors():
            connection = await self._begin(SQL("BEGIN; {}").format(opening))
            try:
                async with connection:
                    yield connection
            finally:
                self.has_broken |= connection.closed
                await self.putconn(connection)

    async def _begin(self, opening: Composed) -> ACT:
        for tries_left in reversed(range(self.max_size + 1)):
            connection = await self.getconn()
            try:
                await connection.execute(opening, prepare=False)
            except BaseException:
                await self.putconn(connection)
                if not (connection.closed and tries_left):
                    raise
            else:
                return connection
        raise AssertionError  # the last try returns or raises

    async def getconn(self, timeout: float | None = None) -> ACT:  # noqa: ASYNC109  (psycopg's)
        """See psycopg's pool.

        Raises:
            LibraryError: all connections were in use for too long, or the server gives none.
        """
        try:
            async with asyncio.timeout(QUEUE_SECONDS):
                await self._turns.acquire()
        except TimeoutError:
            raise LibraryError(
                f"All {self.max_size} connections that this process has to the library's database "
                f"were in use for {QUEUE_SECONDS:g} s: run less at once."
            ) from None
        try:
            return await self._wait_for_connection(timeout)
        except BaseException:
            self._turns.release()
            raise

    async def putconn(self, conn: ACT) -> None:
        """See psycopg's pool."""
        try:
            await super().putconn(conn)
        finally:
            self._turns.release()

    async def _wait_for_connection(self, timeout: float | None) -> ACT:  # noqa: ASYNC109  (psycopg's)
        """A connection; while the server gives any at all, waiting for one is worth it.

        A busy event loop may be all that keeps one from being made.
        """
        until = asyncio.get_running_loop().time() + QUEUE_SECONDS
        while True:
            try:
                return await super().getconn(timeout)
            except PoolTimeout as error:
                async with get_semaphore(
                    "library refusal", 1
                ):  # many wait, and one need ask at a time
                    refused = await probe_server(self._url)
                late = asyncio.get_running_loop().time() > until
                if late or (refused and not is_connection_limit(refused)):
                    self.has_broken = True
                    raise to_library_error(refused or error) from None


class _UntilCancelled:
    """A queue that gives nothing more to a task that was cancelled."""

    def __init__(self, queue: asyncio.Queue[Any]) -> None:
        self._queue = queue

    async def get(self) -> Any:
        task = asyncio.current_task()
        if task and task.cancelling():
            raise asyncio.CancelledError
        return await self._queue.get()


async def probe_server(url: str) -> psycopg.Error | None:
    """What the server says to one who asks for a connection now; a pool keeps it to itself."""
    try:
        connection = await AsyncConnection.connect(url, connect_timeout=CONNECT_SECONDS)
    except psycopg.Error as reason:
        return reason
    await connection.close()
    return None
