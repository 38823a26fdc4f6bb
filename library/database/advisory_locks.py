"""Locks between processes, all of this one's on one connection of PostgreSQL.

A lock ends with its process, whatever ends that. The connection is opened with the first lock and
closed with the last.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from hashlib import blake2b
from weakref import WeakValueDictionary

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow

POLL_SECONDS = 0.5
"""Seconds between two looks whether another process has finished."""

_ACQUIRE = "SELECT pg_try_advisory_lock(%s)"
_RELEASE = "SELECT pg_advisory_unlock(%s)"


class Locks:
    """Advisory locks of one event loop."""

    def __init__(self, connect: Callable[[], Awaitable[AsyncConnection[TupleRow]]]) -> None:
        """Args: connect: opens a connection outside of transactions."""
        self._connect = connect
        self._connection: AsyncConnection[TupleRow] | None = None
        self._connection_lock = asyncio.Lock()
        self._local_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._held: set[int] = set()
        self._wanted = 0

    @asynccontextmanager
    async def hold(self, *names: str) -> AsyncIterator[None]:
        """Wait until nobody else, here or in another process, holds the lock of these names.

        Another process is looked at again and again: a statement that waits would hold back what
        cleans the tables, and the other locks.
        """
        digest = blake2b("\0".join(names).encode(), digest_size=8).digest()
        key = int.from_bytes(digest, signed=True)
        # PostgreSQL gives one connection the same lock twice
        async with self._local_locks.setdefault(key, asyncio.Lock()):
            self._wanted += 1
            try:
                while not await self._execute(_ACQUIRE, key):  # noqa: ASYNC110  (no process calls us)
                    await asyncio.sleep(POLL_SECONDS)
                self._held.add(key)
                yield
            finally:
                self._wanted -= 1
                self._held.discard(key)
                await self._release(key)

    async def close(self) -> None:
        """Let all locks go."""
        if self._connection is not None:
            await self._connection.close()

    async def _execute(self, statement: str, key: int) -> bool:
        async with self._connection_lock:
            if self._connection is None or self._connection.closed:
                self._connection = await self._connect()
                for held in self._held:  # they went with the connection that broke
                    await self._connection.execute(_ACQUIRE, (held,))
            cursor = await self._connection.execute(statement, (key,))
            return await cursor.fetchone() == (True,)

    async def _release(self, key: int) -> None:
        async with self._connection_lock:
            if self._connection is None or self._connection.closed:
                return
            if self._wanted:
                with suppress(psycopg.OperationalError):  # a broken connection holds no lock
                    await self._connection.execute(_RELEASE, (key,))
            else:
                await self._connection.close()
