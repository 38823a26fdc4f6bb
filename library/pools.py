"""Pools that tell a wait for one of their own connections from a wait for the database."""

import asyncio
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from psycopg_pool.abc import ACT

from library.failures import told
from schema.errors import LibraryError

TURN = 300.0
"""Seconds that a task waits for its turn, while others use all connections of the pool."""

CONNECT = 15.0
"""Seconds that the database may take to give a connection."""


class Pool(AsyncConnectionPool[ACT]):
    """A pool whose tasks take turns, first come, first served; open it before it is used."""

    def __init__(self, url: str, *, least: int, most: int, **options: Any) -> None:
        """Args: url: of the database. least, most: connections. options: of psycopg's pool."""
        self._url = url
        self._turns = asyncio.Semaphore(most)
        super().__init__(
            url,
            min_size=least,
            max_size=most,
            open=False,
            timeout=CONNECT,
            reconnect_timeout=CONNECT,
            **options,
        )

    async def getconn(self, timeout: float | None = None) -> ACT:  # noqa: ASYNC109  (psycopg's)
        """See psycopg's pool.

        Raises:
            LibraryError: all connections were in use for too long, or the database gives none.
        """
        try:
            async with asyncio.timeout(TURN):
                await self._turns.acquire()
        except TimeoutError:
            raise LibraryError(
                f"All {self.max_size} connections that this process has to the library's database "
                f"were in use for {TURN:g} s: run less at once."
            ) from None
        try:
            return await super().getconn(timeout)
        except PoolTimeout as error:
            self._turns.release()
            raise await _why(self._url, error) from None
        except BaseException:
            self._turns.release()
            raise

    async def putconn(self, conn: ACT) -> None:
        """See psycopg's pool."""
        try:
            await super().putconn(conn)
        finally:
            self._turns.release()


async def _why(url: str, error: PoolTimeout) -> LibraryError:
    """What the database says to one who asks for a connection now; the pool keeps it to itself."""
    try:
        connection = await AsyncConnection.connect(url, connect_timeout=5)
    except psycopg.Error as reason:
        return told(reason)
    await connection.close()
    return told(error)
